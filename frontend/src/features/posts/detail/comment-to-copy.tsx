import { Button } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryOut, FieldProblem, PostOut } from '@/api/types.gen'
import { readAt } from '@/components/channel'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { useAnswerComment } from '@/features/posts/api'

interface CommentToCopyProps {
  post: PostOut
  delivery: DeliveryOut
  reason: FieldProblem
  canComment: boolean
}

/** The first comment that the server's app may not publish, to be copied and published by the user. */
export function CommentToCopy({ post, delivery, reason, canComment }: CommentToCopyProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const ask = useAnswerComment()
  const askOnce = useMutateOnce(ask)
  const quote = useRef<HTMLQuoteElement>(null)
  const answer = (answer: 'there' | 'again') => askOnce({ path: { post_id: post.id, delivery_id: delivery.id }, body: { answer } })
  return (
    <div className="delivery-more" data-tone="note" role="status">
      <div className="grow">
        <p>{t('posts:firstComment.left', { network: readAt(delivery) })}</p>
        <blockquote className="delivery-quote" lang={post.language} ref={quote}>
          {post.first_comment}
        </blockquote>
        <p className="dim">{problemText(t, reason)}</p>
        <div className="delivery-answers">
          <CopyButton size="xs" text={post.first_comment} label={t('posts:firstComment.copy')} onForbidden={() => markAndCopy(quote.current)} />
          <Button size="xs" variant="default" disabled={ask.isPending} onClick={() => answer('there')}>
            {t('posts:firstComment.byHand')}
          </Button>
          {canComment && (
            <Button size="xs" variant="default" disabled={ask.isPending} onClick={() => answer('again')}>
              {t('posts:firstComment.putAgain')}
            </Button>
          )}
        </div>
        {ask.error && (
          <p role="alert">
            {t('posts:decideFailed')} {problemText(t, ask.error)}
          </p>
        )}
      </div>
    </div>
  )
}
