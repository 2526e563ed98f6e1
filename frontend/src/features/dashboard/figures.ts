import type { DayOut, PostStatus } from '@/api/types.gen'
import type { Bar } from '@/components/bars'

/** The statuses of a bar from bottom to top: successful ones at the bottom. */
const STACKED = ['published', 'complete', 'draft', 'unknown', 'failed'] as const satisfies readonly (PostStatus | 'unknown')[]

/** Return the statuses that occur in these days, in the order of the bar. */
export const statusesIn = (days: readonly DayOut[]) =>
  STACKED.filter((status) => days.some(({ posts }) => posts[status] > 0))

export const postBars = (days: readonly DayOut[]): Bar[] => days.map(({ day, posts }) => ({ day, values: { ...posts } }))

export const tokenBars = (days: readonly DayOut[]): Bar[] =>
  days.map(({ day, input_tokens, output_tokens }) => ({ day, values: { input: input_tokens, output: output_tokens } }))

export const costBars = (days: readonly DayOut[]): Bar[] =>
  days.map(({ day, cost_micros }) => ({ day, values: { cost: cost_micros } }))
