import { IconCalendarOff, IconSunset2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { CalendarOut } from '@/api/types.gen'
import { useFormat, useTimeZone } from '@/i18n/use-format'
import { instantOf, wallTime } from '@/lib/time-zones'
import type { DayNote } from './context'
import { clockChange, daysOf } from './period'

/** Return the notes of each day: schedules leave the day out, or the clocks change. */
export function useNotes(calendar: CalendarOut, { first, end }: { first: string; end: string }, zone: string): ReadonlyMap<string, DayNote[]> {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  return useMemo(() => {
    const notes = new Map<string, DayNote[]>()
    const add = (day: string, note: DayNote) => notes.set(day, [...(notes.get(day) ?? []), note])
    const dayOf = (at: string) => wallTime(new Date(at), zone).slice(0, 10)
    const busy = new Set([...calendar.posts.map((post) => dayOf(post.planned_at)), ...calendar.planned.map(({ slot }) => dayOf(slot))])
    for (const { day, holiday, assistant_names } of calendar.left_out) {
      const assistants = format.list(assistant_names)
      const text = holiday ? t('calendar:leftOutFor', { assistants, holiday }) : t('calendar:leftOut', { assistants })
      add(day, { kind: 'leftOut', text, assistantNames: busy.has(day) ? assistants : undefined })
    }
    for (const day of daysOf({ first, end })) {
      const minutes = clockChange(day, zone)
      if (minutes !== 0) add(day, { kind: 'clocks', text: t('calendar:clockChange', { minutes: Math.abs(minutes) }) })
    }
    return notes
  }, [calendar.left_out, calendar.posts, calendar.planned, first, end, zone, t, format])
}

/** The notes as a list. The same note of several days is one line. */
export function NoteList({ days, notes, dated }: { days: string[]; notes: ReadonlyMap<string, readonly DayNote[]>; dated: boolean }) {
  const format = useFormat()
  const zone = useTimeZone()
  const lines = new Map<string, { kind: DayNote['kind']; days: string[] }>()
  for (const day of days)
    for (const { kind, text } of notes.get(day) ?? []) lines.set(text, { kind, days: [...(lines.get(text)?.days ?? []), day] })
  if (lines.size === 0) return null
  return (
    <ul className="cal-notes">
      {[...lines].map(([text, { kind, days }]) => (
        <li key={text} className="cal-note" data-kind={kind}>
          {kind === 'clocks' ? <IconSunset2 size={14} aria-hidden /> : <IconCalendarOff size={14} aria-hidden />}
          {dated && <strong>{format.list(days.map((day) => format.day(instantOf(`${day}T12:00`, zone))))}:</strong>} {text}
        </li>
      ))}
    </ul>
  )
}
