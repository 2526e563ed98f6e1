import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { assistantQuery } from '@/features/assistants/api'
import { AssistantHeader } from '@/features/assistants/assistant-header'
import type { Tab } from '@/features/assistants/links'
import { LiveOverview } from '@/features/assistants/live/live-overview'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'

const TABS: readonly Tab[] = ['overview', 'posts', 'runs', 'configuration']

const AssistantPosts = lazyPart(
  async () => (await import('@/features/assistants/assistant-posts')).AssistantPosts,
  <RowSkeletons />,
)
const AssistantArticles = lazyPart(
  async () => (await import('@/features/articles/article-list')).ArticleList,
  <RowSkeletons />,
)
const RunList = lazyPart(
  async () => (await import('@/features/assistants/runs/run-list')).RunList,
  <RowSkeletons />,
)
const AssistantConfiguration = lazyPart(
  async () => (await import('./assistant-configuration')).AssistantConfiguration,
  <RowSkeletons rows={6} />,
)

export function AssistantRoute() {
  const { t } = useTranslation(['common', 'assistants', 'navigation'])
  const { assistantId = '' } = useParams()
  const [query] = useSearchParams()
  const { data: assistant, isError, error, refetch } = useQuery(assistantQuery(assistantId))
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'overview'
  if (!assistant) {
    if (isMissing(error)) return <NotFound />
    const crumbs = [{ label: t('navigation:assistants'), to: paths.assistants }]
    return (
      <>
        <PageHeader crumbs={crumbs} title={t('assistants:column')} />
        {isError ? (
          <Failure title={t('assistants:oneLoadFailed')} problem={error} onRetry={() => void refetch()} />
        ) : (
          <RowSkeletons rows={6} />
        )}
      </>
    )
  }
  return (
    // an open dialog pauses the assistant that it was opened for
    <Fragment key={assistantId}>
      <AssistantHeader assistant={assistant} tab={tab} />
      {tab === 'overview' && <LiveOverview assistantId={assistant.id} />}
      {tab === 'posts' && (assistant.website ? <AssistantArticles assistantId={assistant.id} /> : <AssistantPosts assistantId={assistant.id} />)}
      {tab === 'runs' && <RunList assistantId={assistant.id} />}
      {tab === 'configuration' && (
        <AssistantConfiguration assistant={assistant} startAt={query.get('field') ?? undefined} />
      )}
    </Fragment>
  )
}
