import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readMeQueryKey } from '@/api/@tanstack/react-query.gen'
import type { UserOut } from '@/api/types.gen'
import { sessionName } from './token'

/**
 * Keep what was typed and not saved while the app is open. A draft belongs to one session: it lives in the query cache,
 * is removed when the person logs out, and no other session finds it. If the session expires, the draft is kept for the
 * same person.
 */
export function useDraft<Values>(name: string) {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const key = keyOf(name)
    return {
      read: () => {
        restoreDrafts(queryClient)
        return queryClient.getQueryData<Values>(key)
      },
      keep: (values: Values) => keepDraft(queryClient, name, values),
      drop: () => queryClient.removeQueries({ queryKey: key, exact: true }),
    }
  }, [queryClient, name])
}

const DRAFTS = ['draft']
const keyOf = (name: string) => [...DRAFTS, sessionName(), name]

/** Keep a draft for a form that is not open yet. */
export function keepDraft<Values>(queryClient: QueryClient, name: string, values: Values): void {
  queryClient.setQueryDefaults(DRAFTS, { gcTime: Infinity })
  queryClient.setQueryData(keyOf(name), values)
}

/** Drafts of an expired session: their owner's id, and each form's values by name. */
interface AsideDrafts {
  owner: string
  drafts: [name: string, values: unknown][]
}

const aside = new WeakMap<QueryClient, AsideDrafts>()

const currentUserId = (queryClient: QueryClient) => queryClient.getQueryData<UserOut>(readMeQueryKey())?.id

/** Set the drafts of an expired session aside, in memory only, until the same user logs in again. */
export function setDraftsAside(queryClient: QueryClient): void {
  const owner = currentUserId(queryClient)
  const drafts = queryClient
    .getQueriesData({ queryKey: DRAFTS })
    .map(([key, values]): [string, unknown] => [key.at(-1) as string, values])
  if (owner && drafts.length > 0) aside.set(queryClient, { owner, drafts })
}

export const hasDraftsAside = (queryClient: QueryClient): boolean => aside.has(queryClient)

/** Restore the drafts that were set aside if their owner has logged in; drop them if another user has. */
function restoreDrafts(queryClient: QueryClient): void {
  const draftsAside = aside.get(queryClient)
  const userId = currentUserId(queryClient)
  if (!draftsAside || !userId) return
  aside.delete(queryClient)
  if (draftsAside.owner === userId) for (const [name, values] of draftsAside.drafts) keepDraft(queryClient, name, values)
}

const LOG_OUT = 'log-out'

/** Drop all drafts, in every tab, because the person logs out. */
export function dropDrafts(queryClient: QueryClient): void {
  drop(queryClient)
  const tabs = new BroadcastChannel(LOG_OUT)
  tabs.postMessage(null)
  tabs.close()
}

/** Drop the drafts when the person logs out in another tab. Return the function that stops watching. */
export function watchLogOut(queryClient: QueryClient): () => void {
  const tabs = new BroadcastChannel(LOG_OUT)
  tabs.onmessage = () => drop(queryClient)
  return () => tabs.close()
}

function drop(queryClient: QueryClient): void {
  aside.delete(queryClient)
  queryClient.removeQueries({ queryKey: DRAFTS })
}
