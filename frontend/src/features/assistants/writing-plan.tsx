import { Button } from '@mantine/core'
import { IconArrowRight, IconBinaryTree, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AssistantLiveOut, WebsiteOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { useLanguage } from '@/i18n/locale'
import { useFormat } from '@/i18n/use-format'
import { websiteTopicsPath } from '@/lib/article-paths'
import { serverClockOffset, useNow } from '@/lib/clock'
import { liveQuery } from './api'
import { AssistantBadge } from './assistant-badge'
import { assistantPath, nameText, newWriterPath } from './links'
import { sentence } from '@/features/assistants/live/live-head'
import { moodOf } from '@/features/assistants/live/live-view'
import { scheduleText } from './schedule-text'
import { PauseMenu } from '@/features/assistants/live/assistant-controls'
import { useActivation } from './use-activation'
import { useAssistantControls } from '@/features/assistants/live/use-assistant-controls'

/** The assistant of a website and its next run, or a link to create one. */
export function WritingPlan({ website }: { website: Pick<WebsiteOut, 'id' | 'assistant'> }) {
  const { t } = useTranslation(['common', 'websites'])
  return (
    <Panel title={t('websites:writingPlan.title')} className="writing-plan">
      {website.assistant ? (
        <Plan assistantId={website.assistant.id} websiteId={website.id} />
      ) : (
        <>
          <p className="prose">{t('websites:writingPlan.none')}</p>
          <Button component={Link} to={newWriterPath(website.id)} variant="default" rightSection={<IconArrowRight size={15} aria-hidden />}>
            {t('websites:writingPlan.create')}
          </Button>
        </>
      )}
    </Panel>
  )
}

interface PlanProps {
  assistantId: string
  websiteId: string
}

function Plan({ assistantId, websiteId }: PlanProps) {
  const { t } = useTranslation(['common', 'websites'])
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery(liveQuery(assistantId))
  if (data) return <Writer live={data} receivedAt={dataUpdatedAt} websiteId={websiteId} />
  if (isError) return <Failure title={t('websites:writingPlan.loadFailed')} problem={error} onRetry={() => void refetch()} />
  return <RowSkeletons rows={1} />
}

interface WriterProps {
  live: AssistantLiveOut
  receivedAt: number
  websiteId: string
}

function Writer({ live, receivedAt, websiteId }: WriterProps) {
  const { t } = useTranslation(['common', 'assistants', 'errors', 'posts', 'runs', 'websites'])
  const format = useFormat()
  const language = useLanguage()
  const now = useNow(serverClockOffset(live.now, receivedAt))
  const activation = useActivation()
  const { busy, pause, resume } = useAssistantControls(live)
  const { assistant } = live
  const name = nameText(t, assistant)
  return (
    <div className="plan-row">
      <div className="grow two-lines">
        <span className="plan-name">
          <Link className="link" to={assistantPath(assistant.id)}>
            {name}
          </Link>
          <AssistantBadge assistant={assistant} />
        </span>
        <span aria-live="polite">{sentence(t, format, live, moodOf(live), now)}</span>
        <small>
          {scheduleText(t, assistant.schedule, language) ?? t('assistants:noSchedule')} <span className="dim">{assistant.schedule.time_zone}</span>
        </small>
      </div>
      <div className="buttons">
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={websiteTopicsPath(websiteId)}
          leftSection={<IconBinaryTree size={15} aria-hidden />}
        >
          {assistant.topic_tree_name ? t('websites:writingPlan.topics', { name: assistant.topic_tree_name }) : t('websites:writingPlan.noTopics')}
        </Button>
        {!assistant.active ? (
          <Button
            size="xs"
            variant="default"
            loading={activation.busy !== null}
            leftSection={<IconPlayerPlay size={15} aria-hidden />}
            onClick={() => void activation.set(assistant, true)}
          >
            {t('assistants:activate')}
          </Button>
        ) : assistant.pause ? (
          <Button
            size="xs"
            variant="default"
            loading={busy === 'resume'}
            leftSection={<IconPlayerPlay size={15} aria-hidden />}
            onClick={() => void resume()}
          >
            {t('runs:live.steering.resume')}
          </Button>
        ) : (
          <PauseMenu assistant={assistant} now={now} busy={busy === 'pause'} onPause={(until) => void pause(until)} />
        )}
        <Button size="xs" variant="default" component={Link} to={assistantPath(assistant.id)} aria-label={t('websites:writingPlan.openOf', { name })}>
          {t('websites:writingPlan.open')}
        </Button>
      </div>
      {activation.dialog}
    </div>
  )
}
