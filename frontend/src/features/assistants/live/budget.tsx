import { useTranslation } from 'react-i18next'
import type { BudgetLeftOut, BudgetUnit } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { useFormat, useFormatIn } from '@/i18n/use-format'

interface BudgetProps {
  left: BudgetLeftOut
  /** The assistant's time zone, in which its month begins. */
  timeZone: string
}

export function BudgetPanel({ left, timeZone }: BudgetProps) {
  const { t } = useTranslation(['common', 'runs'])
  return (
    <Panel title={t('runs:live.budget.left')}>
      <BudgetText left={left} timeZone={timeZone} />
    </Panel>
  )
}

export function BudgetText({ left: budget, timeZone, named = false }: BudgetProps & { named?: boolean }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const assistantFormat = useFormatIn(timeZone)
  const { unit, amount, left, used, estimated, currency } = budget
  const shown = (value: number) => (unit === 'money' ? format.money(value, currency) : format.number(value))
  const key: Record<BudgetUnit, 'leftOf' | 'leftTokens'> = { money: 'leftOf', tokens: 'leftTokens' }
  return (
    <>
      {named && `${t('runs:live.budget.left')}: `}
      <span className="num">{t(`runs:live.budget.${key[unit]}`, { left: shown(left), amount: shown(amount) })}</span>{' '}
      {t('runs:live.budget.until', { day: assistantFormat.day(budget.until) })}
      {used >= amount && <span> {t('runs:live.budget.reached')}</span>}
      {estimated > 0 && <small className="dim"> {t('runs:live.budget.estimated', { amount: shown(estimated) })}</small>}
    </>
  )
}
