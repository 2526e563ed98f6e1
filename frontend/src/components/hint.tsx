import type { ReactElement } from 'react'
import { useAfterIdle } from '@/lib/use-after-idle'

interface HintProps {
  label: string
  /** What says the same to those who point at nothing. It is drawn anew once the hint is there, so it holds no focus. */
  children: ReactElement
}

const loadHint = async () => (await import('./hint-parts')).withHint

/** What is shown on pointing at a sign: it comes when the page stands. */
export function Hint({ label, children }: HintProps) {
  const withHint = useAfterIdle(loadHint)
  return withHint ? withHint(label, children) : children
}
