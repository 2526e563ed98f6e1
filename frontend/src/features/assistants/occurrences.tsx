import { Tooltip } from '@mantine/core'
import { IconArrowRight, IconCalendarOff, IconSunset2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ComingOut, LeftOutDayOut, OccurrenceOut, RunState } from '@/api/types.gen'
import { useFormatIn } from '@/i18n/use-format'
import { isFull, withLeftOut, type LeftOutDays } from '@/features/assistants/form/left-out'

interface OccurrencesProps {
  occurrences: readonly (OccurrenceOut | ComingOut)[]
  leftOut?: readonly LeftOutDayOut[]
  timeZone: string
  compact?: boolean
}

/** Return the UTC offset as text: `+2`, `+5:30`, `−3`. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`
}

/** Dates in the schedule's time zone, with a badge at clock changes, and the left-out days between them. */
export function Occurrences({ occurrences, leftOut = [], timeZone, compact = false }: OccurrencesProps) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormatIn(timeZone)
  const first = occurrences.find((candidate) => !isPassedOver(candidate))
  return (
    <>
    <ol className="occ" data-compact={compact || undefined}>
      {withLeftOut(occurrences, leftOut).map((row) => {
        if ('reason' in row) return <LeftOutRow key={row.first} days={row} />
        const { slot, offset_minutes, clock_change } = row
        const before = offsetText(offset_minutes - clock_change)
        const after = offsetText(offset_minutes)
        return (
          <li key={slot} data-first={slot === first?.slot || undefined} data-passed={isPassedOver(row) || undefined}>
            <span className="occ-day">{format.day(slot)}</span>
            <time dateTime={slot}>{format.time(slot)}</time>
            {isPassedOver(row) && <span className="occ-passed">{passedText(row)}</span>}
            {clock_change === 0 ? (
              <span className="occ-off">UTC{after}</span>
            ) : (
              <Tooltip
                multiline
                w={240}
                events={{ hover: true, focus: true, touch: true }}
                label={t('runs:live.clockChange', { before, after, time: format.time(slot) })}
              >
                <button type="button" className="clockbadge">
                  <IconSunset2 size={13} aria-hidden />
                  UTC{before} <IconArrowRight size={12} aria-hidden /> {after}
                </button>
              </Tooltip>
            )}
          </li>
        )
      })}
    </ol>
    {leftOut.some(isFull) && <p className="occ-note">{t('runs:live.leftOutDays.dayFull')}</p>}
    </>
  )

  /** Return what became of a slot at which nothing is published. */
  function passedText({ run_state, planned_at }: ComingOut) {
    if (run_state && !MAY_STILL_PUBLISH.includes(run_state)) return t(`runs:ended.${run_state}`)
    return planned_at ? t('runs:live.movedTo', { when: format.dayAndTime(planned_at) }) : t('runs:ended.skipped')
  }
}

/** States of a run whose post is published at another time, if a slot is passed over. */
const MAY_STILL_PUBLISH: readonly RunState[] = ['preparing', 'waiting', 'ready', 'publishing', 'drafted']

const isPassedOver = (coming: OccurrenceOut | ComingOut): coming is ComingOut => 'passed_over' in coming && coming.passed_over

function LeftOutRow({ days: { first, last, reason, holiday } }: { days: LeftOutDays }) {
  const { t } = useTranslation(['common', 'runs'])
  // calendar days have no time zone
  const format = useFormatIn('UTC')
  return (
    <li className="occ-left">
      <span className="occ-day">{format.day(first)}</span>
      {last !== first && <span className="occ-until">– {format.day(last)}</span>}
      <span className="leftbadge">
        <IconCalendarOff size={13} aria-hidden />
        {reason === 'holiday' ? t('runs:live.leftOutDays.holiday', { name: holiday }) : t('runs:live.leftOutDays.date')}
      </span>
    </li>
  )
}
