import { useEffect, useState } from 'react'
import { idle } from './idle'

interface Wish {
  /** Draws with it as soon as it is there, not only when somebody reaches for it. */
  atOnce?: boolean
}

/**
 * A part of a page that is loaded once the page stands, or when somebody reaches for it. What is there when a page is
 * drawn is used in that moment.
 */
export function loadedLater<Part extends object>(load: () => Promise<Part>) {
  let loaded: Part | undefined
  const bring = async (): Promise<Part> => (loaded ??= await load())
  /** Ahead of the press; where it fails, the press says so. */
  const reach = () => void bring().catch(() => undefined)

  function useLoaded({ atOnce = false }: Wish = {}) {
    const [part, setPart] = useState(loaded)
    const [failure, setFailure] = useState<Error>()
    useEffect(() => {
      let gone = false
      void idle()
        .then(bring)
        .then((brought) => {
          if (atOnce && !gone) setPart(brought)
        })
        .catch(() => undefined)
      return () => {
        gone = true
      }
    }, [atOnce])
    if (failure) throw failure
    /** Draws with it: in this moment where it is there. */
    const draw = () => {
      if (loaded) setPart(loaded)
      else bring().then(setPart, setFailure)
    }
    return { part, reach, draw }
  }
  return { bring, useLoaded }
}
