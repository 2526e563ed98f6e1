import { Button, TextInput } from '@mantine/core'
import { IconCheck, IconHandStop, IconPencil, IconRefresh, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import { ApprovalInSchema } from '@/api/schemas.gen'
import type { AskedOut } from '@/api/types.gen'
import { ArticleShown } from '@/components/article-shown'
import { ChannelIcons } from '@/components/channel'
import { Facts } from '@/components/facts'
import { lazyPart } from '@/components/lazy-part'
import { ReasonText } from '@/components/reason-text'
import { StatusBadge } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { millisecondsUntil, useNow } from '@/lib/clock'
import { editPath } from '@/lib/edit-path'
import { paths } from '@/lib/paths'
import { runCost } from '@/components/run-cost'
import { PostPreviews, usePreviewsTitle } from '@/features/posts/post-previews'

const ReviewSection = lazyPart(async () => (await import('@/components/review-notes')).ReviewSection)
const AFTER = { hold: 'heldAfter', skip: 'skippedAfter', publish: 'publishedAfter' } as const

interface ApprovalCardProps {
  question: AskedOut
  isDeclining: boolean
  onDeclining: (open: boolean) => void
  onDecide: (approved: boolean, remark?: string) => void
  onWriteAgain: () => void
  /** Absent if no other post waits. */
  onNext?: () => void
}

/** One post as it will look, how it was written, and the answers. */
export function ApprovalCard({ question, isDeclining, onDeclining, onDecide, onWriteAgain, onNext }: ApprovalCardProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const now = useNow()
  const { post, article } = question
  const { approval } = post
  const previews = usePreviewsTitle(post)
  const left = approval ? millisecondsUntil(approval.deadline_at, now) : 0
  const isOver = left <= 0
  return (
    <section className="panel inbox-card" aria-label={post.topic_title}>
      <header className="inbox-head">
        <div className="grow">
          <h2 className="panel-title">{post.assistant_name ?? t('posts:byHand')}</h2>
          <p className="factline">
            <ChannelIcons channels={post.deliveries.map(({ channel }) => channel)} />
            {approval?.at_once && approval.at_deadline !== 'publish'
              ? t('posts:inbox.atOnce')
              : post.planned_at && (
                  <time dateTime={post.planned_at}>{t('posts:inbox.goesOut', { when: format.atMoment(post.planned_at, now) })}</time>
                )}
          </p>
          {approval && (
            <p className="inbox-deadline" role={isOver ? 'alert' : undefined}>
              <time dateTime={approval.deadline_at} title={format.dayAndTime(approval.deadline_at, now)}>
                {isOver
                  ? t('posts:inbox.over')
                  : t(`posts:inbox.${AFTER[approval.at_deadline]}`, { time: format.duration(left) })}
              </time>
            </p>
          )}
        </div>
        <StatusBadge status="waiting" />
      </header>
      {approval?.rewrite_error && (
        <p className="inbox-again" role="status">
          {t('posts:again.failed')} <ReasonText code={approval.rewrite_error} written={article ? 'article' : 'post'} />
        </p>
      )}
      {post.is_demo && (
        <p className="inbox-again" role="note">
          {t('posts:inbox.demo')}
        </p>
      )}
      {article ? (
        <div className="pv-stage">
          <ArticleShown article={article} language={post.language} />
        </div>
      ) : (
        <div className="pv-stage" aria-label={previews} role="group">
          <PostPreviews post={post} isWhole />
        </div>
      )}
      {post.review.length > 0 && <ReviewSection notes={post.review} />}
      <Reason question={question} />
      <footer className="inbox-answers">
        {isOver ? (
          onNext && <Button onClick={onNext}>{t('posts:inbox.next')}</Button>
        ) : isDeclining ? (
          <DeclineForm veto={approval?.at_deadline === 'publish'} onDecline={(remark) => onDecide(false, remark)} onCancel={() => onDeclining(false)} />
        ) : (
          <AnswerButtons question={question} onApprove={() => onDecide(true)} onDecline={() => onDeclining(true)} onWriteAgain={onWriteAgain} />
        )}
      </footer>
    </section>
  )
}

interface AnswerButtonsProps {
  question: AskedOut
  onApprove: () => void
  onDecline: () => void
  onWriteAgain: () => void
}

function AnswerButtons({ question: { post }, onApprove, onDecline, onWriteAgain }: AnswerButtonsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const isVeto = post.approval?.at_deadline === 'publish'
  return (
    <>
      <Button
        color="saffron.4"
        autoContrast
        leftSection={<IconCheck size={16} aria-hidden />}
        aria-label={t('posts:approval.approveOf', { post: post.topic_title })}
        aria-keyshortcuts="A"
        onClick={onApprove}
      >
        {t('posts:approval.approve')}
      </Button>
      <Button
        component={Link}
        to={editPath(post)}
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        aria-keyshortcuts="E"
      >
        {t('posts:inbox.edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        aria-label={t('posts:again.actionOf', { post: post.topic_title })}
        aria-keyshortcuts="W"
        onClick={onWriteAgain}
      >
        {t('posts:again.action')}
      </Button>
      <span className="grow" />
      <Button
        variant="subtle"
        color="gray"
        leftSection={isVeto ? <IconHandStop size={16} aria-hidden /> : <IconX size={16} aria-hidden />}
        aria-label={t(isVeto ? 'posts:approval.stopOf' : 'posts:approval.declineOf', { post: post.topic_title })}
        aria-keyshortcuts="D"
        onClick={onDecline}
      >
        {t(isVeto ? 'posts:approval.stop' : 'posts:approval.decline')}
      </Button>
      <p className="inbox-keys">{t(isVeto ? 'posts:inbox.keysVeto' : 'posts:inbox.keys')}</p>
    </>
  )
}

interface DeclineFormProps {
  veto: boolean
  onDecline: (remark: string) => void
  onCancel: () => void
}

function DeclineForm({ veto, onDecline, onCancel }: DeclineFormProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [remark, setRemark] = useState('')
  return (
    <div
      className="grow"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && remark === '') onCancel()
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) onDecline(remark.trim())
      }}
    >
      <TextInput
        label={t('posts:approval.reason')}
        description={t('posts:inbox.reasonHint')}
        value={remark}
        maxLength={ApprovalInSchema.properties.remark.maxLength}
        autoFocus
        onChange={(event) => setRemark(event.currentTarget.value)}
      />
      <div className="buttons">
        <Button size="xs" color="red" onClick={() => onDecline(remark.trim())}>
          {t(veto ? 'posts:approval.stop' : 'posts:approval.decline')}
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  )
}

/** How the post was written: for which assistant, from which topic, by which model, and at what cost. */
function Reason({ question }: { question: AskedOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const { post, template, slot } = question
  return (
    <div className="inbox-reason">
      <Facts
        facts={[
          [
            t('posts:assistant'),
            post.assistant_id && (
              <Link className="link" to={generatePath(paths.assistant, { assistantId: post.assistant_id })}>
                {post.assistant_name}
              </Link>
            ),
          ],
          [
            t(question.by_hand ? 'posts:inbox.askedFor' : 'posts:inbox.slot'),
            slot && <time dateTime={slot}>{format.dayAndTime(slot)}</time>,
          ],
          [t('posts:inbox.topic'), [...question.topic_path, question.topic].join(' / ')],
          [
            t('posts:inbox.template'),
            template ? (
              <Link className="link" to={generatePath(paths.template, { templateId: template.template_id })}>
                {t('posts:inbox.version', { name: template.name, number: template.number })}
              </Link>
            ) : (
              t('posts:inbox.templateGone')
            ),
          ],
          [t('posts:inbox.writtenBy'), post.is_demo ? t('posts:demoWriter') : post.written_by],
          [t('posts:inbox.cost'), useCost(question)],
        ]}
      />
    </div>
  )
}

/** Return the cost of the model calls of the post's run; empty if it is unknown. */
function useCost(question: AskedOut): string {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const tokens = (question.input_tokens ?? 0) + (question.output_tokens ?? 0)
  const money = runCost(format, question, null, t('posts:inbox.costUnknown'))
  return [money, tokens > 0 && t('posts:inbox.tokens', { count: tokens })].filter(Boolean).join(' · ')
}
