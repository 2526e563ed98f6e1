import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { LiveKind } from '@/api/types.gen'
import { connectLive, type LiveState } from '@/lib/live'
import { setLiveState } from '@/lib/live-state'
import { withTags } from '@/lib/query-tags'
import { shareLive } from '@/lib/shared-live'
import { sessionName, useToken } from '@/lib/token'

const COLLECT_FOR = 250 // ms: a busy run reports several changes at once
/** How often everything that is shown is asked for while no stream tells what has changed. */
const POLL = 30_000 // ms

/** None on plain HTTP, whatever the types say. */
const tabLocks = (): LockManager | undefined => navigator.locks

/** A stream that only hidden tabs share goes at last. Where each has its own, it goes with the sight of the tab. */
const hiddenFor = () => (tabLocks() ? 5 * 60_000 : 2_000) // ms

/** Follow the live events without drawing the frame again at each. */
export function LiveUpdates(): null {
  useLiveUpdates()
  return null
}

/** Asks again for what a live event names, while the app is open. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  const token = useToken()
  const resting = useLongHidden()
  const tookPart = useRef<string>(null)
  useEffect(() => {
    if (resting || token === null) return
    const changed = new Set<LiveKind>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let polling: ReturnType<typeof setInterval> | undefined
    const refetch = () => {
      timer = undefined
      void refetchKinds(queryClient, changed)
      changed.clear()
    }
    const follow = (state: LiveState) => {
      setLiveState(state)
      if (state.status === 'stale') polling ??= setInterval(() => void queryClient.invalidateQueries(), POLL)
      else polling = void clearInterval(polling)
    }
    const join = (returning: boolean) =>
      shareLive(
        {
          // tabs of one session: nobody hears what another user's stream says
          name: `postloom-live-${sessionName(token)}`,
          connect: (listener) => connectLive(token, listener),
          locks: tabLocks(),
          returning,
        },
        {
          onEvent: ({ kind }) => {
            changed.add(kind)
            timer ??= setTimeout(refetch, COLLECT_FOR)
          },
          onState: follow,
          onGap: () => void queryClient.invalidateQueries(),
        },
      )
    let leave = join(tookPart.current === token)
    tookPart.current = token
    // a page that the browser puts aside for the back button would keep its connection
    const onHide = () => leave()
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) leave = join(true)
    }
    window.addEventListener('pagehide', onHide)
    window.addEventListener('pageshow', onShow)
    return () => {
      window.removeEventListener('pagehide', onHide)
      window.removeEventListener('pageshow', onShow)
      leave()
      clearTimeout(timer)
      clearInterval(polling)
    }
  }, [queryClient, token, resting])
}

/** A tab that nobody has looked at for long listens no more, and looks at everything again when it is seen. */
function useLongHidden(): boolean {
  const hidden = useDocumentVisibility() === 'hidden'
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(hidden), hidden ? hiddenFor() : 0)
    return () => clearTimeout(timer)
  }, [hidden])
  return long
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
