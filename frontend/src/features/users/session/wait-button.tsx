import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState, type MouseEventHandler, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { shortCountdown } from '@/lib/clock'
import type { Problem } from '@/lib/problems'

const SECOND = 1_000 // ms

/** Return when the server accepts the next attempt, in ms since 1970; 0 without a rate limit. */
export function waitEnd(problem: Problem): number {
  const seconds = Number(problem.params.retry_after)
  return problem.code === 'rate_limited' && seconds > 0 ? Date.now() + seconds * SECOND : 0
}

interface WaitButtonProps extends ButtonProps {
  /** The end of the countdown, in ms since 1970. */
  until: number
  type?: 'submit' | 'button'
  onClick?: MouseEventHandler
  /** The text of the countdown: sending again, or trying again. */
  counts?: 'resendIn' | 'againIn'
  children: ReactNode
}

/** A button with a countdown. It keeps the focus meanwhile. */
export function WaitButton({ until, type = 'button', counts = 'againIn', onClick, children, ...props }: WaitButtonProps) {
  const { t } = useTranslation(['common', 'session'])
  const left = useLeft(until)
  const waiting = left > 0
  return (
    <Button
      {...props}
      type={type}
      aria-disabled={waiting || undefined}
      data-disabled={waiting || undefined}
      onClick={(event) => {
        if (waiting) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {waiting ? t(`session:${counts}`, { time: shortCountdown(left) }) : children}
    </Button>
  )
}

/** Return the ms left until `until`, updated every second. */
function useLeft(until: number): number {
  const [left, setLeft] = useState(() => until - Date.now())
  useEffect(() => {
    const tick = () => {
      const remaining = until - Date.now()
      setLeft(remaining)
      if (remaining <= 0) clearInterval(timer)
    }
    const timer = setInterval(tick, SECOND)
    tick()
    return () => clearInterval(timer)
  }, [until])
  return left
}
