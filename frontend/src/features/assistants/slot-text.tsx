import type { ListedRunOut } from '@/api/types.gen'
import { useFormatIn } from '@/i18n/use-format'

/** A slot as it was meant: weekday, date and time in its own zone, which is named. */
export function SlotText({ run }: { run: Pick<ListedRunOut, 'slot' | 'time_zone'> }) {
  const format = useFormatIn(run.time_zone)
  return (
    <span className="slot-text">
      <time dateTime={run.slot}>{format.dayAndTime(run.slot)}</time> <small>{run.time_zone}</small>
    </span>
  )
}
