import type { DayOut, PostStatus } from '@/api/types.gen'
import type { Bar } from '@/components/bars'

/** From the bottom of a bar to its top: what went well carries the rest. */
const STACKED = ['published', 'complete', 'draft', 'unknown', 'failed'] as const satisfies readonly (PostStatus | 'unknown')[]

/** The statuses that at least one post of these days has, in the order of the stack. */
export const statusesIn = (days: readonly DayOut[]) =>
  STACKED.filter((status) => days.some(({ posts }) => posts[status] > 0))

export const postBars = (days: readonly DayOut[]): Bar[] => days.map(({ day, posts }) => ({ day, values: { ...posts } }))

export const tokenBars = (days: readonly DayOut[]): Bar[] =>
  days.map(({ day, input_tokens, output_tokens }) => ({ day, values: { input: input_tokens, output: output_tokens } }))

export const costBars = (days: readonly DayOut[]): Bar[] =>
  days.map(({ day, cost_micros }) => ({ day, values: { cost: cost_micros } }))
