import { useFormat } from '@/i18n/use-format'

interface ClockFaceProps {
  /** Milliseconds: until something, or since. */
  time: number
  /** Counts up from something that has begun. */
  up?: boolean
  caption: string
}

/** Hours, minutes, seconds. Its digits are never announced: the sentence beside it says what changes. */
export function ClockFace({ time, up = false, caption }: ClockFaceProps) {
  const format = useFormat()
  const parts = format.countdown(time).split(':')
  return (
    <div className="count num">
      <span className="clock" role="timer" aria-live="off">
        {up && <i aria-hidden>+</i>}
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
