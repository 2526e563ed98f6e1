import type { RunOut, RunState } from '@/api/types.gen'
import type { Status } from '@/components/status'
import { until } from '@/lib/clock'

const statuses = {
  preparing: 'publishing',
  ready: 'complete',
  publishing: 'publishing',
  published: 'published',
  drafted: 'draft',
  unknown: 'unknown',
  failed: 'failed',
  missed: 'missed',
  skipped: 'skipped',
} satisfies Record<RunState, Status>

/** The status whose colour and icon stand for the state of a run. */
export const runStatus = (state: RunState): Status => statuses[state]

/** Its publishing step starts some seconds ahead of the slot: before that it is ready, and nothing goes out. */
export const stateNow = ({ state, slot }: Pick<RunOut, 'state' | 'slot'>, now: Date): RunState =>
  state === 'publishing' && until(slot, now) > 0 ? 'ready' : state
