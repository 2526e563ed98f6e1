import { Button, Input } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileText } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { makeDocumentMutation } from '@/api/@tanstack/react-query.gen'
import { PageDocumentInSchema } from '@/api/schemas.gen'
import type { AccountOut, ChannelOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useFormat } from '@/i18n/use-format'
import { fileTitle } from '@/lib/file-title'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { asFile } from './composer-values'
import type { ComposerForm } from './use-composer'
import type { EditedFile } from './use-files'

const { media_ids: PAGES, title: TITLE } = PageDocumentInSchema.properties

interface AsDocumentProps {
  form: ComposerForm
  /** The loaded files of the post. */
  files: readonly EditedFile[]
  /** The accounts that the post goes to. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
}

/** For a post whose images are pages of one carousel: the button that makes a document of them for networks that show one. */
export function AsDocument({ form, files, accounts, channels }: AsDocumentProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const make = useMutation(makeDocumentMutation())
  const makeOnce = useMutateOnce(make)
  const takers = channels.filter(({ kind, limits }) => limits.document && accounts.some((account) => account.kind === kind))
  if (takers.length === 0 || !isCarousel(files, form.values.files.length)) return null
  const networks = format.list([...new Set(takers.map(({ kind }) => channelName(kind)))])
  const add = () =>
    makeOnce(
      { body: { media_ids: files.map(({ media_id }) => media_id), language: form.values.language } },
      {
        onSuccess: ({ id, name }) => {
          form.setFieldValue('files', (before) => [...before, { ...asFile(id), title: fileTitle(name, TITLE.maxLength) }])
          notifications.show({ message: t('posts:composer.asDocumentDone') })
        },
      },
    )
  return (
    <div>
      <Button size="compact-sm" variant="subtle" leftSection={<IconFileText size={15} aria-hidden />} loading={make.isPending} onClick={add}>
        {t('posts:composer.asDocument', { networks })}
      </Button>
      {make.error && (
        <Input.Error role="alert">
          {t('posts:composer.asDocumentFailed')} {problemText(t, make.error)}
        </Input.Error>
      )}
    </div>
  )
}

/** Return whether all files are loaded, and pages of one carousel. */
function isCarousel(files: readonly EditedFile[], count: number): boolean {
  const [first] = files
  const sequence = first?.carousel?.sequence_id
  return (
    files.length === count &&
    files.length >= PAGES.minItems &&
    Boolean(sequence) &&
    files.every(({ kind, carousel }) => kind === 'image' && carousel?.sequence_id === sequence)
  )
}
