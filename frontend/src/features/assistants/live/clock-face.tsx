import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'

interface ClockFaceProps {
  /** Milliseconds: until something, or since. */
  time: number
  /** Counts up from something that has begun. */
  up?: boolean
  caption: string
}

const DAY = 86_400_000 // ms

/** Days, where there are two and more, hours, minutes, seconds. Its digits are never announced: the sentence beside it says what changes. */
export function ClockFace({ time, up = false, caption }: ClockFaceProps) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const days = time >= 2 * DAY ? Math.floor(time / DAY) : 0
  const parts = format.countdown(time - days * DAY).split(':')
  return (
    <div className="count num">
      <span className="clock" role="timer" aria-live="off">
        {up && <i aria-hidden>+</i>}
        {days > 0 && <span className="clock-days">{t('runs:live.clockDays', { count: days })} </span>}
        {parts.map((part, index) => (
          <span key={index}>
            {index > 0 && <i>:</i>}
            {part}
          </span>
        ))}
      </span>
      <small>{caption}</small>
    </div>
  )
}
