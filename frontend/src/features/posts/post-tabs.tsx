import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readWaitingOptions } from '@/api/@tanstack/react-query.gen'
import { LinkTabs } from '@/components/link-tabs'
import { approvalsPath, paths } from '@/lib/paths'

export type PostTab = 'social' | 'approvals' | 'articles' | 'websites'

export function PostTabs({ current }: { current: PostTab }) {
  const { t } = useTranslation(['common', 'navigation', 'posts'])
  const { data } = useQuery(readWaitingOptions())
  const waiting = (count = 0) => ({ count, label: t('navigation:waiting', { count }) })
  return (
    <LinkTabs
      label={t('posts:tabs')}
      current={current}
      tabs={[
        { name: 'social', label: t('posts:socialPosts'), to: paths.posts },
        { name: 'approvals', label: t('posts:approvals'), to: approvalsPath, waiting: waiting(data?.approvals) },
        { name: 'articles', label: t('posts:articles'), to: paths.articles },
        { name: 'websites', label: t('posts:websites'), to: paths.websites, waiting: waiting(data?.websites) },
      ]}
    />
  )
}
