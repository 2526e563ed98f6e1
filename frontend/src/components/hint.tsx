import type { TooltipProps } from '@mantine/core'
import { cloneElement, useCallback, useLayoutEffect, useRef, type ReactElement, type Ref } from 'react'
import { useAfterIdle } from '@/lib/use-after-idle'

interface HintProps extends Omit<TooltipProps, 'children'> {
  /** What it is about. It is drawn anew once the hint is there, and has the focus then if it had it before. */
  children: ReactElement<{ ref?: Ref<HTMLElement> }>
}

/** What is shown on pointing at something: it comes when the page stands. */
export function Hint({ children, ...hint }: HintProps) {
  const about = useRef<HTMLElement>(null)
  const load = useCallback(async () => {
    const { Tooltip } = await import('./hint-parts')
    return { Tooltip, focused: about.current !== null && about.current === document.activeElement }
  }, [])
  const there = useAfterIdle(load)
  useLayoutEffect(() => {
    if (there?.focused) about.current?.focus()
  }, [there])
  const child = cloneElement(children, { ref: about })
  return there ? <there.Tooltip {...hint}>{child}</there.Tooltip> : child
}
