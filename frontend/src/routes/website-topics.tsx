import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { generatePath, Link, useNavigate, useParams } from 'react-router'
import type { WebsiteOut } from '@/api/types.gen'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader, type Crumb } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { newWriterPath } from '@/features/assistants/links'
import { newTopicTreePath } from '@/features/topics/links'
import { websiteQuery } from '@/features/websites/api'
import { websitePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'

const TopicTreePage = lazyPart(async () => (await import('@/features/topics/tree/tree-page')).TopicTreePage, <RowSkeletons rows={8} />)

/** What is written about for a website: the topics of its assistant. */
export function WebsiteTopicsRoute() {
  const { t } = useTranslation(['common', 'navigation', 'websites'])
  const { websiteId = '' } = useParams()
  const navigate = useNavigate()
  const website = useQuery(websiteQuery(websiteId))
  const above: Crumb[] = [{ label: t('navigation:websites'), to: paths.websites }]
  if (isMissing(website.error)) return <NotFound />
  if (!website.data)
    return (
      <>
        <PageHeader crumbs={above} title={t('websites:writingPlan.crumb')} />
        {website.isError ? (
          <Failure title={t('websites:writingPlan.loadFailed')} problem={website.error} onRetry={() => void website.refetch()} />
        ) : (
          <RowSkeletons rows={8} />
        )}
      </>
    )
  const crumbs = [...above, { label: website.data.name, to: websitePath(websiteId) }]
  const treeId = website.data.assistant?.topic_tree_id
  if (treeId) return <TopicTreePage key={treeId} treeId={treeId} crumbs={crumbs} onDeleted={() => void navigate(websitePath(websiteId))} />
  return (
    <>
      <PageHeader crumbs={crumbs} title={t('websites:writingPlan.crumb')} />
      <NoTopics website={website.data} />
    </>
  )
}

/** Somebody who writes for it comes first, then what they write about. */
function NoTopics({ website: { id, name, assistant } }: { website: WebsiteOut }) {
  const { t } = useTranslation(['common', 'assistants', 'websites'])
  if (!assistant)
    return (
      <EmptyState
        title={t('websites:writingPlan.nobody')}
        text={t('websites:writingPlan.nobodyText', { name })}
        actions={
          <>
            <Button component={Link} to={newWriterPath(id)}>
              {t('websites:writingPlan.create')}
            </Button>
            <Button component={Link} to={websitePath(id)} variant="default">
              {t('websites:writingPlan.toWebsite')}
            </Button>
          </>
        }
      />
    )
  return (
    <EmptyState
      title={t('websites:writingPlan.noTree', { name: assistant.name || t('assistants:unnamed') })}
      text={t('websites:writingPlan.noTreeText')}
      actions={
        <>
          <Button component={Link} to={`${generatePath(paths.assistant, { assistantId: assistant.id })}?tab=configuration&field=topic_tree_id`}>
            {t('websites:writingPlan.chooseTree')}
          </Button>
          <Button component={Link} to={newTopicTreePath} variant="default">
            {t('websites:writingPlan.makeTree')}
          </Button>
        </>
      }
    />
  )
}
