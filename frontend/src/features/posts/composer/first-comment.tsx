import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useFormat } from '@/i18n/use-format'
import { textLength } from '@/lib/text-length'
import type { ComposerForm } from './use-composer'

interface FirstCommentProps {
  form: ComposerForm
  /** The accounts that the post goes to. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
}

/** The first comment, which is published in its own step, if a chosen network supports it. */
export function FirstComment({ form, accounts, channels }: FirstCommentProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const text = form.values.first_comment
  const takes = channels.filter(({ kind, limits }) => limits.max_first_comment > 0 && accounts.some((account) => account.kind === kind))
  if (takes.length === 0 && text === '') return null
  const limit = Math.min(...takes.map(({ limits }) => limits.max_first_comment))
  const length = textLength(text, takes[0]?.limits.counting)
  return (
    <div data-field="first_comment">
      <Textarea
        label={t('posts:composer.firstCommentOptional')}
        description={
          takes.length > 0
            ? t('posts:composer.firstCommentHint', { networks: format.list(takes.map(({ kind }) => channelName(kind))) })
            : t('errors:first_comment_unsupported')
        }
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
