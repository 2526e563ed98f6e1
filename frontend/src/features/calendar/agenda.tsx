import { useDeferredValue, useMemo } from 'react'
import { useFormat } from '@/i18n/use-format'
import { instantOf } from '@/lib/time-zones'
import { useCalendarActions } from './context'
import { agendaDays, asDrawn, type Entry } from './entries'
import { MoreOf } from './more'
import { AgendaRow, WhenOf } from './tile'

/** The days rendered at once, which fill a screen; the others follow without blocking. */
const FIRST_DAYS = 5

/** The days of the period in a list, each with some of its entries. */
export function Agenda({ entries }: { entries: readonly Entry[] }) {
  const { more, now, zone } = useCalendarActions()
  const format = useFormat()
  const days = useMemo(() => agendaDays(entries, more, asDrawn(now, zone)), [entries, more, now, zone])
  const drawn = useDeferredValue(days, days.slice(0, FIRST_DAYS))
  return (
    <div className="cal-agenda">
      {drawn.map(({ day, rows, more: rest }) => (
        <section key={day} className="cal-agenda-day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>{format.day(instantOf(`${day}T12:00`, zone))}</h2>
          <div className="cal-agenda-rows">
            <ul>
              {rows.map((entry) => (
                <li key={entry.id}>
                  <WhenOf entry={entry} />
                  <AgendaRow event={entry} />
                </li>
              ))}
            </ul>
            {/* those that were not read are among `others` */}
            <MoreOf day={day} drawn={rest - (more.get(day) ?? 0)} />
          </div>
        </section>
      ))}
    </div>
  )
}
