import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { createPath, matchPath, resolve, type Location, type Params, type To } from './address'
import { browserHistory, memoryHistory, newKey, type Action, type History } from './history'

export interface LoaderArgs {
  /** Where the navigation leads. */
  url: URL
  params: Params
  /** Where the app keeps what it fetches. */
  queryClient?: QueryClient
}

/** What of a route may come later than the route. */
interface Shown {
  Component?: ComponentType
  element?: ReactNode
}

export interface Route extends Shown {
  /** By which other parts of the page ask for what its loader answered. */
  id?: string
  /** The whole address, `:name` for a part of any text; `*` is every address. The first that fits is shown. */
  path?: string
  /** What the page needs before it is shown; a `Redirect` that it throws leads elsewhere. */
  loader?: (args: LoaderArgs) => unknown
  /** Whether the loader is asked again while its route stays. Not where this is missing. */
  shouldRevalidate?: (urls: { currentUrl: URL; nextUrl: URL }) => boolean
  /** The code of the page, asked for when somebody goes there. */
  lazy?: () => Promise<Shown>
  /** In place of the route where it, or one within, breaks or could not be loaded. */
  ErrorBoundary?: ComponentType
  children?: Route[]
}

/** Thrown by a loader: the navigation leads here instead. */
export class Redirect extends Error {
  constructor(readonly to: string) {
    super(`Redirect to ${to}`)
  }
}

export interface Match {
  route: Route
  /** What is shown of it; null where it could not be loaded. */
  shown: Shown | null
  /** What the loader answered, or why it could not be loaded. */
  data: unknown
}

export interface RouterState {
  location: Location
  /** How one came here. */
  action: Action
  params: Params
  /** From the outermost to the page; empty until the first page is loaded. */
  matches: readonly Match[]
  /** What could not be loaded, and which of the matches stands for it. */
  failure: { at: number; reason: unknown } | null
  /** Whether another page is on its way. */
  loading: boolean
}

export interface NavigateOptions {
  replace?: boolean
  state?: unknown
}

export interface Navigate {
  /** Ends when the page is shown, or when something else came in between. */
  (to: To, options?: NavigateOptions): Promise<void>
  (delta: number): Promise<void>
}

/** May hold a navigation up. */
export interface Blocker {
  holds: (way: { currentLocation: Location; nextLocation: Location }) => boolean
  held: (way: Held) => void
}

/** A navigation that waits for an answer. */
export interface Held {
  location: Location
  proceed: () => void
}

export interface Router {
  readonly state: RouterState
  navigate: Navigate
  /** Asks the loaders again that want it, where one is. */
  revalidate: () => Promise<void>
  /** Answers how to stop. */
  subscribe: (changed: () => void) => () => void
  block: (blocker: Blocker) => () => void
}

interface RouterOptions {
  queryClient?: QueryClient
}

const MOST_REDIRECTS = 20

/** The routes from the outermost to the first whose address fits. */
function find(routes: readonly Route[], pathname: string): { branch: Route[]; params: Params } | null {
  for (const route of routes) {
    const params = route.path === undefined ? (route.children ? null : {}) : matchPath(route.path, pathname)
    if (params) return { branch: [route], params }
    const within = route.children && find(route.children, pathname)
    if (within) return { ...within, branch: [route, ...within.branch] }
  }
  return null
}

const urlOf = (path: Location) => new URL(createPath(path), location.origin)

/** The nearest that stands for what could not be loaded. */
function failureOf(matches: readonly Match[]): RouterState['failure'] {
  const broken = matches.findIndex(({ shown }) => !shown)
  if (broken < 0) return null
  const at = matches.findLastIndex(({ route }, index) => index <= broken && route.ErrorBoundary)
  return { at: Math.max(at, 0), reason: matches[broken]?.data }
}

const differInHashAlone = (one: Location, other: Location) =>
  one.pathname === other.pathname && one.search === other.search && one.hash !== other.hash && other.hash !== ''

/** Begins with the page at once. */
function createRouter(routes: readonly Route[], history: History, { queryClient }: RouterOptions): Router {
  const code = new Map<Route, Shown>()
  const listeners = new Set<() => void>()
  const blockers = new Set<Blocker>()
  let state: RouterState = { location: history.location, action: 'POP', params: {}, matches: [], failure: null, loading: false }
  // the navigation that is on its way; another one takes its place
  let onTheWay: { action: Action | null; to: Location } | null = null
  // a step that is taken back, or taken after an answer, is nobody's wish to go
  let silent = 0
  let allowed = false

  const become = (change: Partial<RouterState>) => {
    state = { ...state, ...change }
    for (const changed of listeners) changed()
  }

  /** A match with what it has to load; what it has already is kept. No promise where all is there. */
  function load(route: Route, args: LoaderArgs): Match | Promise<Match> {
    const before = state.matches.find((match) => match.route === route && match.shown)
    const urls = { currentUrl: urlOf(state.location), nextUrl: args.url }
    const asks = !before || route.shouldRevalidate?.(urls)
    const shown = route.lazy ? (code.get(route) ?? route.lazy()) : route
    const data: unknown = asks ? route.loader?.(args) : before.data
    if (!(shown instanceof Promise) && !(data instanceof Promise)) return { route, shown, data }
    return Promise.all([Promise.resolve(shown), Promise.resolve(data)]).then(([arrived, answer]) => {
      code.set(route, arrived)
      return { route, shown: arrived, data: answer }
    })
  }

  function loadAll(branch: Route[], args: LoaderArgs): Match[] | Promise<Match[]> {
    const failed = (route: Route, reason: unknown): Match => {
      if (reason instanceof Redirect) throw reason // at once; what else fails is told with the rest
      return { route, shown: null, data: reason }
    }
    const loading = branch.map((route) => {
      try {
        const match = load(route, args)
        return match instanceof Promise ? match.catch((reason: unknown) => failed(route, reason)) : match
      } catch (reason) {
        return failed(route, reason)
      }
    })
    const isThere = (match: Match | Promise<Match>): match is Match => !(match instanceof Promise)
    return loading.every(isThere) ? loading : Promise.all(loading.map((match) => Promise.resolve(match)))
  }

  /** `action` is null where one stays, and only asks again. */
  async function go(action: Action | null, to: Location, redirected = 0): Promise<void> {
    const own = { action, to }
    onTheWay = own
    if (state.matches.length > 0 && action && differInHashAlone(state.location, to)) return arrive(own, state)
    const found = find(routes, to.pathname)
    if (!found) throw new Error(`No route fits ${to.pathname}`)
    const { branch, params } = found
    try {
      const loading = loadAll(branch, { url: urlOf(to), params, queryClient })
      const waits = loading instanceof Promise
      if (waits && action && state.matches.length > 0 && !state.loading) become({ loading: true })
      const matches = waits ? await loading : loading
      if (onTheWay !== own) return
      arrive(own, { params, matches, failure: failureOf(matches) })
    } catch (reason) {
      if (!(reason instanceof Redirect) || redirected > MOST_REDIRECTS) throw reason
      // the entry that one went back to, or began with, leads nowhere
      if (onTheWay === own) return go(action === 'PUSH' ? action : 'REPLACE', locationOf(resolve(reason.to, to)), redirected + 1)
    }
  }

  function arrive({ action, to }: { action: Action | null; to: Location }, page: Pick<RouterState, 'params' | 'matches' | 'failure'>) {
    onTheWay = null
    if (action === 'PUSH') history.push(to)
    if (action === 'REPLACE') history.replace(to)
    const { params, matches, failure } = page
    become({ location: to, action: action ?? state.action, params, matches, failure, loading: false })
  }

  const locationOf = (path: Pick<Location, 'pathname' | 'search' | 'hash'>, given: unknown = null): Location => ({
    ...path,
    state: given,
    key: newKey(),
  })

  /** Who holds the way up, if anybody does. */
  const holder = (nextLocation: Location) =>
    [...blockers].find((blocker) => blocker.holds({ currentLocation: state.location, nextLocation }))

  function navigate(to: To | number, { replace, state: given }: NavigateOptions = {}): Promise<void> {
    if (typeof to === 'number') {
      history.go(to)
      return Promise.resolve()
    }
    const next = locationOf(resolve(to, state.location), given)
    const proceed = () => go(replace ? 'REPLACE' : 'PUSH', next)
    const blocker = holder(next)
    if (!blocker) return proceed()
    blocker.held({ location: next, proceed: () => void proceed() })
    return Promise.resolve()
  }

  history.listen((delta) => {
    if (silent > 0) {
      silent -= 1
      return
    }
    const next = history.location
    const blocker = allowed ? undefined : holder(next)
    allowed = false
    if (!blocker || !delta) return void go('POP', next)
    // the browser has gone there already
    silent += 1
    history.go(-delta)
    const proceed = () => {
      allowed = true
      history.go(delta)
    }
    blocker.held({ location: next, proceed })
  })

  const router: Router = {
    get state() {
      return state
    },
    navigate,
    revalidate: () => (onTheWay ? go(onTheWay.action, onTheWay.to) : go(null, state.location)),
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    block(blocker) {
      blockers.add(blocker)
      return () => blockers.delete(blocker)
    },
  }
  void go('POP', history.location)
  return router
}

export const createBrowserRouter = (routes: readonly Route[], options: RouterOptions = {}): Router =>
  createRouter(routes, browserHistory(), options)

/** For tests. */
export const createMemoryRouter = (
  routes: readonly Route[],
  { initialEntries, ...options }: RouterOptions & { initialEntries?: readonly string[] } = {},
): Router => createRouter(routes, memoryHistory(initialEntries), options)
