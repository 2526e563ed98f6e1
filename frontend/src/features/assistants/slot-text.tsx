import { useTranslation } from 'react-i18next'
import type { ListedRunOut } from '@/api/types.gen'
import { useFormatIn } from '@/i18n/use-format'

/** The slot of a run: weekday, date and time in its time zone; or when the user started the run. */
export function SlotText({ run }: { run: Pick<ListedRunOut, 'slot' | 'time_zone' | 'by_hand'> }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormatIn(run.time_zone)
  return (
    <span className="slot-text">
      <time dateTime={run.slot}>{format.dayAndTime(run.slot)}</time> <small>{run.by_hand ? t('runs:live.byHand') : run.time_zone}</small>
    </span>
  )
}
