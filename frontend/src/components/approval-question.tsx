import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconHandStop, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { decidePostMutation } from '@/api/@tanstack/react-query.gen'
import { ApprovalInSchema } from '@/api/schemas.gen'
import type { ApprovalOut } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'
import { withRemedy } from './problem-text'

export const DECIDE_POST = ['decide post']

/** Return the mutation that approves or declines exactly the content with that hash. */
export function useDecidePost(plannedAt: string) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const refetch = useRefetchPosts()
  return useMutation({
    ...decidePostMutation(),
    mutationKey: DECIDE_POST,
    // here and not at the call: a list may unmount the buttons right after the click
    onSuccess: ({ post, confirmed }, { body }) => {
      const when = format.atMoment(post.planned_at ?? plannedAt)
      const done = body.approved ? t('posts:approval.doneApproved', { when }) : t('posts:approval.doneDeclined')
      notifications.show({ message: confirmed ? done : t('posts:actions.later') })
    },
    onError: (problem) =>
      notifications.show({
        color: 'red',
        message: withRemedy(problem.code, `${t('posts:approval.failed')} ${problemText(t, problem)}`),
      }),
    onSettled: refetch,
  })
}

interface ApprovalQuestionProps {
  postId: string
  /** The post's name, for screen readers on the buttons. */
  name: string
  contentHash: string
  approval: Pick<ApprovalOut, 'at_deadline' | 'deadline_at'>
  plannedAt: string
  onAnswer?: () => void
  /** Another action beside the answers. */
  children?: ReactNode
}

/** The approval question of a post, its deadline, and the two answers. */
export function ApprovalQuestion({ postId, name, contentHash, approval, plannedAt, onAnswer, children }: ApprovalQuestionProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const [declining, setDeclining] = useState(false)
  const [remark, setRemark] = useState('')
  const decide = useDecidePost(plannedAt)
  const decideOnce = useMutateOnce(decide)
  const veto = approval.at_deadline === 'publish'
  const deadline = format.momentInSentence(approval.deadline_at)
  const answer = (approved: boolean) => {
    decideOnce({ path: { post_id: postId }, body: { approved, content_hash: contentHash, remark: approved ? '' : remark.trim() } })
    onAnswer?.()
  }
  const [no, noOf] = veto
    ? [t('posts:approval.stop'), t('posts:approval.stopOf', { post: name })]
    : [t('posts:approval.decline'), t('posts:approval.declineOf', { post: name })]
  return (
    <div className="approval">
      <p>
        {veto
          ? t('posts:approval.veto', { when: format.atMoment(plannedAt), deadline })
          : t('posts:approval.asks', { deadline, otherwise: t(`posts:approval.otherwise.${approval.at_deadline}`) })}
      </p>
      {declining ? (
        <form
          className="approval-why"
          onSubmit={(event) => {
            event.preventDefault()
            answer(false)
          }}
        >
          <TextInput
            label={t('posts:approval.reason')}
            value={remark}
            maxLength={ApprovalInSchema.properties.remark.maxLength}
            data-autofocus
            autoFocus
            onChange={(event) => setRemark(event.currentTarget.value)}
          />
          <div className="buttons">
            <Button size="xs" color="red" type="submit" loading={decide.isPending} aria-label={noOf}>
              {no}
            </Button>
            <Button size="xs" variant="default" onClick={() => setDeclining(false)}>
              {t('cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <div className="delivery-answers">
          <Button
            size="xs"
            color="saffron.4"
            autoContrast
            leftSection={<IconCheck size={14} aria-hidden />}
            loading={decide.isPending}
            aria-label={t('posts:approval.approveOf', { post: name })}
            onClick={() => answer(true)}
          >
            {t('posts:approval.approve')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={veto ? <IconHandStop size={14} aria-hidden /> : <IconX size={14} aria-hidden />}
            disabled={decide.isPending}
            aria-label={noOf}
            onClick={() => setDeclining(true)}
          >
            {no}
          </Button>
          {children}
        </div>
      )}
    </div>
  )
}
