import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState, type MouseEventHandler, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { shortCountdown } from '@/lib/clock'
import type { Problem } from '@/lib/problems'

const SECOND = 1_000 // ms

/** When the server takes the next try, in ms since 1970; 0 where it did not ask to wait. */
export function waitEnd(problem: Problem): number {
  const seconds = Number(problem.params.retry_after)
  return problem.code === 'rate_limited' && seconds > 0 ? Date.now() + seconds * SECOND : 0
}

interface WaitButtonProps extends ButtonProps {
  /** Until then it only counts down; ms since 1970. */
  until: number
  type?: 'submit' | 'button'
  onClick?: MouseEventHandler
  /** What it says while it counts down: that it sends again, or that it can be tried again. */
  counts?: 'resendIn' | 'againIn'
  children: ReactNode
}

/** A button that shows how long it has to wait. It keeps the focus meanwhile, so that keys reach it afterwards. */
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

/** The ms that are left, counted in whole seconds from the moment at which `until` was set. */
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
