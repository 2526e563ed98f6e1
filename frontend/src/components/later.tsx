import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { idle } from '@/lib/idle'

interface Opening {
  opened: boolean
}

/**
 * A dialog or a drawer that is loaded once its page stands: what these are made of is much of a page, and no part of
 * what a page shows first. Opened before that, it shows as soon as it is there.
 */
export function later<Props extends Opening>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>
  function FirstClosed(props: Props) {
    // it remembers where the focus was in the moment in which it opens, not where it is drawn open
    const [drawn, setDrawn] = useState(false)
    useEffect(() => setDrawn(true), [])
    return <Part {...props} opened={props.opened && drawn} />
  }
  return function Later(props: Props) {
    const [reached, setReached] = useState(props.opened)
    if (props.opened && !reached) setReached(true)
    useEffect(() => {
      // ahead of the click; where it fails, the click says so
      void idle()
        .then(load)
        .catch(() => undefined)
    }, [])
    return (
      reached && (
        <Suspense fallback={null}>
          <FirstClosed {...props} />
        </Suspense>
      )
    )
  }
}
