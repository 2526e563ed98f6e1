import { NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AssistantOut, BudgetLeftOut, BudgetUnit } from '@/api/types.gen'
import { LaterSelect } from '@/components/later-select'
import { Panel } from '@/components/panel'
import { useLanguage } from '@/i18n/locale'
import { useTranslation } from '@/i18n/translation'
import { useFormat, useFormatIn } from '@/i18n/use-format'
import { liveQuery, optionsQuery } from './api'
import { useAssistantForm } from './assistant-form-context'

const UNITS = ['none', 'money', 'tokens'] as const

/** What it may spend on models in a month, and what is left of it. */
export function BudgetFields({ assistant }: { assistant: AssistantOut | null }) {
  const { t } = useTranslation()
  const form = useAssistantForm()
  const german = useLanguage() === 'de'
  const unit = form.values.budget_unit
  const money = unit === 'money'
  const { data: options } = useQuery(optionsQuery)
  return (
    <>
      <div className="pair">
        <LaterSelect
          label={t('assistantForm.budget.label')}
          description={t('assistantForm.budget.hint')}
          allowDeselect={false}
          data={UNITS.map((value) => ({ value, label: t(`assistantForm.budget.units.${value}`) }))}
          {...form.getInputProps('budget_unit')}
          onChange={(chosen: string | null) => {
            form.setFieldValue('budget_unit', UNITS.find((known) => known === chosen) ?? 'none')
            // dollars are no tokens
            form.setFieldValue('budget_amount', '')
          }}
        />
        {unit !== 'none' && (
          <NumberInput
            label={t(money ? 'assistantForm.budget.amount' : 'assistantForm.budget.tokens', { currency: options?.currency ?? '' })}
            allowNegative={false}
            allowDecimal={money}
            decimalScale={2}
            decimalSeparator={german ? ',' : '.'}
            thousandSeparator={german ? '.' : ','}
            hideControls
            {...form.getInputProps('budget_amount')}
          />
        )}
      </div>
      {assistant?.budget && <SavedBudget assistant={assistant} />}
    </>
  )
}

function SavedBudget({ assistant }: { assistant: AssistantOut }) {
  const { data } = useQuery(liveQuery(assistant.id))
  if (!data?.budget_left) return null
  return (
    <p className="dim">
      <BudgetText left={data.budget_left} timeZone={assistant.schedule.time_zone} named />
    </p>
  )
}

interface BudgetProps {
  left: BudgetLeftOut
  /** The assistant's, whose month it is. */
  timeZone: string
}

export function BudgetPanel({ left, timeZone }: BudgetProps) {
  const { t } = useTranslation()
  return (
    <Panel title={t('assistantForm.budget.left')}>
      <BudgetText left={left} timeZone={timeZone} />
    </Panel>
  )
}

function BudgetText({ left: budget, timeZone, named = false }: BudgetProps & { named?: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const there = useFormatIn(timeZone)
  const { unit, amount, left, used, estimated, currency } = budget
  const shown = (value: number) => (unit === 'money' ? format.money(value, currency) : format.number(value))
  const key: Record<BudgetUnit, 'leftOf' | 'leftTokens'> = { money: 'leftOf', tokens: 'leftTokens' }
  return (
    <>
      {named && `${t('assistantForm.budget.left')}: `}
      <span className="num">{t(`assistantForm.budget.${key[unit]}`, { left: shown(left), amount: shown(amount) })}</span>{' '}
      {t('assistantForm.budget.until', { day: there.day(budget.until) })}
      {used >= amount && <span> {t('assistantForm.budget.reached')}</span>}
      {estimated > 0 && <small className="dim"> {t('assistantForm.budget.estimated', { amount: shown(estimated) })}</small>}
    </>
  )
}
