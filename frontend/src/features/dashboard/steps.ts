import type { SetupStep, SetupStepOut } from '@/api/types.gen'
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
  const [next, ...later] = steps.filter(({ done }) => !done)
  return { next, then: later }
}
