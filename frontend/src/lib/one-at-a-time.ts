import type { MutateOptions, UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Return `act`, guarded to do nothing and return undefined while its last call runs: a second click may come before the
 * button is rendered as loading.
 */
export function useOneAtATime<Given extends unknown[], Result>(act: (...given: Given) => Promise<Result>) {
  const underWay = useRef(false)
  return async (...given: Given): Promise<Result | undefined> => {
    if (underWay.current) return undefined
    underWay.current = true
    try {
      return await act(...given)
    } finally {
      underWay.current = false
    }
  }
}

/** Return a mutation's `mutate` that ignores calls while one runs. */
export function useMutateOnce<Data, Failure, Given, Context>(
  mutation: UseMutationResult<Data, Failure, Given, Context>,
): (given: Given, options?: MutateOptions<Data, Failure, Given, Context>) => void {
  const once = useOneAtATime(async (given: Given, options?: MutateOptions<Data, Failure, Given, Context>) => {
    try {
      await mutation.mutateAsync(given, options)
    } catch {
      // as with `mutate`: the mutation's `error` and `onError` handle it
    }
  })
  return (given, options) => void once(given, options)
}
