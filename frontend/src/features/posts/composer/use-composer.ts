import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { hasOpenDeliveries } from '@/components/delivery-status'
import { useSelfSaving } from '@/components/use-self-saving'
import { useLanguage } from '@/i18n/locale'
import { useTimeZone } from '@/i18n/use-format'
import { NEW_POST } from '@/lib/compose-path'
import { addressOf } from '@/lib/post-link'
import { errorAt, fieldErrors } from '@/lib/problems'
import { postQuery, useCreatePost, useEditPost } from '@/features/posts/api'
import { bodyOf, empty, isBlank, valuesOf, withOwnTexts, type Values } from './composer-values'
import { mayEdit } from '@/features/posts/post-state'

interface Options {
  /** Absent for a new post. */
  post: PostOut | undefined
  /** The post is deleted on the server. */
  isDeleted: boolean
  /** The time at which a new post is to go out. */
  at: Date | undefined
  /** Called when the server has the new post. */
  onCreated: (postId: string) => void
}

/** Return the post that is edited. A draft is saved automatically, a scheduled post on request. */
export function useComposer({ post, isDeleted, at, onCreated }: Options) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const zone = useTimeZone()
  const language = useLanguage()
  const create = useCreatePost()
  const edit = useEditPost()
  const writing = useSelfSaving<PostOut, Values>({
    item: post,
    isDeleted,
    draftName: (id) => `post:${id ?? NEW_POST}`,
    valuesOf,
    empty: empty(zone, language, at),
    emptyLike: (values) => empty(values.zone, values.language),
    isBlank,
    savesItself: (post) => !post || (mayEdit(post) && !hasOpenDeliveries(post) && post.status !== 'failed'),
    create: async (id, values) => withOwnTexts(await create.mutateAsync({ body: { ...bodyOf(values), id } }), values),
    edit: async ({ id, values, saved: post, version, approved }) =>
      withOwnTexts((await edit.mutateAsync({ path: { post_id: id }, body: { ...bodyOf(values, post), version, approved } })).post, values),
    queryKey: (id) => postQuery(id).queryKey,
    onCreated,
    errorsOf: (problem) => {
      const errors = fieldErrors(t, problem)
      // the error of one file is shown at that file
      for (const field of ['account_ids', 'tags']) {
        const error = errorAt(errors, field)
        if (error) errors[field] = error
      }
      return errors
    },
    lacks: ({ link }): Record<string, string> => (link && !addressOf(link.url) ? { 'link.url': t('errors:link_not_usable') } : {}),
    fields: ['account_ids', 'content', 'link.url', 'link.title', 'link.description', 'files', 'planned_at', 'time_zone', 'tags'],
    draftNotice: t('posts:composer.kept'),
  })
  /** The newest version that is known, also while an older one is edited here. */
  const latest = writing.conflict?.theirs ?? writing.saved
  /** The post is out, at least in part, or may be: it can't be changed any more. */
  const isOver = latest !== undefined && !mayEdit(latest)
  const onItsWay = !isOver && latest !== undefined && hasOpenDeliveries(latest)
  return { ...writing, latest, isOver, onItsWay, waitsForApproval: onItsWay && latest?.approval?.state === 'waiting' }
}

/** A post in the composer: the form, what the server has, and whether it is saved. */
export type EditedPost = ReturnType<typeof useComposer>

export type ComposerForm = EditedPost['form']
