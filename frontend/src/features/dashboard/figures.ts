import type { DayOut, PostStatus, SetupStep, SetupStepOut } from '@/api/types.gen'
import type { Bar } from '@/components/bars'
import { paths } from '@/lib/paths'

/** Where each step of the setup is taken. */
export const stepPaths = {
  verify_email: paths.emailVerification,
  connect_account: paths.account,
  create_template: `${paths.marketplace}?type=text`,
  create_topic_tree: `${paths.topics}?import`,
  create_assistant: `${paths.assistants}?new`,
  activate_assistant: paths.assistants,
  start_trial: paths.subscription,
} satisfies Record<SetupStep, string>

/** The step to take now, and all that come after it. */
export function openSteps(steps: readonly SetupStepOut[]): { next?: SetupStepOut; then: SetupStepOut[] } {
  const [next, ...then] = steps.filter(({ done }) => !done)
  return { next, then }
}

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
