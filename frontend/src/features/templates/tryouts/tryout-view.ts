import type { TFunction } from 'i18next'
import type { TryoutOut, GenerationState } from '@/api/types.gen'
import type { Status } from '@/components/status'
import type { Format } from '@/i18n/format'
import { isAtWork } from '@/lib/generation'

const SECOND = 1_000 // ms

/** `retrying`: an attempt failed, the next one has its time. */
export type TryoutPhase = GenerationState | 'retrying'

export const phaseOf = (tryout: Pick<TryoutOut, 'state' | 'next_try_at'>): TryoutPhase =>
  isAtWork(tryout) && tryout.next_try_at !== null ? 'retrying' : tryout.state

export const phaseStatus = {
  queued: 'draft',
  running: 'publishing',
  retrying: 'retrying',
  succeeded: 'published',
  failed: 'failed',
  cancelled: 'skipped',
} satisfies Record<TryoutPhase, Status>

/** `4.2 s` under a minute, `1 min 12 secs` over it. */
export function secondsText(t: TFunction<['common', 'templates']>, format: Format, milliseconds: number): string {
  if (milliseconds < 100) return t('templates:tried.noTime')
  const seconds = Math.round(milliseconds / 100) / 10
  // what rounds to a minute is one
  if (seconds >= 60) return format.duration(Math.max(milliseconds, 60 * SECOND))
  return t('templates:tried.seconds', { value: format.number(seconds) })
}

export interface TryoutFact {
  key: 'model' | 'input' | 'output' | 'cost' | 'duration' | 'request'
  label: string
  value: string
  /** A value that a machine gave. */
  code?: boolean
}

/** Texts of providers without a model, which have neither tokens nor request ids. */
const WITHOUT_MODEL: Partial<Record<string, 'templates:tried.cards' | 'templates:tried.demoWriter'>> = {
  cards: 'templates:tried.cards',
  demo: 'templates:tried.demoWriter',
}

/** Return the name of what wrote or drew the try-out; empty before it is known. */
export const modelText = (t: TFunction<['common', 'templates']>, { provider, model }: Pick<TryoutOut, 'provider' | 'model'>): string => {
  const withoutModel = WITHOUT_MODEL[provider]
  return withoutModel ? t(withoutModel) : model
}

/** Return the facts of a finished try-out. Unknown values are named so, since a zero would be wrong. */
export function tryoutFacts(t: TFunction<['common', 'templates']>, format: Format, tryout: TryoutOut): TryoutFact[] {
  const unknown = t('templates:tried.unknown')
  const withoutModel = WITHOUT_MODEL[tryout.provider]
  const tokens = (count: number | null) => (count === null ? unknown : format.number(count))
  const facts: TryoutFact[] = [
    { key: 'model', label: t('templates:tried.model'), value: modelText(t, tryout) || unknown },
  ]
  if (!withoutModel)
    facts.push(
      { key: 'input', label: t('templates:tried.inputTokens'), value: tokens(tryout.input_tokens) },
      { key: 'output', label: t('templates:tried.outputTokens'), value: tokens(tryout.output_tokens) },
    )
  facts.push(
    { key: 'cost', label: t('templates:tried.cost'), value: costText(t, format, tryout) },
    {
      key: 'duration',
      label: t('templates:tried.duration'),
      value: tryout.duration_ms === null ? unknown : secondsText(t, format, tryout.duration_ms),
    },
  )
  if (!withoutModel)
    facts.push({
      key: 'request',
      label: t('templates:tried.requestId'),
      value: tryout.request_id ?? unknown,
      code: tryout.request_id !== null,
    })
  return facts
}

/** A cost of nothing is a fact, and differs from a cost that is not known. */
export function costText(t: TFunction<['common', 'templates']>, format: Format, tryout: Pick<TryoutOut, 'cost_micros' | 'currency'>): string {
  return tryout.cost_micros === null ? t('templates:tried.unknown') : format.money(tryout.cost_micros, tryout.currency)
}
