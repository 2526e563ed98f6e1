import type { TFunction } from 'i18next'
import type { TryoutOut, TryoutState } from '@/api/types.gen'
import type { Status } from '@/components/status'
import type { Format } from '@/i18n/format'

const SECOND = 1_000 // ms

/** `retrying`: an attempt failed, the next one has its time. */
export type RunPhase = TryoutState | 'retrying'

export const isOpen = ({ state }: Pick<TryoutOut, 'state'>) => state === 'queued' || state === 'running'

export const phaseOf = (run: Pick<TryoutOut, 'state' | 'next_try_at'>): RunPhase =>
  isOpen(run) && run.next_try_at !== null ? 'retrying' : run.state

export const phaseStatus = {
  queued: 'draft',
  running: 'publishing',
  retrying: 'retrying',
  succeeded: 'published',
  failed: 'failed',
  cancelled: 'skipped',
} satisfies Record<RunPhase, Status>

/** `4.2 s` under a minute, `1 min 12 secs` over it. */
export function secondsText(t: TFunction, format: Format, milliseconds: number): string {
  if (milliseconds >= 60 * SECOND) return format.duration(milliseconds)
  if (milliseconds < 100) return t('templates.try.noTime')
  return t('templates.try.seconds', { value: format.number(Math.round(milliseconds / 100) / 10) })
}

export interface RunFact {
  key: 'model' | 'input' | 'output' | 'cost' | 'duration' | 'request'
  label: string
  value: string
  /** A value that a machine gave. */
  code?: boolean
}

/** Without a model: there are neither tokens nor a provider that would name the request. */
const madeHere: Partial<Record<string, 'templates.try.cards' | 'templates.try.demoWriter'>> = {
  cards: 'templates.try.cards',
  demo: 'templates.try.demoWriter',
}

/** What a finished run used. What is not known is said to be unknown, and never looks like nothing. */
export function runFacts(t: TFunction, format: Format, run: TryoutOut): RunFact[] {
  const unknown = t('templates.try.unknown')
  const own = madeHere[run.provider]
  const tokens = (count: number | null) => (count === null ? unknown : format.number(count))
  const facts: RunFact[] = [
    { key: 'model', label: t('templates.try.model'), value: own ? t(own) : run.model || unknown },
  ]
  if (!own)
    facts.push(
      { key: 'input', label: t('templates.try.inputTokens'), value: tokens(run.input_tokens) },
      { key: 'output', label: t('templates.try.outputTokens'), value: tokens(run.output_tokens) },
    )
  facts.push(
    { key: 'cost', label: t('templates.try.cost'), value: costText(t, format, run) },
    {
      key: 'duration',
      label: t('templates.try.duration'),
      value: run.duration_ms === null ? unknown : secondsText(t, format, run.duration_ms),
    },
  )
  if (!own)
    facts.push({
      key: 'request',
      label: t('templates.try.requestId'),
      value: run.request_id ?? unknown,
      code: run.request_id !== null,
    })
  return facts
}

/** A cost of nothing is a fact, and differs from a cost that is not known. */
export function costText(t: TFunction, format: Format, run: Pick<TryoutOut, 'cost_micros' | 'currency'>): string {
  return run.cost_micros === null ? t('templates.try.unknown') : format.money(run.cost_micros, run.currency)
}
