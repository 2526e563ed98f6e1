import { Component, createElement, startTransition, use, useEffect, useLayoutEffect, useMemo, useState, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import { createPath, resolve, type To } from './address'
import { ErrorContext, LocationContext, MatchContext, RouterContext, StateContext, useLocation, useNavigate, useRouter } from './hooks'
import { createMemoryRouter, type NavigateOptions, type Router, type RouterState } from './router'

interface RouterProviderProps {
  router: Router
  /** In place of what its routes show. */
  children?: ReactNode
}

/** Shows where the router is. */
export function RouterProvider({ router, children }: RouterProviderProps) {
  const [state, setState] = useState(router.state)
  useLayoutEffect(() => {
    // a large page is drawn without holding up what is typed meanwhile
    const follow = () => startTransition(() => setState(router.state))
    follow() // what has come since it was drawn
    return router.subscribe(follow)
  }, [router])
  const { location, matches, failure } = state
  const page = useMemo(() => draw({ location, matches, failure }), [location, matches, failure])
  return (
    <RouterContext value={router}>
      <StateContext value={state}>
        <LocationContext value={location}>{children ?? page}</LocationContext>
      </StateContext>
    </RouterContext>
  )
}

/** For tests of what needs an address: a router whose one page this is. */
export function MemoryRouter({ initialEntries, children }: { initialEntries?: readonly string[]; children: ReactNode }) {
  const [router] = useState(() => createMemoryRouter([{ path: '*' }], { initialEntries }))
  return <RouterProvider router={router}>{children}</RouterProvider>
}

function draw({ location, matches, failure }: Pick<RouterState, 'location' | 'matches' | 'failure'>): ReactNode {
  const drawn = failure ? matches.slice(0, failure.at + 1) : matches
  return drawn.reduceRight<ReactNode>((outlet, match, index) => {
    const { ErrorBoundary } = match.route
    const failed = failure?.at === index
    if (failed && !ErrorBoundary) throw failure.reason
    const shown = failed ? null : match.shown
    const inner = shown?.Component ? createElement(shown.Component) : shown && 'element' in shown ? shown.element : outlet
    const content = <MatchContext value={{ match, outlet }}>{inner}</MatchContext>
    if (!ErrorBoundary) return content
    const instead = createElement(ErrorBoundary)
    return (
      <Boundary instead={instead} page={location.key}>
        {failed ? <ErrorContext value={failure.reason}>{instead}</ErrorContext> : content}
      </Boundary>
    )
  }, null)
}

interface BoundaryProps {
  children: ReactNode
  instead: ReactNode
  /** The next one may be whole again. */
  page: string
}

class Boundary extends Component<BoundaryProps, { broken?: { reason: unknown }; page: string }> {
  override state: { broken?: { reason: unknown }; page: string } = { page: this.props.page }

  static getDerivedStateFromError(reason: unknown) {
    return { broken: { reason } }
  }

  static getDerivedStateFromProps({ page }: BoundaryProps, state: { page: string }) {
    return state.page === page ? null : { page, broken: undefined }
  }

  override render() {
    const { broken } = this.state
    const { instead, children } = this.props
    return broken ? <ErrorContext value={broken.reason}>{instead}</ErrorContext> : children
  }
}

/** Where a route shows what is within it. */
export const Outlet = () => use(MatchContext).outlet

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'>, NavigateOptions {
  to: To
}

/** A link within the app. What the browser does with a click and a key held down, it still does. */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const router = useRouter()
  const location = useLocation()
  const href = createPath(resolve(to, location))
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const elsewhere = event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey
    if (event.defaultPrevented || elsewhere || (rest.target && rest.target !== '_self')) return
    event.preventDefault()
    // coming to where one is adds no step back
    void router.navigate(to, { replace: replace ?? href === createPath(location), state })
  }
  return <a {...rest} href={href} onClick={follow} />
}

/** A link that says whether one is there, or below it. */
export function NavLink({ className, ...props }: LinkProps) {
  const location = useLocation()
  const { pathname } = resolve(props.to, location)
  const isHere = location.pathname === pathname || location.pathname.startsWith(`${pathname}/`)
  return <Link {...props} className={isHere ? `${className ?? ''} active` : className} aria-current={isHere ? 'page' : undefined} />
}

/** Drawn, it leads on. */
export function Navigate({ to, replace, state }: { to: To } & NavigateOptions) {
  const navigate = useNavigate()
  const path = JSON.stringify(to) // the same address may be another object each time
  useEffect(() => void navigate(JSON.parse(path) as To, { replace, state }), [navigate, path, replace, state])
  return null
}
