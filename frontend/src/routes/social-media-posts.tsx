import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page'
import { ApprovalInbox } from '@/features/posts/approval-inbox'
import { useTranslation } from '@/i18n/translation'
import { composePath } from '@/lib/compose-path'
import { PostList } from '@/features/posts/post-list'
import { PostTabs } from '@/features/posts/post-tabs'

export function PostsRoute() {
  const { t } = useTranslation()
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
