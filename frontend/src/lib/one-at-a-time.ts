import type { MutateOptions, UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Return `act`, guarded to do nothing and return undefined while its last call runs: a second click may come before the
 * button is rendered as loading.
 */
export function useOneAtATime<Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) {
  const underWay = useRef(false)
  return async (...args: Args): Promise<Result | undefined> => {
    if (underWay.current) return undefined
    underWay.current = true
    try {
      return await act(...args)
    } finally {
      underWay.current = false
    }
  }
}

/** Return a queue that runs tasks one after the other, whether or not the one before has failed. */
export function useQueue() {
  const last = useRef<Promise<unknown>>(undefined)
  const idle = async () => {
    await last.current?.catch(() => undefined)
  }
  return {
    isBusy: () => last.current !== undefined,
    /** Resolve when the tasks queued so far have ended. */
    idle,
    run: <Result>(task: () => Promise<Result>): Promise<Result> => {
      const next: Promise<Result> = idle()
        .then(task)
        .finally(() => {
          if (last.current === next) last.current = undefined
        })
      last.current = next
      return next
    },
  }
}

/** Return a mutation's `mutate` that ignores calls while one runs. */
export function useMutateOnce<Data, Failure, Args, Context>(
  mutation: UseMutationResult<Data, Failure, Args, Context>,
): (args: Args, options?: MutateOptions<Data, Failure, Args, Context>) => void {
  const mutateOnce = useOneAtATime(async (args: Args, options?: MutateOptions<Data, Failure, Args, Context>) => {
    try {
      await mutation.mutateAsync(args, options)
    } catch {
      // as with `mutate`: the mutation's `error` and `onError` handle it
    }
  })
  return (args, options) => void mutateOnce(args, options)
}
