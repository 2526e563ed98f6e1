import { lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/**
 * Return a component whose code is a separate chunk, loaded when it is first rendered. Until then `fallback` is shown
 * in its place.
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
