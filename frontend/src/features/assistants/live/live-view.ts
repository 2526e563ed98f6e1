import type { AssistantLiveOut, DeliveryOut, RetryOut, RunDetail, StepKind, StepOut } from '@/api/types.gen'
import { waitsForSlot } from '@/components/delivery-status'
import type { StepState } from '@/components/thread'

/** The state of the assistant in the head of the live page. */
export type Mood =
  | 'inactive'
  | 'activating'
  | 'asleep'
  | 'paused'
  | 'resuming'
  | 'planning_failed'
  | 'finished'
  | 'preparing'
  | 'retrying'
  | 'held'
  | 'waiting'
  | 'ready'
  | 'publishing'
  | 'unknown'

const UNDER_WAY: readonly string[] = ['preparing', 'waiting', 'ready', 'publishing']

/** Return the run in progress, if any: the server also returns the latest past run. */
export function openRun(live: AssistantLiveOut): RunDetail | null {
  const { run, assistant } = live
  if (!run || !UNDER_WAY.includes(run.state)) return null
  // before its first step the kind of content is unknown
  return run.steps.length === 0 ? { ...run, is_article: assistant.website !== null } : run
}

/** Return the state to show: first what needs the user, then the run, then the assistant. */
export function moodOf(live: AssistantLiveOut): Mood {
  const { assistant, run } = live
  if (run?.deliveries.some((delivery) => delivery.state === 'unknown')) return 'unknown'
  const open = openRun(live)
  if (open?.state === 'waiting') return 'waiting'
  if (open?.state === 'ready' || (open && isArmed(open))) return 'ready'
  if (open?.state === 'publishing' && isHeld(open)) return 'held'
  if (open?.state === 'publishing') return isOnlyRetrying(open) ? 'retrying' : 'publishing'
  if (open) return open.retries.length > 0 ? 'retrying' : 'preparing'
  if (!assistant.active) return 'inactive'
  if (assistant.pause) return 'paused'
  const { phase } = assistant.status
  // the row says that it resumes, but the workflow has not confirmed it
  if (phase === 'paused') return 'resuming'
  return phase === 'inactive' ? 'activating' : phase
}

/** Return whether the publishing steps wait for the slot: they start some seconds early and call nothing before it. */
const isArmed = ({ state, deliveries }: RunDetail) =>
  state === 'publishing' && deliveries.length > 0 && deliveries.every(waitsForSlot)

/** Return whether nothing is being sent and all remaining deliveries wait for a reconnected account. */
function isHeld({ deliveries }: RunDetail): boolean {
  const unsettled = deliveries.filter(({ state }) => state !== 'published' && state !== 'failed' && state !== 'cancelled')
  return unsettled.length > 0 && unsettled.every(({ state }) => state === 'held')
}

/** Return whether nothing is being sent and a delivery waits for its retry. */
function isOnlyRetrying({ deliveries }: RunDetail): boolean {
  const unsettled = deliveries.filter(({ state }) => state !== 'published' && state !== 'failed' && state !== 'cancelled')
  return unsettled.length > 0 && unsettled.every(({ state }) => state === 'retrying')
}

/** Return the earliest retry. */
export function nextRetry(run: RunDetail): RetryOut | undefined {
  const when = (retry: RetryOut) => (retry.next_try_at ? Date.parse(retry.next_try_at) : Infinity)
  return [...run.retries].sort((first, second) => when(first) - when(second))[0]
}

export interface RunStep {
  kind: StepKind
  state: StepState
  step?: StepOut
  retry?: RetryOut
}

/** Return an article's text without Markdown marks, headings and images. */
export const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/^#{1,6} .*$/gm, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^> ?/gm, '')
    .replace(/(\*\*|__|[*_`])(?=\S)(.*?\S)\1/g, '$2')

/** Return the content without blank lines, since a cut after one would leave a lone ellipsis. */
export const withoutBlankLines = (content: string): string => content.trim().replace(/\s*\n\s*/g, '\n')

/** Return the steps that prepare a run, in order, also those still to come. */
export function runSteps(run: RunDetail, withImage: boolean): RunStep[] {
  const written: StepKind[] = run.is_article ? ['outline', 'text', 'summary', 'search'] : ['text']
  const kinds: StepKind[] = ['topic', ...written, ...(withImage || has(run, 'image') ? (['image'] as const) : []), 'check']
  return kinds.map((kind) => {
    const step = run.steps.find((candidate) => candidate.kind === kind)
    const retry = step?.state === 'done' ? undefined : run.retries.find((candidate) => candidate.step === kind && !candidate.delivery_id)
    return { kind, step, retry, state: stepState(run, step, retry) }
  })
}

/** Return the section in progress and the number of sections; null if the step has none. */
export function sectionOf({ section, sections }: StepOut['facts']): { number: number; count: number } | null {
  return typeof section === 'number' && typeof sections === 'number' ? { number: section, count: sections } : null
}

const has = (run: RunDetail, kind: StepKind) => run.steps.some((step) => step.kind === kind)

function stepState(run: RunDetail, step?: StepOut, retry?: RetryOut): StepState {
  if (retry) return 'retrying'
  if (step?.state === 'active') return UNDER_WAY.includes(run.state) ? 'active' : 'failed'
  return step?.state ?? 'todo'
}

export const retryOf = (run: RunDetail, delivery: DeliveryOut) =>
  run.retries.find((retry) => retry.delivery_id === delivery.id)

export const published = (deliveries: readonly DeliveryOut[]) =>
  deliveries.filter((delivery) => delivery.state === 'published').length

/** Return whether to show a strand per delivery: they have started, or one needs attention. */
export function showsStrands(run: RunDetail): boolean {
  if (run.deliveries.length === 0) return false
  return run.state !== 'missed' && run.deliveries.some((delivery) => delivery.state !== 'cancelled')
}
