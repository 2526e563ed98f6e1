import type { SetupStep, SetupStepOut } from '@/api/types.gen'
import { paths } from '@/lib/paths'

/** The page of each step of the setup. */
export const stepPaths = {
  verify_email: paths.emailVerification,
  connect_account: paths.account,
  create_template: `${paths.marketplace}?type=text`,
  create_topic_tree: `${paths.topics}?import`,
  create_assistant: `${paths.assistants}?new`,
  activate_assistant: paths.assistants,
  start_trial: paths.subscription,
} satisfies Record<SetupStep, string>

/** Return the next step, and those after it. */
export function openSteps(steps: readonly SetupStepOut[]): { next?: SetupStepOut; then: SetupStepOut[] } {
  const [next, ...later] = steps.filter(({ done }) => !done)
  return { next, then: later }
}
