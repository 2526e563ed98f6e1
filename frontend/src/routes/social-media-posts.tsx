import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page'
import { bringAhead, pagePart } from '@/components/page-part'
import { RowSkeletons } from '@/components/skeletons'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'
import { composePath } from '@/lib/compose-path'
import { PostList } from '@/features/posts/post-list'
import { PostTabs } from '@/features/posts/post-tabs'

const ApprovalInbox = pagePart(
  async () => (await withTexts(import('@/features/posts/approval-inbox'), 'deliveries', 'errors', 'post-list', 'post-page', 'post-preview', 'post-words', 'posts')).ApprovalInbox,
  <RowSkeletons />,
)
const ahead = bringAhead(ApprovalInbox)

export function PostsRoute() {
  const { t } = useTranslation()
  useEffect(ahead, [])
  const [search] = useSearchParams()
  const approvals = search.get('tab') === 'approvals'
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
