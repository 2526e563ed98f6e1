import { NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AssistantOut } from '@/api/types.gen'
import { languageFacts } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { liveQuery, optionsQuery } from '@/features/assistants/api'
import { useAssistantForm } from './assistant-form-context'
import { BudgetText } from '@/features/assistants/live/budget'

const UNITS = ['none', 'money', 'tokens'] as const

/** Return the separators of numbers in a locale. */
const separatorsOf = (locale: string) =>
  Object.fromEntries(new Intl.NumberFormat(locale).formatToParts(10_000.5).map(({ type, value }) => [type, value]))

/** The monthly budget for models, and what is left of it. */
export function BudgetFields({ assistant }: { assistant: AssistantOut | null }) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { locale } = languageFacts(useLanguage())
  const { decimal, group } = separatorsOf(locale)
  const unit = form.values.budget_unit
  const money = unit === 'money'
  const { data: options } = useQuery(optionsQuery)
  return (
    <>
      <div className="pair">
        <Select
          label={t('assistants:form.budget.label')}
          description={t('assistants:form.budget.hint')}
          data={UNITS.map((value) => ({ value, label: t(`assistants:form.budget.units.${value}`) }))}
          {...form.getInputProps('budget_unit')}
          onChange={(chosen: string | null) => {
            form.setFieldValue('budget_unit', UNITS.find((unit) => unit === chosen) ?? 'none')
            // an amount of money is not an amount of tokens
            form.setFieldValue('budget_amount', '')
          }}
        />
        {unit !== 'none' && (
          <NumberInput
            label={t(money ? 'assistants:form.budget.amount' : 'assistants:form.budget.tokens', { currency: options?.currency ?? '' })}
            allowNegative={false}
            allowDecimal={money}
            decimalScale={2}
            decimalSeparator={decimal}
            thousandSeparator={group}
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
