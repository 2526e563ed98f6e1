import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { PageHeader } from '@/components/page'
import { PostList } from '@/features/posts/post-list'
import { PostTabs } from '@/features/posts/post-tabs'

export function PostsRoute() {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const approvals = search.get('tab') === 'approvals'
  return (
    <>
      <PageHeader title={t(approvals ? 'posts.approvals' : 'posts.title')} sub={approvals ? undefined : t('posts.lead')}>
        <PostTabs current={approvals ? 'approvals' : 'social'} />
      </PageHeader>
      {approvals ? <EmptyState title={t('coming.notice')} text={t('posts.approvalsComing')} /> : <PostList />}
    </>
  )
}
