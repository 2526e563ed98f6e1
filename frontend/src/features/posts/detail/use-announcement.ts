import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { AnnouncedOut, PostOut, WritingOut } from '@/api/types.gen'
import { useWriting } from '@/components/use-writing'
import { useFormat } from '@/i18n/use-format'
import { composePath } from '@/lib/compose-path'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { toProblem, type Problem } from '@/lib/problems'
import { usePublishPost } from '@/lib/refetch-posts'
import { newRequestId } from '@/lib/request-id'
import { useAnnounce, useTakeText } from './announcements-api'

/** How an article is announced. */
export interface AnnouncementOrder {
  accountIds: readonly string[]
  assistantId: string | null
  /** The assistant's template writes the text. */
  byTemplate: boolean
  /** The post stays a draft. */
  isDraft: boolean
  /** When the post goes out; null: now. */
  plannedAt: Date | null
}

/** Announce an article: make the draft of a post, let a template write its text, then open, publish or schedule the post. */
export function useAnnouncement(articleId: string, order: AnnouncementOrder, onClose: () => void) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const navigate = useNavigate()
  const announce = useAnnounce()
  const take = useTakeText()
  const publish = usePublishPost()
  const [id] = useState(newRequestId)
  /** The draft was made, but the next step failed. */
  const [left, setLeft] = useState<{ post: PostOut; problem?: Problem }>()

  async function finish(post: PostOut) {
    if (order.isDraft) {
      void navigate(composePath(post.id))
      return
    }
    const when = order.plannedAt
    await publish
      .mutateAsync({ path: { post_id: post.id }, body: { version: post.version, planned_at: when?.toISOString() ?? null } })
      .then(
        ({ confirmed }) => {
          const done = when ? t('posts:actions.scheduled', { when: format.atMoment(when.toISOString()) }) : t('posts:actions.published')
          notifications.show({ message: confirmed ? done : t('posts:actions.later') })
          onClose()
        },
        (error: unknown) => setLeft({ post, problem: toProblem(error) }),
      )
  }

  async function takeText(writing: WritingOut) {
    const post = announce.data?.post
    if (!post || writing.state !== 'succeeded') {
      if (post) setLeft({ post })
      return
    }
    await take
      .mutateAsync({ path: { article_id: articleId, post_id: post.id }, body: { writing_id: writing.id } })
      .then(finish, (error: unknown) => setLeft({ post, problem: toProblem(error) }))
  }

  const writing = useWriting((result) => void takeText(result))

  const start = useOneAtATime(async () => {
    let result: AnnouncedOut
    try {
      result = await announce.mutateAsync({
        path: { article_id: articleId },
        body: {
          id,
          account_ids: [...order.accountIds],
          assistant_id: order.assistantId,
          by_template: order.byTemplate && order.assistantId !== null,
        },
      })
    } catch {
      // the form shows the problem
      return
    }
    if (result.writing) writing.follow(result.writing)
    else if (result.refusal) setLeft({ post: result.post, problem: { ...result.refusal, status: 422, detail: '' } as Problem })
    else await finish(result.post)
  })

  return {
    start,
    left,
    writing,
    problem: announce.error,
    busy: announce.isPending || take.isPending || publish.isPending || writing.atWork,
  }
}
