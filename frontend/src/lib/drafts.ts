import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readMeQueryKey } from '@/api/@tanstack/react-query.gen'
import type { UserOut } from '@/api/types.gen'
import { sessionName } from './token'

/**
 * What was typed and not saved, while the app is open. It belongs to one session: it lives beside the fetched data,
 * goes with it when somebody logs out, and is not found by another. Where the session ends by itself, it waits for the
 * same person.
 */
export function useDraft<Values>(name: string) {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const key = keyOf(name)
    return {
      read: () => {
        takeUp(queryClient)
        return queryClient.getQueryData<Values>(key)
      },
      keep: (values: Values) => keepDraft(queryClient, name, values),
      drop: () => queryClient.removeQueries({ queryKey: key, exact: true }),
    }
  }, [queryClient, name])
}

const DRAFTS = ['draft']
const keyOf = (name: string) => [...DRAFTS, sessionName(), name]

/** For a form that is still to come. */
export function keepDraft<Values>(queryClient: QueryClient, name: string, values: Values): void {
  queryClient.setQueryDefaults(DRAFTS, { gcTime: Infinity })
  queryClient.setQueryData(keyOf(name), values)
}

/** What waits for somebody, by their id; the name of each form with what it holds. */
interface Left {
  owner: string
  drafts: [name: string, values: unknown][]
}

const left = new WeakMap<QueryClient, Left>()

const whoIsHere = (queryClient: QueryClient) => queryClient.getQueryData<UserOut>(readMeQueryKey())?.id

/** The session ended by itself, in the middle of a sentence perhaps: what was typed in it waits, in memory alone. */
export function setDraftsAside(queryClient: QueryClient): void {
  const owner = whoIsHere(queryClient)
  const drafts = queryClient
    .getQueriesData({ queryKey: DRAFTS })
    .map(([key, values]): [string, unknown] => [key.at(-1) as string, values])
  if (owner && drafts.length > 0) left.set(queryClient, { owner, drafts })
}

export const hasDraftsAside = (queryClient: QueryClient): boolean => left.has(queryClient)

/** Whoever is here now has it back, if it is theirs; if not, it goes. */
function takeUp(queryClient: QueryClient): void {
  const waiting = left.get(queryClient)
  const who = whoIsHere(queryClient)
  if (!waiting || !who) return
  left.delete(queryClient)
  if (waiting.owner === who) for (const [name, values] of waiting.drafts) keepDraft(queryClient, name, values)
}

const LOG_OUT = 'log-out'

/** Somebody logs out: nothing that was typed waits for anybody, in no tab. */
export function dropDrafts(queryClient: QueryClient): void {
  drop(queryClient)
  const tabs = new BroadcastChannel(LOG_OUT)
  tabs.postMessage(null)
  tabs.close()
}

/** Follows a log-out in another tab. Returns the function that stops it. */
export function watchLogOut(queryClient: QueryClient): () => void {
  const tabs = new BroadcastChannel(LOG_OUT)
  tabs.onmessage = () => drop(queryClient)
  return () => tabs.close()
}

function drop(queryClient: QueryClient): void {
  left.delete(queryClient)
  queryClient.removeQueries({ queryKey: DRAFTS })
}
