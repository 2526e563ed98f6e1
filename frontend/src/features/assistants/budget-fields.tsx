import { useQuery } from '@tanstack/react-query'
import type { AssistantOut } from '@/api/types.gen'
import { LaterNumberInput } from '@/components/later-number-input'
import { LaterSelect } from '@/components/later-select'
import { useLanguage } from '@/i18n/locale'
import { useTranslation } from '@/i18n/translation'
import { liveQuery, optionsQuery } from './api'
import { useAssistantForm } from './assistant-form-context'
import { BudgetText } from './budget'

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
          <LaterNumberInput
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
