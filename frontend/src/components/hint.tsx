import type { TooltipProps } from '@mantine/core'
import { cloneElement, useCallback, useLayoutEffect, useState, type ReactElement, type Ref } from 'react'
import { useAfterIdle } from '@/lib/use-after-idle'

interface HintProps extends Omit<TooltipProps, 'children'> {
  /** What it is about. It is drawn anew once the hint is there, and has the focus then if it had it before. */
  children: ReactElement<{ ref?: Ref<HTMLElement> }>
}

/** What is shown on pointing at something: it comes when the page stands. */
export function Hint({ children, ...hint }: HintProps) {
  const [about, setAbout] = useState<HTMLElement | null>(null)
  const load = useCallback(async () => {
    const { Tooltip } = (await import('./hint-parts')).parts
    return { Tooltip, focused: about !== null && about === document.activeElement }
  }, [about])
  const there = useAfterIdle(load)
  useLayoutEffect(() => {
    if (there?.focused) about?.focus()
  }, [there, about])
  const child = cloneElement(children, { ref: setAbout })
  return there ? <there.Tooltip {...hint}>{child}</there.Tooltip> : child
}
