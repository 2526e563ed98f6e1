import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { ArticleList } from '@/features/articles/article-list'
import { NewArticleButton } from '@/features/articles/new-article-button'
import { PostTabs } from '@/features/posts/post-tabs'
import { websiteQuery } from '@/features/websites/api'
import { FeedAddresses } from '@/features/websites/feed-addresses'
import { WebsiteHead } from '@/features/websites/website-head'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'
import { checkWebsite } from './website-check'

const AnnouncingSetting = lazyPart(async () => (await import('@/features/websites/announcing-setting')).AnnouncingSetting)

const WritingPlan = lazyPart(
  async () => (await import('@/features/assistants/writing-plan')).WritingPlan,
  <RowSkeletons rows={1} />,
)

/** A website, who writes for it, and its articles. */
export function WebsiteRoute() {
  const { t } = useTranslation(['common', 'websites'])
  const { websiteId = '' } = useParams()
  const navigate = useNavigate()
  const website = useQuery(websiteQuery(websiteId))
  if (isMissing(website.error)) return <NotFound />
  if (!website.data)
    return (
      <>
        <PageHeader crumbs={[{ label: t('websites:title'), to: paths.websites }]} title={t('websites:website')} />
        {website.isError ? (
          <Failure title={t('websites:readFailed')} problem={website.error} onRetry={() => void website.refetch()} />
        ) : (
          <RowSkeletons />
        )}
      </>
    )
  return (
    // an open dialog changes the website that it was opened for
    <Fragment key={websiteId}>
      <WebsiteHead
        website={website.data}
        check={checkWebsite}
        action={<NewArticleButton websites={[website.data]} />}
        onRemoved={() => void navigate(paths.websites)}
      >
        <PostTabs current="websites" />
      </WebsiteHead>
      {website.data.feed && (
        <FeedAddresses page={website.data.url} feed={website.data.feed} />
      )}
      <WritingPlan website={website.data} />
      <div className="stack">
        <AnnouncingSetting website={website.data} />
        <ArticleList websiteId={websiteId} />
      </div>
    </Fragment>
  )
}
