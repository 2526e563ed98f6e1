import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import { useCalendarActions } from './context'

/** The number of hidden entries of a day, also those that were not loaded, as a link to them. */
export function MoreOf({ day, drawn }: { day: string; drawn?: number }) {
  const { openDay } = useCalendarActions()
  const count = useMore(day, drawn)
  return (
    count > 0 && (
      <button type="button" className="rbc-button-link rbc-show-more" onClick={() => openDay(day)}>
        <MoreWords count={count} />
      </button>
    )
  )
}

export function useMore(day: string, drawn = 0): number {
  const { more } = useCalendarActions()
  return drawn + (more.get(day) ?? 0)
}

export function MoreWords({ count }: { count: number }) {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  return (
    <>
      <span className="cal-more-words">{t('calendar:more', { count })}</span>
      <span className="cal-more-number" aria-hidden>
        +{format.number(count)}
      </span>
    </>
  )
}
