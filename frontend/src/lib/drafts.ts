import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sessionName } from './token'

/**
 * What was typed and not saved, while the app is open. It belongs to one session: it lives beside the fetched data,
 * goes with it when that ends, and is not found by another.
 */
export function useDraft<Values>(name: string) {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const key = keyOf(name)
    return {
      read: () => queryClient.getQueryData<Values>(key),
      keep: (values: Values) => keepDraft(queryClient, name, values),
      drop: () => queryClient.removeQueries({ queryKey: key, exact: true }),
    }
  }, [queryClient, name])
}

const keyOf = (name: string) => ['draft', sessionName(), name]

/** For a form that is still to come. */
export function keepDraft<Values>(queryClient: QueryClient, name: string, values: Values): void {
  queryClient.setQueryDefaults(['draft'], { gcTime: Infinity })
  queryClient.setQueryData(keyOf(name), values)
}
