import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { NavigationType, Outlet, useLocation, useNavigate, useNavigationType, useRevalidator, useRouteLoaderData, type Location } from 'react-router'
import { MAIN_ID, SkipLink } from '@/components/skip-link'
import { onTokenRefused } from '@/lib/api-runtime'
import { watchLogOut, setDraftsAside } from '@/lib/drafts'
import { paths, signInPath } from '@/lib/paths'
import { watchToken } from '@/lib/token'
import { NavigationProgress } from './navigation-progress'
import { FRAME, signedIn, type FrameData } from './session-loaders'

/** Behaviour of all pages: the end of the session, and focus and scroll position on navigation. */
export function Root() {
  useSessionEnd()
  useArrival()
  return (
    <>
      <SkipLink />
      <NavigationProgress />
      <Suspense>
        <Outlet />
      </Suspense>
    </>
  )
}

function useSessionEnd() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { revalidate } = useRevalidator()
  const initialFrame = useRouteLoaderData<FrameData>(FRAME)
  const refused = useEffectEvent(() => {
    if (location.pathname === paths.signIn) return
    void leave(queryClient, () => navigate(signInPath(location), { state: { ended: true } }))
  })
  // the first calls are sent before the first render, so one of them may already have ended the session
  const refusedBefore = useEffectEvent(() => {
    if (initialFrame?.users && !signedIn()) refused()
  })
  useEffect(() => {
    refusedBefore()
    return onTokenRefused(() => refused())
  }, [])
  useEffect(() => watchToken(() => void leave(queryClient, revalidate)), [queryClient, revalidate])
  useEffect(() => watchLogOut(queryClient), [queryClient])
}

/** Leave the page, then clear the fetched data: a page still mounted would fetch it again. */
async function leave(queryClient: QueryClient, go: () => void | Promise<void>) {
  setDraftsAside(queryClient)
  await go()
  queryClient.clear()
}

/** On a new page focus its main element and scroll to the top; on Back restore the scroll position. */
function useArrival() {
  const location = useLocation()
  const how = useNavigationType()
  const scrollPositions = useRef(new Map<string, number>())
  const shown = useRef<Location>(null)
  useLayoutEffect(() => {
    const positions = scrollPositions.current
    const before = shown.current
    shown.current = location
    const main = document.getElementById(MAIN_ID)
    if (before && main && before.pathname !== location.pathname) {
      main.focus({ preventScroll: true })
      scroller(main).scrollTop = how === NavigationType.Pop ? (positions.get(location.key) ?? 0) : 0
    }
  }, [location, how])
  // record while scrolling, not on leaving: by then the next page, which may be shorter, is rendered
  useEffect(() => {
    const recordPosition = ({ target }: Event) => {
      const main = document.getElementById(MAIN_ID)
      const scrolled = target === document ? document.scrollingElement : target
      if (main && shown.current && scrolled === scroller(main)) scrollPositions.current.set(shown.current.key, scroller(main).scrollTop)
    }
    document.addEventListener('scroll', recordPosition, { capture: true, passive: true })
    return () => document.removeEventListener('scroll', recordPosition, { capture: true })
  }, [])
}

/** Return the scrolling element: the sheet on wide screens, the document on phones. */
function scroller(main: HTMLElement): Element {
  const sheetScrolls = getComputedStyle(main).overflowY === 'auto'
  return sheetScrolls ? main : (document.scrollingElement ?? main)
}
