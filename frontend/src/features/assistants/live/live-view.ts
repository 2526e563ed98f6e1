import type { AssistantLiveOut, DeliveryOut, RetryOut, RunDetail, StepKind, StepOut } from '@/api/types.gen'
import { waitsForSlot } from '@/components/delivery-status'
import type { StepState } from '@/components/thread'

/** What the head of the live page says the assistant is doing. */
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

/** The run that is being worked on, if there is one: the server also gives the newest of the past. */
export function openRun(live: AssistantLiveOut): RunDetail | null {
  const { run, assistant } = live
  if (!run || !UNDER_WAY.includes(run.state)) return null
  // before its first step nothing says yet what it makes
  return run.steps.length === 0 ? { ...run, is_article: assistant.website !== null } : run
}

/** A person is needed first, then what is happening, then what the assistant itself is. */
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
  // its row goes on already, its workflow has not said so yet
  if (phase === 'paused') return 'resuming'
  return phase === 'inactive' ? 'activating' : phase
}

/** The publishing steps start some seconds ahead and wait for the slot: until the first call nothing goes out. */
const isArmed = ({ state, deliveries }: RunDetail) =>
  state === 'publishing' && deliveries.length > 0 && deliveries.every(waitsForSlot)

/** Nothing is being sent just now, and all that is left waits for an account to be connected again. */
function isHeld({ deliveries }: RunDetail): boolean {
  const unsettled = deliveries.filter(({ state }) => state !== 'published' && state !== 'failed' && state !== 'cancelled')
  return unsettled.length > 0 && unsettled.every(({ state }) => state === 'held')
}

/** Nothing is being sent just now, and something waits for its next try. */
function isOnlyRetrying({ deliveries }: RunDetail): boolean {
  const unsettled = deliveries.filter(({ state }) => state !== 'published' && state !== 'failed' && state !== 'cancelled')
  return unsettled.length > 0 && unsettled.every(({ state }) => state === 'retrying')
}

/** The next try that comes first. */
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

/** Of an article the text alone, without the marks by which it is written, its headings and its images. */
export const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/^#{1,6} .*$/gm, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^> ?/gm, '')
    .replace(/(\*\*|__|[*_`])(?=\S)(.*?\S)\1/g, '$2')

/** A post as its first lines are shown: a blank one says nothing, and a cut behind it leaves a lone ellipsis. */
export const withoutBlankLines = (content: string): string => content.trim().replace(/\s*\n\s*/g, '\n')

/** The steps that prepare a run, in their order: those that came, and those that are still to come. */
export function runSteps(run: RunDetail, withImage: boolean): RunStep[] {
  const written: StepKind[] = run.is_article ? ['outline', 'text', 'summary', 'search'] : ['text']
  const kinds: StepKind[] = ['topic', ...written, ...(withImage || has(run, 'image') ? (['image'] as const) : []), 'check']
  return kinds.map((kind) => {
    const step = run.steps.find((found) => found.kind === kind)
    const retry = step?.state === 'done' ? undefined : run.retries.find((found) => found.step === kind && !found.delivery_id)
    return { kind, step, retry, state: stepState(run, step, retry) }
  })
}

/** Which section of how many is being written, where the step of an article's text says so. */
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

/** Whether the deliveries are worth a strand each: they are on their way, or one of them needs a look. */
export function showsStrands(run: RunDetail): boolean {
  if (run.deliveries.length === 0) return false
  return run.state !== 'missed' && run.deliveries.some((delivery) => delivery.state !== 'cancelled')
}
