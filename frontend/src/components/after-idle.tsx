import { createElement, type ComponentType } from 'react'
import { useAfterIdle } from '@/lib/use-after-idle'

interface AfterIdleProps {
  load: () => Promise<ComponentType>
  /** Whether it is waited for by now. */
  needed?: boolean
}

/** A part of the frame that nobody sees at once: it comes when the page stands. */
export function AfterIdle({ load, needed }: AfterIdleProps) {
  const part = useAfterIdle(load, needed)
  return part && createElement(part)
}
