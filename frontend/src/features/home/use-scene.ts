import { useDocumentVisibility, useInViewport, useReducedMotion } from '@mantine/hooks'
import { useEffect, useState } from 'react'

export interface Scene {
  /** How long it is shown, in ms. */
  rest: number
}

/**
 * Goes through the scenes and begins again. It stands still for whoever wants less motion, stops it, looks elsewhere on
 * the page, or has another tab in front.
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
