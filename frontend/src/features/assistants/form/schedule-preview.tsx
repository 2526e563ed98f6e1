import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScheduleIn } from '@/api/types.gen'
import { useLanguage } from '@/i18n/locale'
import { problemText } from '@/lib/problems'
import { previewQuery } from '@/features/assistants/api'
import { toSchedule, type ScheduleValues } from './form-values'
import { Occurrences } from '@/features/assistants/occurrences'

const TYPING = 350 // ms
const SHOWN = 10

const isUnfinished = ({ frequency, cron, time_zone, time_slots = [] }: ScheduleIn) =>
  !time_zone || (frequency === 'cron' ? !cron : time_slots.length === 0)

/** The dates of the schedule before it is saved. */
export function SchedulePreview({ schedule }: { schedule: ScheduleValues }) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const id = useId()
  const currentSchedule = useMemo(() => toSchedule(schedule), [schedule])
  const [previewedSchedule] = useDebouncedValue(currentSchedule, TYPING)
  const unfinished = isUnfinished(currentSchedule)
  // the previewed schedule lags behind typing and may be unfinished
  const language = useLanguage()
  const { data, isError, error } = useQuery({ ...previewQuery(previewedSchedule, language), enabled: !unfinished && !isUnfinished(previewedSchedule) })
  // empty fields are reported on saving
  const wrong = data?.errors.filter(({ code }) => code === 'bad_cron' || code === 'unknown_time_zone') ?? []
  const count = data?.occurrences.length || SHOWN
  return (
    <aside className="schedprev" aria-labelledby={id}>
      <h3 id={id}>{t('assistants:form.next', { count: unfinished ? SHOWN : count })}</h3>
      {unfinished || (data && data.errors.length > 0 && wrong.length === 0) ? (
        <p className="schedprev-note">{t('assistants:form.nextNone')}</p>
      ) : isError ? (
        <p className="schedprev-note" role="alert">
          {t('assistants:form.nextFailed')} {problemText(t, error)}
        </p>
      ) : !data ? (
        <p className="schedprev-note" role="status">
          {t('assistants:form.nextLoading')}
        </p>
      ) : wrong.length > 0 ? (
        <ul className="schedprev-note schedprev-wrong" role="alert">
          {wrong.map((problem) => (
            <li key={`${problem.field} ${problem.params.position}`}>{problemText(t, problem)}</li>
          ))}
        </ul>
      ) : (
        <>
          {data.occurrences.length === 0 && <p className="schedprev-note">{t('assistants:form.nextOver')}</p>}
          <Occurrences occurrences={data.occurrences} leftOut={data.left_out} timeZone={previewedSchedule.time_zone || 'UTC'} compact />
        </>
      )}
    </aside>
  )
}
