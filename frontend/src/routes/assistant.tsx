import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { bringAhead, pagePart } from '@/components/page-part'
import { RowSkeletons } from '@/components/skeletons'
import { assistantQuery } from '@/features/assistants/api'
import { AssistantHeader } from '@/features/assistants/assistant-header'
import type { Tab } from '@/features/assistants/links'
import { LiveOverview } from '@/features/assistants/live-overview'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'

const TABS: readonly Tab[] = ['overview', 'posts', 'runs', 'configuration']

const AssistantPosts = pagePart(
  async () => (await withTexts(import('@/features/assistants/assistant-posts'), 'assistant-words', 'live-run', 'post-words')).AssistantPosts,
  <RowSkeletons />,
)
const AssistantArticles = pagePart(
  async () => (await withTexts(import('@/features/articles/article-list'), 'articles')).ArticleList,
  <RowSkeletons />,
)
const RunList = pagePart(
  async () => (await withTexts(import('@/features/assistants/run-list'), 'assistant-words', 'assistants', 'card-words', 'deliveries', 'errors', 'live-run', 'runs', 'text-facts')).RunList,
  <RowSkeletons />,
)
const AssistantConfiguration = pagePart(
  async () => {
    const { AssistantConfiguration, bringSections } = await withTexts(import('./assistant-configuration'), 'assistant-form', 'assistant-words', 'errors', 'field-errors', 'occurrences', 'own-images', 'pictures', 'post-preview', 'text-facts', 'validation')
    await bringSections()
    return AssistantConfiguration
  },
  <RowSkeletons rows={6} />,
)
const ahead = bringAhead(AssistantPosts, RunList, AssistantConfiguration)

export function AssistantRoute() {
  const { t } = useTranslation()
  useEffect(ahead, [])
  const { assistantId = '' } = useParams()
  const [query] = useSearchParams()
  const { data: assistant, isError, error, refetch } = useQuery(assistantQuery(assistantId))
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'overview'
  if (!assistant) {
    if (isMissing(error)) return <NotFound />
    const crumbs = [{ label: t('navigation.assistants'), to: paths.assistants }]
    return (
      <>
        <PageHeader crumbs={crumbs} title={t('assistants.column')} />
        {isError ? (
          <Failure title={t('assistants.oneLoadFailed')} problem={error} onRetry={() => void refetch()} />
        ) : (
          <RowSkeletons rows={6} />
        )}
      </>
    )
  }
  return (
    <>
      <AssistantHeader assistant={assistant} tab={tab} />
      {tab === 'overview' && <LiveOverview assistantId={assistant.id} />}
      {tab === 'posts' && (assistant.website ? <AssistantArticles assistantId={assistant.id} /> : <AssistantPosts assistantId={assistant.id} />)}
      {tab === 'runs' && <RunList assistantId={assistant.id} />}
      {tab === 'configuration' && (
        <AssistantConfiguration key={assistant.id} assistant={assistant} startAt={query.get('field') ?? undefined} />
      )}
    </>
  )
}
