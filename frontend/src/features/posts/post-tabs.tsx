import { useTranslation } from 'react-i18next'
import { LinkTabs } from '@/components/link-tabs'
import { paths } from '@/lib/paths'

export type PostTab = 'social' | 'approvals'

export function PostTabs({ current }: { current: PostTab }) {
  const { t } = useTranslation()
  return (
    <LinkTabs
      label={t('posts.tabs')}
      current={current}
      tabs={[
        { name: 'social', label: t('posts.socialPosts'), to: paths.posts },
        { name: 'approvals', label: t('posts.approvals'), to: `${paths.posts}?tab=approvals` },
        { name: 'articles', label: t('posts.articles'), to: paths.articles },
        { name: 'websites', label: t('posts.websites'), to: paths.websites },
      ]}
    />
  )
}
