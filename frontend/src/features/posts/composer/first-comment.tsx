import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useFormat } from '@/i18n/use-format'
import { problemText } from '@/lib/problems'
import { textLength } from '@/lib/text-length'
import type { ComposerForm } from './use-composer'

interface FirstCommentProps {
  form: ComposerForm
  /** The accounts that the post goes to. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
}

/** The first comment, which is published in its own step, if a chosen account can have one. */
export function FirstComment({ form, accounts, channels }: FirstCommentProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const text = form.values.first_comment
  const allowed = new Set(accounts.filter((account) => !account.first_comment_error).map(({ kind }) => kind))
  const takes = channels.filter(({ kind, limits }) => limits.max_first_comment > 0 && allowed.has(kind))
  const refusals = accounts.flatMap(({ kind, first_comment_error: refusal }) => (refusal ? [{ kind, refusal }] : []))
  const [refused] = refusals
  if (takes.length === 0 && !refused && text === '') return null
  const limit = Math.min(...takes.map(({ limits }) => limits.max_first_comment))
  const length = textLength(text, takes[0]?.limits.counting)
  const listed = (kinds: readonly AccountOut['kind'][]) => format.list([...new Set(kinds)].map((kind) => channelName(kind)))
  const hints =
    takes.length > 0
      ? [
          t('posts:composer.firstCommentHint', { networks: listed(takes.map(({ kind }) => kind)) }),
          refused && t('posts:composer.firstCommentCopied', { networks: listed(refusals.map(({ kind }) => kind)) }),
        ]
      : [refused ? problemText(t, refused.refusal) : t('errors:first_comment_unsupported')]
  return (
    <div data-field="first_comment">
      <Textarea
        label={t('posts:composer.firstCommentOptional')}
        description={hints.filter(Boolean).join(' ')}
        // a text that was there before can still be removed
        disabled={takes.length === 0 && text === ''}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('first_comment')}
      />
      {text !== '' && takes.length > 0 && (
        <p className="field-note num" data-over={length > limit || undefined}>
          {t('posts:composer.count', { length, limit })}
        </p>
      )}
    </div>
  )
}
