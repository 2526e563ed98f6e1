import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { connectLive } from '@/lib/live'
import { setLiveState } from '@/lib/live-state'

const COLLECT_FOR = 250 // ms: a busy run reports several changes at once
const HIDDEN_FOR = 5 * 60_000 // ms

/** Asks again for what a live event names, while the app is open. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  const resting = useLongHidden()
  useEffect(() => {
    if (resting) return
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refetch = () => {
      timer = undefined
      void refetchKinds(queryClient, changed)
      changed.clear()
    }
    const close = connectLive({
      onEvent: ({ kind }) => {
        changed.add(kind)
        timer ??= setTimeout(refetch, COLLECT_FOR)
      },
      onState: setLiveState,
      onGap: () => void queryClient.invalidateQueries(),
    })
    return () => {
      close()
      clearTimeout(timer)
    }
  }, [queryClient, resting])
}

/** A tab that nobody has looked at for long gives its connection back: browsers allow six to one server. */
function useLongHidden(): boolean {
  const hidden = useDocumentVisibility() === 'hidden'
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(hidden), hidden ? HIDDEN_FOR : 0)
    return () => clearTimeout(timer)
  }, [hidden])
  return long
}

/** Which API tags answer differently after a change of a kind; every generated query key carries its tags. */
const TAGS: Partial<Record<string, readonly string[]>> = {
  assistant: ['assistants', 'overview'],
  run: ['assistants', 'overview'],
  // the live page of an assistant shows the deliveries of its post
  post: ['posts', 'assistants', 'overview'],
  account: ['accounts', 'assistants', 'overview'],
  topic: ['topics', 'overview'],
  topic_tree: ['topics', 'overview'],
  template: ['templates', 'overview'],
  media: ['media'],
  // one at work says so several times a second
  tryout: ['tryouts'],
  topic_suggestion: ['topic-suggestions'],
}

/** A kind that is not known here is looked for among all queries, like the server's own `all`. */
export function refetchKinds(queryClient: QueryClient, kinds: ReadonlySet<string>): Promise<void> {
  const wanted = [...kinds].map((kind) => TAGS[kind])
  if (wanted.includes(undefined)) return queryClient.invalidateQueries()
  const tags = new Set(wanted.flatMap((found) => found ?? []))
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => {
      const [key] = queryKey as [{ tags?: readonly string[] }?]
      return key?.tags?.some((tag) => tags.has(tag)) ?? false
    },
  })
}
