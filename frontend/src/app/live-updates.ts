import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LiveKind } from '@/api/types.gen'
import { connectLive, type LiveState } from '@/lib/live'
import { setLiveState } from '@/lib/live-state'
import { withTags } from '@/lib/query-tags'
import { POST_TAGS } from '@/lib/refetch-posts'
import { useToken } from '@/lib/token'

const COLLECT_FOR = 250 // ms: a busy run reports several changes at once
/** Interval of fetching everything visible while there is no live stream. */
const POLL = 30_000 // ms
/** A tab hidden for this long closes its stream: a browser opens at most six connections to a server. */
const HIDDEN_FOR = 2_000 // ms

/** Follow the live events in a separate component, so that they do not render the frame again. */
export function LiveUpdates(): null {
  useLiveUpdates()
  return null
}

/** Fetch again what a live event names while the tab is visible, and everything when it becomes visible again. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  const token = useToken()
  useEffect(() => {
    if (token === null) return
    const changed = new Set<LiveKind>()
    let collecting: ReturnType<typeof setTimeout> | undefined
    let polling: ReturnType<typeof setInterval> | undefined
    let hiding: ReturnType<typeof setTimeout> | undefined
    let close: (() => void) | undefined
    let hasMissedEvents = false
    const refetchAll = () => void queryClient.invalidateQueries()
    const refetchChanged = () => {
      collecting = undefined
      void refetchKinds(queryClient, changed)
      changed.clear()
    }
    const onState = (state: LiveState) => {
      setLiveState(state)
      if (state.status === 'stale') polling ??= setInterval(refetchAll, POLL)
      else polling = void clearInterval(polling)
      if (state.status !== 'live' || !hasMissedEvents) return
      hasMissedEvents = false
      refetchAll()
    }
    const onEvent = ({ kind }: { kind: LiveKind }) => {
      changed.add(kind)
      collecting ??= setTimeout(refetchChanged, COLLECT_FOR)
    }
    const leave = () => {
      polling = void clearInterval(polling)
      close?.()
      close = undefined
      hasMissedEvents = true
    }
    const onVisibility = () => {
      clearTimeout(hiding)
      if (document.visibilityState === 'hidden') hiding = setTimeout(leave, HIDDEN_FOR)
      else close ??= connectLive(token, { onEvent, onState, onGap: refetchAll })
    }
    // pagehide closes the stream, which a page in the back/forward cache would keep; open it again
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onVisibility()
    }
    onVisibility()
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', onShow)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', onShow)
      clearTimeout(hiding)
      leave()
      clearTimeout(collecting)
    }
  }, [queryClient, token])
}

const EVERYTHING = 'everything'

/** The API tags whose responses change with a kind of object; every generated query key contains its tags. */
const TAGS = {
  assistant: ['assistants', 'calendar', 'overview'],
  // while a run writes an article, the article's page shows the part in progress
  run: ['assistants', 'articles', 'calendar', 'overview'],
  post: POST_TAGS,
  // each website has its own account
  account: ['accounts', 'websites', 'assistants', 'overview'],
  topic_tree: ['topics', 'overview'],
  template: ['templates', 'overview'],
  brand: ['brands'],
  media: ['media'],
  notification: ['notifications'],
  // a running tryout sends several events a second
  tryout: ['tryouts'],
  topic_feed: ['topic-feeds'],
  topic_suggestion: ['topic-suggestions'],
  website: ['websites', 'articles'],
  // the subscription pauses and resumes assistants
  subscription: ['subscription', 'assistants', 'calendar', 'overview'],
  // deleting a user deletes everything
  user: EVERYTHING,
  all: EVERYTHING,
} satisfies Record<LiveKind, readonly string[] | typeof EVERYTHING>

export function refetchKinds(queryClient: QueryClient, kinds: ReadonlySet<LiveKind>): Promise<void> {
  const tags = new Set<string>()
  for (const kind of kinds) {
    const answering = TAGS[kind]
    if (answering === EVERYTHING) return queryClient.invalidateQueries()
    answering.forEach((tag) => tags.add(tag))
  }
  return queryClient.invalidateQueries(withTags(...tags))
}
