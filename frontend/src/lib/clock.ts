import { useEffect, useState } from 'react'

const SECOND = 1_000 // ms
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** By how many ms the server's clock is ahead, from what it said and when its answer arrived here. */
export const serverClockOffset = (serverNow: string, receivedAt: number) => Date.parse(serverNow) - receivedAt

/** The current time, once a second; `ahead` ms make it the server's. */
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

/** Milliseconds from now to the moment: negative once it is past. */
export const millisecondsUntil = (moment: string, now: Date) => Date.parse(moment) - now.getTime()

/** From which time a new one begins to be chosen: the present one, or an hour from now where that is past, or as good as. */
export const timeToOffer = (planned: string | null, now: Date): Date =>
  planned && millisecondsUntil(planned, now) > MINUTE ? new Date(planned) : new Date(now.getTime() + HOUR)

/** `0:24`, `12:05`, for waits of minutes inside a sentence or a badge. */
export function shortCountdown(milliseconds: number): string {
  const total = Math.max(0, Math.ceil(milliseconds / SECOND))
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`
}
