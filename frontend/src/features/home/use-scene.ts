import { useDocumentVisibility, useInViewport, useReducedMotion } from '@mantine/hooks'
import { useEffect, useState } from 'react'

export interface Scene {
  /** How long (ms) it is shown. */
  rest: number
}

/**
 * Return the current scene of a loop. It pauses for visitors who prefer less motion, who stop it, or who do not see it.
 */
export function useScene<Kind extends Scene>(scenes: readonly [Kind, ...Kind[]]) {
  const [at, setAt] = useState(0)
  const [stopped, setStopped] = useState(false)
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const tab = useDocumentVisibility()
  const calm = useReducedMotion(false, { getInitialValueInEffect: false })
  const scene = scenes[at] ?? scenes[0]
  const still = calm || stopped || !inViewport || tab === 'hidden'
  useEffect(() => {
    if (still) return
    const timer = setTimeout(() => setAt((at + 1) % scenes.length), scene.rest)
    return () => clearTimeout(timer)
  }, [still, at, scene.rest, scenes.length])
  return { ref, scene, still, stopped, calm, toggle: () => setStopped((before) => !before) }
}
