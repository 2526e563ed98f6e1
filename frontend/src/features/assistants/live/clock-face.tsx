import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'

interface ClockFaceProps {
  /** The remaining or elapsed ms. */
  time: number
  /** Whether it counts up. */
  up?: boolean
  caption: string
}

const DAY = 86_400_000 // ms

/**
 * A clock with days (from two on), hours, minutes, seconds. Screen readers don't announce its digits: the sentence
 * beside it says what changes.
 */
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
