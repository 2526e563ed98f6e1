import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/**
 * Return a component whose code is a chunk of its own, which is loaded when the component is first drawn. Until then
 * `fallback` stands in its place.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Part {...props} />
      </Suspense>
    )
  }
}
