import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

/**
 * What was typed and not saved, while the app is open. It lives beside the fetched data, so that it goes with it when
 * the session ends.
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

const keyOf = (name: string) => ['draft', name]

/** For a form that is still to come. */
export function keepDraft<Values>(queryClient: QueryClient, name: string, values: Values): void {
  queryClient.setQueryDefaults(['draft'], { gcTime: Infinity })
  queryClient.setQueryData(keyOf(name), values)
}
