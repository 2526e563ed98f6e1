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

/** The status whose colour and icon stand for the state of a run. */
export const runStatus = (state: RunState): Status => statuses[state]

/** When its post goes out: the slot, unless somebody has moved it. */
export const goesOutAt = ({ slot, planned_at }: Pick<RunOut, 'slot' | 'planned_at'>): string => planned_at ?? slot

/** Its publishing step starts some seconds ahead of the slot: before that it is ready, and nothing goes out. */
export const stateNow = (run: Pick<RunOut, 'state' | 'slot' | 'planned_at'>, now: Date): RunState =>
  run.state === 'publishing' && millisecondsUntil(goesOutAt(run), now) > 0 ? 'ready' : run.state
