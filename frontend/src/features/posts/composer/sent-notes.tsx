import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelKind, ChannelOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useFormat } from '@/i18n/use-format'
import { sentFiles } from '@/lib/sent-files'
import type { EditedFile } from './use-files'

interface SentNotesProps {
  /** The loaded files of the post. */
  files: readonly EditedFile[]
  /** The accounts that the post goes to. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
}

/** What each network shows of the files of a post with a document or a video. */
export function SentNotes({ files, accounts, channels }: SentNotesProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const images = files.filter(({ kind }) => kind === 'image').length
  // of a carousel alone, the previews say how many pages are shown
  if (images === files.length) return null
  const textOf = ({ limits }: ChannelOut) => {
    const sent = sentFiles(files, limits)
    const [first] = sent
    // the server's check says why a network gets none
    if (!first) return undefined
    const { kind } = first
    if (kind !== 'image') return (networks: string) => t(`posts:composer.sent.${kind}`, { networks })
    return sent.length < images
      ? (networks: string) => t('posts:composer.sent.firstImages', { networks, count: sent.length, images })
      : (networks: string) => t('posts:composer.sent.images', { networks, count: sent.length })
  }
  const kindsByText = new Map<string, { write: (networks: string) => string; kinds: ChannelKind[] }>()
  for (const channel of channels) {
    const write = accounts.some(({ kind }) => kind === channel.kind) ? textOf(channel) : undefined
    if (!write) continue
    const note = kindsByText.get(write('')) ?? { write, kinds: [] }
    kindsByText.set(write(''), { ...note, kinds: [...note.kinds, channel.kind] })
  }
  return [...kindsByText].map(([key, { write, kinds }]) => (
    <p key={key} className="field-note">
      {write(format.list([...new Set(kinds.map(channelName))]))}
    </p>
  ))
}
