import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { assistantQuery } from '@/features/assistants/api'
import { AssistantForm } from '@/features/assistants/assistant-form'
import { AssistantHeader } from '@/features/assistants/assistant-header'
import { AssistantPosts } from '@/features/assistants/assistant-posts'
import type { Tab } from '@/features/assistants/links'
import { LiveOverview } from '@/features/assistants/live-overview'
import { RunList } from '@/features/assistants/run-list'
import { OwnImagesField } from '@/features/media/own-images-field'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'

const TABS: readonly Tab[] = ['overview', 'posts', 'runs', 'configuration']

export function AssistantRoute() {
  const { t } = useTranslation()
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
      {tab === 'posts' && <AssistantPosts assistantId={assistant.id} />}
      {tab === 'runs' && <RunList assistantId={assistant.id} />}
      {tab === 'configuration' && (
        <AssistantForm
          key={assistant.id}
          assistant={assistant}
          imagesField={OwnImagesField}
          startAt={query.get('field') ?? undefined}
          onSaved={() => notifications.show({ message: t('assistantForm.saved') })}
        />
      )}
    </>
  )
}
