import { createContext, use, useCallback, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import type { Location, Params } from './address'
import type { Action } from './history'
import type { Blocker, Held, Match, Navigate, NavigateOptions, Router, RouterState } from './router'

export const RouterContext = createContext<Router | null>(null)
export const StateContext = createContext<RouterState | null>(null)
/** Changes with the address alone, not with what is on its way. */
export const LocationContext = createContext<Location | null>(null)
export const MatchContext = createContext<{ match: Match | null; outlet: ReactNode }>({ match: null, outlet: null })
export const ErrorContext = createContext<unknown>(undefined)

function within<Value>(value: Value | null): Value {
  if (value === null) throw new Error('There is no router around this')
  return value
}

export const useRouter = (): Router => within(use(RouterContext))
const useRouterState = (): RouterState => within(use(StateContext))

export const useLocation = (): Location => within(use(LocationContext))
export const useNavigate = (): Navigate => useRouter().navigate
export const useRevalidate = (): (() => Promise<void>) => useRouter().revalidate
export const useParams = (): Params => useRouterState().params
/** How one came to where one is. */
export const useNavigationType = (): Action => useRouterState().action
/** Whether another page is on its way. */
export const useIsLoading = (): boolean => useRouterState().loading
/** What the loader of the route answered that draws this. */
export const useLoaderData = <Data>(): Data => use(MatchContext).match?.data as Data
export const useRouteLoaderData = <Data>(id: string): Data | undefined =>
  useRouterState().matches.find(({ route }) => route.id === id)?.data as Data | undefined
/** What broke, for what is drawn in its place. */
export const useRouteError = (): unknown => use(ErrorContext)

type Search = URLSearchParams | Record<string, string>

/** The query of the address, and how to go to another one of the same page. */
export function useSearchParams() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const params = useMemo(() => new URLSearchParams(search), [search])
  const change = useCallback(
    (next: Search | ((current: URLSearchParams) => Search), options?: NavigateOptions) => {
      const query = typeof next === 'function' ? next(new URLSearchParams(params)) : next
      void navigate({ search: new URLSearchParams(query).toString() }, options)
    },
    [navigate, params],
  )
  return [params, change] as const
}

/** The navigation that is held up, if one is; `reset` lets it be. */
export function useBlocker(holds: Blocker['holds']): (Held & { reset: () => void }) | null {
  const router = useRouter()
  const [held, setHeld] = useState<Held | null>(null)
  const holdsNow = useEffectEvent(holds)
  useEffect(() => router.block({ holds: (way) => holdsNow(way), held: setHeld }), [router])
  const clear = () => setHeld(null)
  return (
    held && {
      ...held,
      proceed: () => {
        clear()
        held.proceed()
      },
      reset: clear,
    }
  )
}
