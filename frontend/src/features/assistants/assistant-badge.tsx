import { useTranslation } from 'react-i18next'
import type { AssistantOut, RunOut } from '@/api/types.gen'
import { StatusBadge } from '@/components/status'
import { useNow } from '@/lib/clock'
import { runStatus, stateNow } from '@/features/assistants/runs/run-state'

/** The badge of an assistant: active, paused or inactive, or being activated while its workflow starts. */
export function AssistantBadge({ assistant }: { assistant: Pick<AssistantOut, 'active' | 'status' | 'pause'> }) {
  const { t } = useTranslation(['common', 'assistants', 'runs'])
  if (!assistant.active) return <StatusBadge status="draft" label={t('assistants:inactive')} />
  const { pause } = assistant
  if (pause?.reason && pause.reason !== 'subscription_ended') return <StatusBadge status="failed" label={t('assistants:pausedItself')} />
  if (pause) return <StatusBadge status="complete" label={t('assistants:paused')} />
  const starting = assistant.status.phase === 'inactive' || assistant.status.phase === 'activating'
  if (starting) return <StatusBadge status="publishing" label={t('assistants:activating')} />
  if (assistant.status.phase === 'planning_failed') {
    return <StatusBadge status="failed" label={t('runs:live.mood.planning_failed')} />
  }
  return <StatusBadge status="published" label={t('assistants:active')} />
}

export function RunBadge({ run }: { run: Pick<RunOut, 'state' | 'slot' | 'planned_at'> }) {
  const { t } = useTranslation(['common', 'runs'])
  const state = stateNow(run, useNow())
  return <StatusBadge status={runStatus(state)} label={t(`runs:live.runState.${state}`)} />
}
