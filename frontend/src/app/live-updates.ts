import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LiveKind } from '@/api/types.gen'
import { connectLive, type LiveState } from '@/lib/live'
import { setLiveState } from '@/lib/live-state'
import { withTags } from '@/lib/query-tags'
import { useToken } from '@/lib/token'

const COLLECT_FOR = 250 // ms: a busy run reports several changes at once
/** How often everything that is shown is asked for while no stream tells what has changed. */
const POLL = 30_000 // ms
/** A tab that is hidden for so long closes its stream: a browser opens six connections to a server at most. */
const HIDDEN_FOR = 2_000 // ms

/** Follow the live events without drawing the frame again at each. */
export function LiveUpdates(): null {
  useLiveUpdates()
  return null
}

/** Asks again for what a live event names, while the tab is visible, and for everything when it is visible again. */
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
    let missed = false
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
      if (state.status !== 'live' || !missed) return
      missed = false
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
      missed = true
    }
    const onVisibility = () => {
      clearTimeout(hiding)
      if (document.visibilityState === 'hidden') hiding = setTimeout(leave, HIDDEN_FOR)
      else close ??= connectLive(token, { onEvent, onState, onGap: refetchAll })
    }
    // a page that the browser keeps for the back button would keep its connection
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

/** Which API tags answer differently after a change of a kind; every generated query key carries its tags. */
const TAGS = {
  assistant: ['assistants', 'calendar', 'overview'],
  // while it makes an article, the page of that says which part
  run: ['assistants', 'articles', 'calendar', 'overview'],
  // the live page of an assistant shows the deliveries of its post
  post: ['posts', 'articles', 'websites', 'calendar', 'approvals', 'assistants', 'overview'],
  // a website is reached through an account of its own
  account: ['accounts', 'websites', 'assistants', 'overview'],
  topic_tree: ['topics', 'overview'],
  template: ['templates', 'overview'],
  media: ['media'],
  notification: ['notifications'],
  // one at work says so several times a second
  tryout: ['tryouts'],
  topic_suggestion: ['topic-suggestions'],
  website: ['websites', 'articles'],
  // what it unlocks pauses and resumes assistants
  subscription: ['subscription', 'assistants', 'calendar', 'overview'],
  // an account that is being deleted takes all with it
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
