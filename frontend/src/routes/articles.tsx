import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '@/components/page'
import { websitesQuery } from '@/features/articles/api'
import { ArticleList } from '@/features/articles/article-list'
import { NewArticleButton } from '@/features/articles/new-article-button'
import { PostTabs } from '@/features/posts/post-tabs'

export function ArticlesRoute() {
  const { t } = useTranslation(['common', 'articles'])
  const websites = useQuery(websitesQuery)
  return (
    <>
      <PageHeader title={t('articles:title')} sub={t('articles:lead')} actions={<NewArticleButton websites={websites.data} />}>
        <PostTabs current="articles" />
      </PageHeader>
      <ArticleList />
    </>
  )
}
