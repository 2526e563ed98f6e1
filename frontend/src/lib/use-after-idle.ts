import { useEffect, useState } from 'react'
import { idle } from './idle'

const AGAIN_AFTER = 5_000 // ms

/**
 * A part that nobody waits for: loaded once the page stands, or at once where it is needed by now. Where that fails it
 * is tried again; the page does without it until then.
 */
export function useAfterIdle<Part>(load: () => Promise<Part>, needed = false): Part | undefined {
  const [part, setPart] = useState<Part>()
  const there = part !== undefined
  useEffect(() => {
    if (there) return
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const attempt = async () => {
      if (gone) return
      try {
        const loaded = await load()
        if (!gone) setPart(() => loaded)
      } catch {
        timer = setTimeout(() => void attempt(), AGAIN_AFTER)
      }
    }
    void (needed ? attempt() : idle().then(attempt))
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [load, needed, there])
  return part
}
