import { Chip, Input, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ScheduleInSchema } from '@/api/schemas.gen'
import { Frequency, MonthEnd } from '@/api/types.gen'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { useLanguage } from '@/i18n/locale'
import { useAssistantForm } from './assistant-form-context'
import { LeftOutFields } from './left-out-fields'
import { SchedulePreview } from './schedule-preview'
import { cronText, weekdayName } from '@/features/assistants/schedule-text'
import { TimeSlots } from './time-slots'

const WEEK = [1, 2, 3, 4, 5, 6, 7]
const MONTH = Array.from({ length: 31 }, (_, index) => index + 1)

/** The schedule: frequency, the fields of that frequency, times, and a preview of the dates. */
export function ScheduleFields() {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { schedule } = form.values
  const narrow = useMediaQuery('(max-width: 40em)')
  const inInterval = schedule.frequency === 'interval'
  return (
    <div className="sched">
      <div className="stack">
        <SegmentedControl
          fullWidth
          orientation={narrow ? 'vertical' : 'horizontal'}
          aria-label={t('assistants:form.frequency')}
          data={Object.values(Frequency).map((value) => ({ value, label: t(`assistants:form.frequencies.${value}`) }))}
          {...form.getInputProps('schedule.frequency')}
        />
        {schedule.frequency === 'weekly' && <Weekdays />}
        {schedule.frequency === 'monthly' && <MonthDays />}
        {inInterval && (
          <NumberInput
            label={t('assistants:form.everyDays')}
            description={t('assistants:form.everyDaysHint')}
            min={ScheduleInSchema.properties.every_days.minimum}
            max={ScheduleInSchema.properties.every_days.maximum}
            allowDecimal={false}
            {...form.getInputProps('schedule.every_days')}
          />
        )}
        {schedule.frequency === 'cron' ? (
          <CronField />
        ) : (
          <TimeSlots
            value={schedule.time_slots}
            error={form.errors['schedule.time_slots']}
            onChange={(slots) => form.setFieldValue('schedule.time_slots', slots)}
          />
        )}
        <TimeZoneSelect label={t('assistants:form.timeZone')} {...form.getInputProps('schedule.time_zone')} />
        <div className="pair">
          <TextInput
            type="date"
            label={t(inInterval ? 'assistants:form.startDate' : 'assistants:form.startDateOptional')}
            {...form.getInputProps('schedule.start_date')}
          />
          <TextInput
            type="date"
            label={t('assistants:form.endDate')}
            min={schedule.start_date || undefined}
            {...form.getInputProps('schedule.end_date')}
          />
        </div>
        <LeftOutFields />
      </div>
      <SchedulePreview schedule={schedule} />
    </div>
  )
}

function Weekdays() {
  const { t } = useTranslation(['common', 'assistants'])
  const language = useLanguage()
  const form = useAssistantForm()
  return (
    <DayChips
      field="schedule.days_of_week"
      legend={t('assistants:form.days')}
      days={WEEK.map((day) => ({ day, label: weekdayName(day, language), name: weekdayName(day, language, 'long') }))}
      chosen={form.values.schedule.days_of_week}
      error={form.errors['schedule.days_of_week']}
      onChange={(days) => form.setFieldValue('schedule.days_of_week', days)}
    />
  )
}

function MonthDays() {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { days_of_month } = form.values.schedule
  return (
    <>
      <DayChips
        field="schedule.days_of_month"
        legend={t('assistants:form.daysOfMonth')}
        days={MONTH.map((day) => ({ day, label: String(day), name: String(day) }))}
        chosen={days_of_month}
        error={form.errors['schedule.days_of_month']}
        onChange={(days) => form.setFieldValue('schedule.days_of_month', days)}
      />
      {days_of_month.some((day) => day > 28) && (
        <Select
          label={t('assistants:form.monthEnd')}
          data={Object.values(MonthEnd).map((value) => ({ value, label: t(`assistants:form.monthEnds.${value}`) }))}
          {...form.getInputProps('schedule.month_end')}
        />
      )}
    </>
  )
}

interface DayChipsProps {
  field: string
  legend: string
  days: { day: number; label: string; name: string }[]
  chosen: number[]
  error?: ReactNode
  onChange: (days: number[]) => void
}

function DayChips({ field, legend, days, chosen, error, onChange }: DayChipsProps) {
  return (
    <fieldset className="plain" data-field={field}>
      <legend>{legend}</legend>
      <Chip.Group
        multiple
        value={chosen.map(String)}
        onChange={(values) => onChange(values.map(Number).sort((first, second) => first - second))}
      >
        <div className="daychips">
          {days.map(({ day, label, name }) => (
            <Chip key={day} value={String(day)} size="sm" classNames={{ label: 'daychip', iconWrapper: 'noicon' }} aria-label={name}>
              {label}
            </Chip>
          ))}
        </div>
      </Chip.Group>
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  )
}

function CronField() {
  const { t } = useTranslation(['common', 'assistants'])
  const language = useLanguage()
  const form = useAssistantForm()
  const { cron } = form.values.schedule
  const error = form.errors['schedule.cron']
  const meaning = error ? null : cronText(t, cron, language)
  return (
    <div>
      <TextInput
        label={t('assistants:form.cron')}
        description={t('assistants:form.cronHint')}
        placeholder="30 8 * * 1-5"
        autoComplete="off"
        spellCheck={false}
        className="mono-input"
        {...form.getInputProps('schedule.cron')}
      />
      {meaning && (
        <p className="field-note" role="status">
          {t('assistants:form.cronSays', { text: meaning })}
        </p>
      )}
    </div>
  )
}
