import type { RunState } from '@/api/types.gen'
import type { Status } from '@/components/status'

const statuses = {
  preparing: 'publishing',
  ready: 'complete',
  publishing: 'publishing',
  published: 'published',
  drafted: 'draft',
  unknown: 'unknown',
  failed: 'failed',
  missed: 'missed',
} satisfies Record<RunState, Status>

/** The status whose colour and icon stand for the state of a run. */
export const runStatus = (state: RunState): Status => statuses[state]
