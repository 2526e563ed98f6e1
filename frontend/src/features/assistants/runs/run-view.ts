import type { DeliveryOut, RunDetail, RunEvidenceOut, StepKind } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import { runCost, type Spent } from '@/components/run-cost'
import { runSteps } from '@/features/assistants/live/live-view'

const SECOND = 1_000 // ms
/** The dash of a table cell without a number. */
export const NONE = '—'

/** Return a time in ms as text with a sensible precision: `0.3 s`, `−0.3 s`, `12 s`, `2 min 5 sec`. */
export function shortTime(format: Format, milliseconds: number): string {
  const size = Math.abs(milliseconds)
  const digits = size < 10 * SECOND ? 10 : 1
  const seconds = Math.round((size / SECOND) * digits) / digits
  // 59.6 s is one minute
  const text = seconds < 60 ? `${format.number(seconds)}\u00a0s` : format.duration(Math.max(size, 60 * SECOND))
  return milliseconds < 0 && seconds > 0 ? `−${text}` : text
}

export const latenessText = (format: Format, milliseconds: number | null) =>
  milliseconds === null ? NONE : shortTime(format, milliseconds)

/** Return input and output tokens: `1,088 / 214`. */
export function tokensText(format: Format, run: Pick<RunDetail, 'input_tokens' | 'output_tokens'>): string {
  if (!run.input_tokens && !run.output_tokens) return NONE
  return [run.input_tokens, run.output_tokens].map((count) => (count === null ? '?' : format.number(count))).join(' / ')
}

/** Return the cost of a run: a dash without a model, a question mark if a price is unknown. */
export const costOf = (format: Format, run: Spent): string => runCost(format, run, NONE, '?')

/** Return when a delivery was published: the time of its call, since the confirmation may come much later. */
export const wentOutAt = ({ state, called_at, settled_at }: DeliveryOut) =>
  state === 'published' ? (called_at ?? settled_at) : null

/**
 * Return the step at which a run failed without a record: the first that is not done. Null if the run reached its
 * deliveries, which have their own errors.
 */
export function failedAt(run: RunEvidenceOut): StepKind | null {
  if (run.state !== 'failed' || run.deliveries.some(({ attempts }) => attempts > 0)) return null
  return runSteps(asDetail(run), run.wants_image).find(({ state }) => state !== 'done')?.kind ?? null
}

/** Return the run for the timeline, without retries. */
export const asDetail = (run: RunEvidenceOut): RunDetail => ({
  ...run,
  retries: [],
  content_hash: null,
})

const time = (moment: string) => Date.parse(moment)

/** Return when the last step was done; -Infinity if none is. */
const preparedAt = ({ steps }: RunEvidenceOut) => Math.max(...steps.map(({ finished_at }) => (finished_at ? time(finished_at) : -Infinity)))

/** Return when the post was approved or declined, by a person or by the deadline; null if it was not. */
export const answeredAt = ({ approval }: RunEvidenceOut) =>
  approval && (approval.state === 'approved' || approval.state === 'declined') ? approval.decided_at : null

/** Return how long (ms) the prepared post waited for its answer; null if it had none. */
export function waitedForAnswer(run: RunEvidenceOut): number | null {
  const answered = answeredAt(run)
  const waited = answered ? time(answered) - preparedAt(run) : 0
  return Number.isFinite(waited) && waited > 0 ? waited : null
}

/** Return how long (ms) the run was ready, and approved if it had to be, before its first publishing call; null if it
 * made none. */
export function waitedFor(run: RunEvidenceOut): number | null {
  const answered = answeredAt(run)
  const readyAt = Math.max(preparedAt(run), answered ? time(answered) : -Infinity)
  const firstCallAt = Math.min(...run.deliveries.map(({ called_at }) => (called_at ? time(called_at) : Infinity)))
  return Number.isFinite(readyAt) && Number.isFinite(firstCallAt) && firstCallAt > readyAt ? firstCallAt - readyAt : null
}

/** Return the times of all events, in order, for the replay. */
export function momentsOf(run: RunEvidenceOut): number[] {
  const all = [
    ...run.steps.flatMap(({ started_at, finished_at }) => [started_at, finished_at]),
    answeredAt(run),
    ...run.deliveries.flatMap(({ called_at, settled_at }) => [called_at, settled_at]),
  ]
  const moments = new Set(all.flatMap((moment) => (moment ? [time(moment)] : [])))
  return [...moments].sort((a, b) => a - b)
}

/** Return the run as it was at a time, without later events. */
export function runAt(run: RunEvidenceOut, moment: number): RunEvidenceOut {
  const past = (at: string | null) => at !== null && time(at) <= moment
  const steps = run.steps
    .filter(({ started_at }) => past(started_at))
    .map((step) => (past(step.finished_at) ? step : { ...step, state: 'active' as const, finished_at: null, facts: {} }))
  const deliveries = run.deliveries.map((delivery) => {
    if (past(delivery.settled_at)) return delivery
    const open = { ...delivery, settled_at: null, permalink: null, error_code: null, failures: [] }
    return past(delivery.called_at)
      ? { ...open, state: 'publishing' as const }
      : { ...open, state: 'pending' as const, called_at: null }
  })
  const readyAt = steps.length === run.steps.length && steps.every(({ state }) => state === 'done')
  const calling = deliveries.some(({ state }) => state !== 'pending')
  const answered = answeredAt(run)
  const waits = answered !== null && !past(answered)
  const approval = waits && run.approval ? { ...run.approval, state: 'waiting' as const, decided_at: null } : run.approval
  const prepared = waits ? 'waiting' : 'ready'
  const state = calling ? 'publishing' : readyAt ? prepared : 'preparing'
  // a text can be edited only once it is written, and an edit has no time of its own: it is told with the answer
  const edited = run.edited && readyAt && !waits
  return { ...run, state, steps, deliveries, approval, edited, published_at: null, lateness_ms: null }
}
