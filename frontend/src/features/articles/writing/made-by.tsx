import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'

const DEMO = 'demo'

/** The model that wrote it, and the cost of all calls. */
export function MadeBy({ writings }: { writings: readonly WritingOut[] }) {
  const { t } = useTranslation(['common', 'articles'])
  const format = useFormat()
  const [first] = writings
  if (!first) return null
  if (first.provider === DEMO) return <p className="writing-cost">{t('articles:writer.demo')}</p>
  const tokens = sum(writings.map(({ input_tokens, output_tokens }) => (input_tokens ?? 0) + (output_tokens ?? 0)))
  const isCostKnown = writings.every(({ cost_micros }) => cost_micros !== null)
  const cost = sum(writings.map(({ cost_micros }) => cost_micros ?? 0))
  const facts = [
    first.model,
    tokens > 0 && t('articles:writer.tokens', { count: tokens }),
    isCostKnown ? format.money(cost, first.currency) : tokens > 0 && t('articles:writer.costUnknown'),
    first.on_budget && t('articles:writer.onBudget'),
  ]
  return <p className="writing-cost num">{facts.filter(Boolean).join(' · ')}</p>
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
