import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { composePath } from '@/lib/compose-path'
import { PostList } from '@/features/posts/list/post-list'
import { PostTabs } from '@/features/posts/post-tabs'

const ApprovalInbox = lazyPart(
  async () => (await import('@/features/posts/approvals/approval-inbox')).ApprovalInbox,
  <RowSkeletons />,
)

export function PostsRoute() {
  const { t } = useTranslation(['common', 'posts'])
  const [search] = useSearchParams()
  const approvals = search.get('tab') === 'approvals'
  return (
    <>
      <PageHeader
        title={t(approvals ? 'posts:approvals' : 'posts:title')}
        sub={t(approvals ? 'posts:inbox.lead' : 'posts:lead')}
        actions={
          !approvals && (
            <Button component={Link} to={composePath()} leftSection={<IconPlus size={16} aria-hidden />}>
              {t('posts:write')}
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
