import { Tooltip } from '@mantine/core'
import { IconArrowRight, IconSunset2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { OccurrenceOut } from '@/api/types.gen'
import { useFormatIn } from '@/i18n/use-format'

interface OccurrencesProps {
  occurrences: readonly OccurrenceOut[]
  timeZone: string
  compact?: boolean
}

/** `+2`, `+5:30`, `−3`: the distance from UTC as it is said. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes)
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`
}

/** Dates in the schedule's own time zone, with a badge where the clocks change. */
export function Occurrences({ occurrences, timeZone, compact = false }: OccurrencesProps) {
  const { t } = useTranslation()
  const format = useFormatIn(timeZone)
  return (
    <ol className="occ" data-compact={compact || undefined}>
      {occurrences.map(({ slot, offset_minutes, clock_change }, index) => {
        const before = offsetText(offset_minutes - clock_change)
        const after = offsetText(offset_minutes)
        return (
          <li key={slot} data-first={index === 0 || undefined}>
            <span className="occ-day">{format.day(slot)}</span>
            <time dateTime={slot}>{format.time(slot)}</time>
            {clock_change === 0 ? (
              <span className="occ-off">UTC{after}</span>
            ) : (
              <Tooltip
                multiline
                w={240}
                events={{ hover: true, focus: true, touch: true }}
                label={t('assistantForm.clockChange', { before, after, time: format.time(slot) })}
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
  )
}
