import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { postQuery } from '@/features/posts/api'
import { ApprovalInbox } from '@/features/posts/approval-inbox'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'
import { composePath, NEW_POST } from '@/lib/compose-path'
import { PostList } from '@/features/posts/post-list'
import { PostTabs } from '@/features/posts/post-tabs'
import { isMissing } from '@/lib/problems'

const Composer = lazy(async () => {
  const code = await withTexts(
    import('@/features/posts/composer'),
    'assistant-form',
    'cards',
    'composer',
    'errors',
    'media',
    'posts',
    'writing',
  )
  return { default: code.Composer }
})
const ComposerImages = lazy(async () => ({
  default: (await withTexts(import('./composer-images'), 'cards', 'composer', 'media', 'writing')).ComposerImages,
}))

export function PostsRoute() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const compose = search.get('compose')
  const approvals = search.get('tab') === 'approvals'
  if (compose) return <Compose postId={compose} at={momentOf(search.get('at'))} />
  return (
    <>
      <PageHeader
        title={t(approvals ? 'posts.approvals' : 'posts.title')}
        sub={t(approvals ? 'posts.inbox.lead' : 'posts.lead')}
        actions={
          !approvals && (
            <Button component={Link} to={composePath()} leftSection={<IconPlus size={16} aria-hidden />}>
              {t('posts.write')}
            </Button>
          )
        }
      >
        <PostTabs current={approvals ? 'approvals' : 'social'} />
      </PageHeader>
      {approvals ? <ApprovalInbox /> : <PostList />}
    </>
  )
}

/** A new post, or one that is edited; once it is saved its address is its own, and what is typed goes on. */
function Compose({ postId, at }: { postId: string; at: Date | undefined }) {
  const { t } = useTranslation()
  const [, setSearch] = useSearchParams()
  const isNew = postId === NEW_POST
  const post = useQuery({ ...postQuery(postId), enabled: !isNew })
  // what is being written stays, whatever becomes of the post
  if (isMissing(post.error) && !post.data) return <NotFound />
  if (!isNew && post.isError && !post.data)
    return <Failure title={t('posts.readFailed')} problem={post.error} onRetry={() => void post.refetch()} />
  if (!isNew && !post.data) return <RowSkeletons />
  return (
    <Suspense fallback={<RowSkeletons />}>
      <Composer
        post={post.data}
        gone={isMissing(post.error)}
        at={at}
        onCreated={(id) => setSearch({ compose: id }, { replace: true })}
        images={(props) => <ComposerImages {...props} />}
      />
    </Suspense>
  )
}

function momentOf(text: string | null): Date | undefined {
  const moment = text ? new Date(text) : undefined
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
}
