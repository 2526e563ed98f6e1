import type { DeliveryOut, RunDetail, RunEvidenceOut, StepKind } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import { runCost, type Spent } from '@/components/run-cost'
import { runSteps } from '@/features/assistants/live/live-view'

const SECOND = 1_000 // ms
/** In a table: there is no such figure. */
export const NONE = '—'

/** `0.3 s`, `−0.3 s`, `12 s`, `2 min 5 sec`: a time in milliseconds, as exact as it is worth. */
export function shortTime(format: Format, milliseconds: number): string {
  const size = Math.abs(milliseconds)
  const digits = size < 10 * SECOND ? 10 : 1
  const seconds = Math.round((size / SECOND) * digits) / digits
  // what rounds to a minute is one
  const text = seconds < 60 ? `${format.number(seconds)} s` : format.duration(Math.max(size, 60 * SECOND))
  return milliseconds < 0 && seconds > 0 ? `−${text}` : text
}

export const latenessText = (format: Format, milliseconds: number | null) =>
  milliseconds === null ? NONE : shortTime(format, milliseconds)

/** `1,088 / 214`: given to the model and made by it. */
export function tokensText(format: Format, run: Pick<RunDetail, 'input_tokens' | 'output_tokens'>): string {
  if (!run.input_tokens && !run.output_tokens) return NONE
  return [run.input_tokens, run.output_tokens].map((count) => (count === null ? '?' : format.number(count))).join(' / ')
}

/** What a run cost: a dash where it used no model, a question mark where a price is not known. */
export const costOf = (format: Format, run: Spent): string => runCost(format, run, NONE, '?')

/** When a delivery went out: its publishing call, since the proof of it may have come much later. */
export const wentOutAt = ({ state, called_at, settled_at }: DeliveryOut) =>
  state === 'published' ? (called_at ?? settled_at) : null

/**
 * The step at which a failed run ended, where that left no row: steps follow one another, so it is the first that is
 * not done. None for a run that got as far as its deliveries: those say themselves how they failed.
 */
export function failedAt(run: RunEvidenceOut): StepKind | null {
  if (run.state !== 'failed' || run.deliveries.some(({ attempts }) => attempts > 0)) return null
  return runSteps(asDetail(run), run.wants_image).find(({ state }) => state !== 'done')?.kind ?? null
}

/** A run as the thread takes it; what is over is not tried again. */
export const asDetail = (run: RunEvidenceOut): RunDetail => ({
  ...run,
  retries: [],
  content_hash: null,
})

const time = (moment: string) => Date.parse(moment)

/** How long it lay ready until its first publishing call, in ms; null where it did not come so far. */
export function waitedFor(run: RunEvidenceOut): number | null {
  const ready = Math.max(...run.steps.map(({ finished_at }) => (finished_at ? time(finished_at) : -Infinity)))
  const called = Math.min(...run.deliveries.map(({ called_at }) => (called_at ? time(called_at) : Infinity)))
  return Number.isFinite(ready) && Number.isFinite(called) && called > ready ? called - ready : null
}

/** The moments at which something happened, in order, for playing the run again. */
export function momentsOf(run: RunEvidenceOut): number[] {
  const all = [
    ...run.steps.flatMap(({ started_at, finished_at }) => [started_at, finished_at]),
    ...run.deliveries.flatMap(({ called_at, settled_at }) => [called_at, settled_at]),
  ]
  const moments = new Set(all.flatMap((moment) => (moment ? [time(moment)] : [])))
  return [...moments].sort((one, other) => one - other)
}

/** The run as it was at a moment: what came later has not happened yet. */
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
  const ready = steps.length === run.steps.length && steps.every(({ state }) => state === 'done')
  const calling = deliveries.some(({ state }) => state !== 'pending')
  const state = calling ? 'publishing' : ready ? 'ready' : 'preparing'
  return { ...run, state, steps, deliveries, published_at: null, lateness_ms: null }
}
