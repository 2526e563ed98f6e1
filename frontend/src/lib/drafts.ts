import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

/**
 * What was typed and not saved, while the app is open. It lives beside the fetched data, so that it goes with it when
 * the session ends.
 */
export function useDraft<Values>(name: string) {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const key = ['draft', name]
    return {
      read: () => queryClient.getQueryData<Values>(key),
      keep: (values: Values) => {
        queryClient.setQueryDefaults(['draft'], { gcTime: Infinity })
        queryClient.setQueryData(key, values)
      },
      drop: () => queryClient.removeQueries({ queryKey: key, exact: true }),
    }
  }, [queryClient, name])
}
