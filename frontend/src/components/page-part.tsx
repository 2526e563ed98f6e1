import { createElement, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { idle } from '@/lib/idle'
import { useAfterIdle } from '@/lib/use-after-idle'

interface Part {
  bring: () => Promise<unknown>
}

/**
 * A part that a page shows only at some of its addresses, or after a press: the others do not wait for its code. What is
 * there already is drawn in that moment, else `meanwhile` stands in its place.
 */
export function pagePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): ComponentType<Props> & Part {
  let loaded: ComponentType<Props> | undefined
  const bring = async () => (loaded ??= await load())
  const Later = lazy(async () => ({ default: await bring() })) as unknown as ComponentType<Props>
  function PagePart(props: Props) {
    const [part] = useState(() => loaded ?? Later)
    return <Suspense fallback={meanwhile}>{createElement(part, props)}</Suspense>
  }
  return Object.assign(PagePart, { bring })
}

/** An effect of a page that brings its parts once it stands, ahead of the click; where that fails, the click says so. */
export const bringAhead =
  (...parts: Part[]) =>
  (): void => {
    void idle()
      .then(() => Promise.all(parts.map(({ bring }) => bring())))
      .catch(() => undefined)
  }

/**
 * A part that is below what a page shows at first, or is filled by an answer that is still on its way: it comes once the
 * page stands. Until then `meanwhile` keeps its place.
 */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ReactNode = null,
): ComponentType<Props> & Part {
  let loaded: ComponentType<Props> | undefined
  const bring = async () => (loaded ??= await load())
  function LaterPart(props: Props) {
    const part = useAfterIdle(bring) ?? loaded
    return part ? createElement(part, props) : meanwhile
  }
  return Object.assign(LaterPart, { bring })
}
