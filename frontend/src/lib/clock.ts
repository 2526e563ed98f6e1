import { useEffect, useState } from 'react'

const SECOND = 1_000 // ms
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Return by how many ms the server's clock is ahead, from its time and from when its answer arrived here. */
export const serverClockOffset = (serverNow: string, receivedAt: number) => Date.parse(serverNow) - receivedAt

/** Return the current time once a second. `ahead`: by how many ms the server's clock is ahead. */
export function useNow(ahead = 0): Date {
  const [now, setNow] = useState(() => new Date(Date.now() + ahead))
  useEffect(() => {
    const tick = () => setNow(new Date(Date.now() + ahead))
    tick()
    const timer = setInterval(tick, SECOND)
    return () => clearInterval(timer)
  }, [ahead])
  return now
}

/** Return the milliseconds from now to the moment; negative when the moment is past. */
export const millisecondsUntil = (moment: string, now: Date) => Date.parse(moment) - now.getTime()

/** Return the time that a time field offers: the planned one, or in an hour if that is past or less than a minute away. */
export const timeToOffer = (planned: string | null, now: Date): Date =>
  planned && millisecondsUntil(planned, now) > MINUTE ? new Date(planned) : new Date(now.getTime() + HOUR)

/** `0:24`, `12:05`, for waits of minutes inside a sentence or a badge. */
export function shortCountdown(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / SECOND))
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`
}
