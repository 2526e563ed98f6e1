import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'

const DEMO = 'demo'

/** Who has written it and what that cost; of several calls what they cost together. */
export function MadeBy({ made }: { made: readonly WritingOut[] }) {
  const { t } = useTranslation(['common', 'articles'])
  const format = useFormat()
  const [first] = made
  if (!first) return null
  if (first.provider === DEMO) return <p className="writing-cost">{t('articles:writer.demo')}</p>
  const tokens = sum(made.map(({ input_tokens, output_tokens }) => (input_tokens ?? 0) + (output_tokens ?? 0)))
  const known = made.every(({ cost_micros }) => cost_micros !== null)
  const cost = sum(made.map(({ cost_micros }) => cost_micros ?? 0))
  const facts = [
    first.model,
    tokens > 0 && t('articles:writer.tokens', { count: tokens }),
    known ? format.money(cost, first.currency) : tokens > 0 && t('articles:writer.costUnknown'),
    first.on_budget && t('articles:writer.onBudget'),
  ]
  return <p className="writing-cost num">{facts.filter(Boolean).join(' · ')}</p>
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
