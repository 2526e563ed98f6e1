import { Button, Input, NumberInput, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ScheduleInSchema } from '@/api/schemas.gen'
import type { DateRangeOut } from '@/api/types.gen'
import { FormMore } from '@/components/form-more'
import { useLanguage } from '@/i18n/locale'
import { useFormatIn } from '@/i18n/use-format'
import { holidayCalendarQuery, optionsQuery } from '@/features/assistants/api'
import { useAssistantForm } from './assistant-form-context'
import { writtenFor, type ScheduleValues } from './form-values'
import { RemovableChip } from './removable-chip'

/** The days without a post, and the maximum of posts per day. */
export function LeftOutFields() {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { schedule } = form.values
  const countryName = useCountryName()
  const { most_per_day: most, left_out_dates: dates, holiday_country: country } = schedule
  const summary = [
    country && t('assistants:form.leftOut.saysHolidays', { country: countryName(country) }),
    dates.length > 0 && t('assistants:form.leftOut.saysDates', { count: dates.length }),
    most !== '' && t('assistants:form.leftOut.saysMost', { count: most }),
  ].filter(Boolean)
  return (
    <FormMore
      title={t('assistants:form.leftOut.title')}
      summary={summary.join(' · ') || t('assistants:form.leftOut.saysNone')}
      open={summary.length > 0}
    >
      <HolidayFields />
      <LeftOutDates
        value={dates}
        error={form.errors['schedule.left_out_dates']}
        onChange={(ranges) => form.setFieldValue('schedule.left_out_dates', ranges)}
      />
      <NumberInput
        label={t(`assistants:form.leftOut.most.${writtenFor(form.values)}`)}
        description={t('assistants:form.leftOut.mostHint')}
        min={ScheduleInSchema.properties.most_per_day.minimum}
        max={ScheduleInSchema.properties.most_per_day.maximum}
        allowDecimal={false}
        {...form.getInputProps('schedule.most_per_day')}
      />
    </FormMore>
  )
}

function useCountryName() {
  const names = new Intl.DisplayNames([useLanguage()], { type: 'region', fallback: 'code' })
  return (code: string) => names.of(code) ?? code
}

function HolidayFields() {
  const { t } = useTranslation(['common', 'assistants'])
  const language = useLanguage()
  const form = useAssistantForm()
  const country = form.values.schedule.holiday_country
  const countryName = useCountryName()
  const { data: options } = useQuery(optionsQuery)
  const { data: calendar } = useQuery({ ...holidayCalendarQuery(country ?? ''), enabled: country !== null })
  const countryCodes = new Set([...(options?.holiday_countries ?? []), ...(country ? [country] : [])])
  const countries = [...countryCodes]
    .map((value) => ({ value, label: countryName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, language))
  const regions = calendar?.country === country ? calendar.regions : []
  return (
    <div className="pair">
      <Select
        label={t('assistants:form.leftOut.holidays')}
        description={t('assistants:form.leftOut.holidaysHint')}
        placeholder={t('assistants:form.leftOut.noHolidays')}
        data={countries}
        searchable
        clearable
        nothingFoundMessage={t('assistants:form.leftOut.noCountry')}
        {...form.getInputProps('schedule.holiday_country')}
        onChange={(chosen: string | null) => {
          form.setFieldValue('schedule.holiday_country', chosen)
          // a region belongs to one country
          form.setFieldValue('schedule.holiday_region', null)
        }}
      />
      {country !== null && regions.length > 0 && (
        <Select
          label={t('assistants:form.leftOut.region')}
          description={t('assistants:form.leftOut.regionHint')}
          placeholder={t('assistants:form.leftOut.wholeCountry')}
          data={regions.map(({ code, name }) => ({ value: code, label: name }))}
          searchable
          clearable
          {...form.getInputProps('schedule.holiday_region')}
        />
      )}
    </div>
  )
}

interface LeftOutDatesProps {
  value: DateRangeOut[]
  error?: React.ReactNode
  onChange: (ranges: DateRangeOut[]) => void
}

/** Days and ranges as removable chips, and two fields that add one. */
function LeftOutDates({ value, error, onChange }: LeftOutDatesProps) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const rangeText = useRangeText()
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)

  const add = () => {
    if (!first) return setWrong(t('assistants:form.leftOut.needsFirst'))
    const range = { first, last: last || first }
    if (range.last < range.first) return setWrong(t('errors:variants.invalid_input_end_date'))
    const rest = value.filter((candidate) => candidate.first !== range.first || candidate.last !== range.last)
    onChange([...rest, range].sort((a, b) => a.first.localeCompare(b.first)))
    setFirst('')
    setLast('')
    setWrong(null)
    input.current?.focus()
  }
  return (
    <fieldset className="plain" data-field="schedule.left_out_dates">
      <legend>{t('assistants:form.leftOut.dates')}</legend>
      {value.length > 0 && (
        <div className="timechips leftchips">
          {value.map((range) => (
            <RemovableChip
              key={`${range.first} ${range.last}`}
              text={rangeText(range)}
              removeLabel={t('assistants:form.leftOut.remove', { dates: rangeText(range) })}
              onRemove={() => {
                onChange(value.filter((candidate) => candidate !== range))
                input.current?.focus()
              }}
            />
          ))}
        </div>
      )}
      <div className="leftnew">
        <TextInput
          ref={input}
          type="date"
          label={t('assistants:form.leftOut.first')}
          value={first}
          error={Boolean(wrong ?? error)}
          onChange={(event) => {
            setFirst(event.currentTarget.value)
            setWrong(null)
          }}
        />
        <TextInput
          type="date"
          label={t('assistants:form.leftOut.last')}
          min={first || undefined}
          value={last}
          onChange={(event) => {
            setLast(event.currentTarget.value)
            setWrong(null)
          }}
        />
        <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('assistants:form.leftOut.add')}
        </Button>
      </div>
      {(wrong ?? error) && (
        <Input.Error mt={6} role="alert">
          {wrong ?? error}
        </Input.Error>
      )}
    </fieldset>
  )
}

/** Return a function for the text of a range, such as `Thu 24 Dec – Wed 6 Jan 2027`. */
function useRangeText() {
  // calendar days have no time zone
  const format = useFormatIn('UTC')
  return ({ first, last }: DateRangeOut) => (first === last ? format.day(first) : `${format.day(first)} – ${format.day(last)}`)
}

export const leavesOut = ({ holiday_country, left_out_dates, most_per_day }: ScheduleValues) =>
  holiday_country !== null || left_out_dates.length > 0 || most_per_day !== ''
