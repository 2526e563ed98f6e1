import { ActionIcon, Drawer } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RunEvidenceOut, RunState } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { TimeZoneContext } from '@/i18n/locale'
import { useFormatIn } from '@/i18n/use-format'
import { runQuery } from '@/features/assistants/api'
import { RunBadge } from '@/features/assistants/assistant-badge'
import { RunReplay } from './run-replay'
import { costOf, latenessText, NONE, tokensText } from './run-view'

interface RunDrawerProps {
  opened: boolean
  assistantId: string
  /** Empty if closed. */
  runId: string
  /** The filter of the list behind: neighbours are runs in this state, or all. */
  state: RunState | null
  onShow: (runId: string) => void
  onClose: () => void
}

/** A run step by step, with all its evidence. */
export function RunDrawer({ opened, assistantId, runId, state, onShow, onClose }: RunDrawerProps) {
  const { t } = useTranslation(['common', 'runs'])
  const run = useQuery({ ...runQuery(assistantId, runId, state), enabled: runId !== '' })
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      // the last shown run may differ from the opened one, so the list sets the focus
      returnFocus={false}
      position="right"
      size={640}
      title={run.data ? (run.data.topic_title ?? t('runs:noTopic')) : t('runs:run')}
      closeButtonProps={{ 'aria-label': t('close') }}
      className="run-drawer"
    >
      {run.isError ? (
        <Failure title={t('runs:readFailed')} problem={run.error} onRetry={() => void run.refetch()} />
      ) : run.data ? (
        <TimeZoneContext value={run.data.time_zone}>
          <div className="run-head">
            <RunHead run={run.data} />
            <Neighbour direction="later" id={run.data.later_id} onShow={onShow} />
            <Neighbour direction="earlier" id={run.data.earlier_id} onShow={onShow} />
          </div>
          {run.data.attempts !== null && <Figures run={run.data} />}
          <RunReplay key={run.data.id} run={run.data} />
        </TimeZoneContext>
      ) : (
        <RowSkeletons rows={5} />
      )}
    </Drawer>
  )
}

/** The run's slot, state and approval deadline; announced to screen readers when another run is shown. */
function RunHead({ run }: { run: RunEvidenceOut }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormatIn(run.time_zone)
  return (
    <div className="grow two-lines" aria-live="polite">
      <b className="num">{format.dayAndTime(run.slot)}</b> <span className="dim">{run.time_zone}</span>
      {run.moved && run.planned_at && <div className="num">{t('runs:live.movedTo', { when: format.dayAndTime(run.planned_at) })}</div>}
      <div>
        <RunBadge run={run} />
      </div>
      {run.state === 'waiting' && run.approval && (
        <div>
          <time className="num" dateTime={run.approval.deadline_at}>
            {t('runs:decideUntil', { when: format.dayAndTime(run.approval.deadline_at) })}
          </time>
        </div>
      )}
    </div>
  )
}

interface NeighbourProps {
  direction: 'later' | 'earlier'
  id: string | null
  onShow: (runId: string) => void
}

/** A link to the next or previous run. It stays focusable at the end, which keeps the focus. */
function Neighbour({ direction, id, onShow }: NeighbourProps) {
  const { t } = useTranslation(['common', 'runs'])
  const Icon = direction === 'later' ? IconChevronUp : IconChevronDown
  const label = t(direction === 'later' ? 'runs:later' : 'runs:earlier')
  return (
    <ActionIcon
      variant="default"
      size={34}
      aria-label={label}
      title={label}
      aria-disabled={id === null}
      data-disabled={id === null || undefined}
      onClick={() => id && onShow(id)}
    >
      <Icon size={17} aria-hidden />
    </ActionIcon>
  )
}

function Figures({ run }: { run: RunEvidenceOut }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormatIn(run.time_zone)
  return (
    <div className="run-figures">
      <Facts
        facts={[
          [t('runs:lateness'), latenessText(format, run.lateness_ms)],
          [t('runs:attempts'), run.attempts ?? NONE],
          [t('runs:tokens'), tokensText(format, run)],
          [t('runs:cost'), costOf(format, run)],
        ]}
      />
    </div>
  )
}
