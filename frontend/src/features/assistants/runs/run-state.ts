import type { RunOut, RunState } from '@/api/types.gen'
import type { Status } from '@/components/status'
import { millisecondsUntil } from '@/lib/clock'

const statuses = {
  preparing: 'publishing',
  waiting: 'waiting',
  ready: 'complete',
  publishing: 'publishing',
  published: 'published',
  drafted: 'draft',
  unknown: 'unknown',
  held: 'waiting',
  failed: 'failed',
  missed: 'missed',
  skipped: 'skipped',
} satisfies Record<RunState, Status>

/** Return the status that gives a run's state its colour and icon. */
export const runStatus = (state: RunState): Status => statuses[state]

/** Return the time of a run's post: its slot, unless the post was moved. */
export const publishTimeOf = ({ slot, planned_at }: Pick<RunOut, 'slot' | 'planned_at'>): string => planned_at ?? slot

/** Return whether a run publishes at its slot: no person has started the run or set another time. */
export const keepsSlot = ({ by_hand, moved }: Pick<RunOut, 'by_hand' | 'moved'>): boolean => !by_hand && !moved

/** Return the state of a run. The publishing step starts some seconds before the slot; until then the run is ready. */
export const stateNow = (run: Pick<RunOut, 'state' | 'slot' | 'planned_at'>, now: Date): RunState =>
  run.state === 'publishing' && millisecondsUntil(publishTimeOf(run), now) > 0 ? 'ready' : run.state
