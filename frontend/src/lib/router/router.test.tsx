import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Link, Navigate, NavLink, Outlet, RouterProvider } from './components'
import { useBlocker, useIsLoading, useLoaderData, useLocation, useNavigate, useParams, useRouteError, useSearchParams } from './hooks'
import { createBrowserRouter, createMemoryRouter, Redirect, type LoaderArgs, type Route, type Router } from './router'

/** A promise, and how to keep it or break it. */
function promised<Value>() {
  let keep: (value: Value) => void = () => undefined
  let fail: (reason: unknown) => void = () => undefined
  const promise = new Promise<Value>((resolve, reject) => {
    keep = resolve
    fail = reject
  })
  return { promise, keep, fail }
}

function show(router: Router): Router {
  render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
  return router
}

const open = (routes: Route[], ...initialEntries: string[]) =>
  show(createMemoryRouter(routes, initialEntries.length ? { initialEntries } : {}))

const address = ({ state: { location } }: Router) => location.pathname + location.search + location.hash

const Failed = () => <p role="alert">{(useRouteError() as Error).message}</p>

test('a page that needs nothing is there at once, with what its address names', () => {
  const Post = () => <h1>{`Post ${useParams().postId}`}</h1>
  open([{ path: '/posts/:postId', Component: Post }, { path: '*', element: 'lost' }], '/posts/7')
  expect(screen.getByRole('heading')).toHaveTextContent('Post 7')
})

test('the old page stays until the next one is loaded, and its address with it', async () => {
  const code = promised<Route>()
  const Loading = () => (useIsLoading() ? <p>on its way</p> : null)
  const Frame = () => (
    <>
      <Loading />
      <Outlet />
    </>
  )
  const pages = [
    { path: '/', element: 'here' },
    { path: '/next', lazy: () => code.promise },
  ]
  const router = open([{ Component: Frame, children: pages }])
  act(() => void router.navigate('/next'))
  await screen.findByText('on its way')
  expect(screen.getByText('here')).toBeVisible()
  expect(address(router)).toBe('/')
  await act(async () => {
    code.keep({ element: 'there' })
    await code.promise
  })
  await screen.findByText('there')
  expect(address(router)).toBe('/next')
  expect(screen.queryByText('on its way')).toBeNull()
})

test('who goes elsewhere meanwhile arrives there, and nowhere else later', async () => {
  const slow = promised<Route>()
  const router = open([
    { path: '/', element: 'here' },
    { path: '/slow', lazy: () => slow.promise },
    { path: '/quick', lazy: () => Promise.resolve({ element: 'quick' }) },
  ])
  const first = router.navigate('/slow')
  await act(() => router.navigate('/quick'))
  await act(async () => {
    slow.keep({ element: 'slow' })
    await first
  })
  expect(screen.getByText('quick')).toBeVisible()
  expect(address(router)).toBe('/quick')
})

test('code is asked for once, and again only where it failed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const answers = [Promise.reject(new Error('lost on the way')), Promise.resolve({ element: 'there' })]
  answers[0]?.catch(() => undefined)
  const lazy = vi.fn(() => answers.shift() ?? Promise.reject(new Error('asked too often')))
  const Frame = () => (
    <main>
      <Outlet />
    </main>
  )
  const within = { ErrorBoundary: Failed, children: [{ path: '/', element: 'here' }, { path: '/next', lazy }] }
  const router = open([{ ErrorBoundary: () => 'all is lost', Component: Frame, children: [within] }])
  await act(() => router.navigate('/next'))
  expect(screen.getByRole('main')).toHaveTextContent('lost on the way')
  expect(address(router)).toBe('/next')
  for (const to of ['/', '/next', '/', '/next']) await act(() => router.navigate(to))
  expect(screen.getByRole('main')).toHaveTextContent('there')
  expect(lazy).toHaveBeenCalledTimes(2)
})

test('a page that breaks leaves its frame standing, and the next one is whole', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const Broken = () => {
    throw new Error('broken')
  }
  const pages = [
    { path: '/', Component: Broken },
    { path: '/next', element: 'there' },
  ]
  const router = open([{ ErrorBoundary: Failed, children: pages }])
  expect(screen.getByRole('alert')).toHaveTextContent('broken')
  await act(() => router.navigate('/next'))
  expect(screen.getByText('there')).toBeVisible()
})

test('a loader tells its page; it is asked again where it wants to be', async () => {
  const asked: string[] = []
  const answer = ({ url }: LoaderArgs) => {
    asked.push(url.search)
    return `for ${url.searchParams.get('of')}`
  }
  const List = () => <p>{useLoaderData<string>()}</p>
  const route: Route = {
    path: '/list',
    loader: answer,
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.searchParams.get('of') !== nextUrl.searchParams.get('of'),
    Component: List,
  }
  const router = open([route], '/list?of=a')
  await act(() => router.navigate('?of=a&page=2'))
  expect(screen.getByText('for a')).toBeVisible()
  await act(() => router.navigate({ search: 'of=b' }))
  expect(screen.getByText('for b')).toBeVisible()
  await act(() => router.navigate('#end'))
  expect(asked).toEqual(['?of=a', '?of=b', ''])
  await act(() => router.navigate('#start'))
  expect(asked).toHaveLength(3)
  expect(address(router)).toBe('/list#start')
})

test('a page keeps what was typed into it while its query changes', async () => {
  const user = userEvent.setup()
  const Page = () => {
    const [params, change] = useSearchParams()
    return <input aria-label={`tab ${params.get('tab')}`} onBlur={() => change({ tab: 'two' }, { replace: true })} />
  }
  const lazy = () => Promise.resolve({ Component: Page })
  open([{ path: '/', loader: () => Promise.resolve(null), shouldRevalidate: () => true, lazy }], '/?tab=one')
  await user.type(await screen.findByLabelText('tab one'), 'kept')
  await user.tab()
  expect(await screen.findByLabelText('tab two')).toHaveValue('kept')
})

test('a redirect leads on before anything else is waited for', async () => {
  const guard = ({ url }: LoaderArgs) => {
    throw new Redirect(`/login?next=${encodeURIComponent(url.pathname + url.search)}`)
  }
  const never = () => new Promise<Route>(() => undefined)
  const router = open([
    { path: '/', element: 'here' },
    { path: '/login', element: 'log in' },
    { loader: guard, children: [{ path: '/secret', lazy: never }] },
  ])
  await act(() => router.navigate('/secret?a=1'))
  expect(address(router)).toBe('/login?next=%2Fsecret%3Fa%3D1')
  await act(() => router.navigate(-1))
  expect(address(router)).toBe('/')
})

test('what holds no longer is found when it is looked at again', async () => {
  let signedIn = true
  const guard = () => {
    if (!signedIn) throw new Redirect('/login')
  }
  const router = open([
    { path: '/login', element: 'log in' },
    { loader: guard, shouldRevalidate: () => true, children: [{ path: '/secret', element: 'secret' }] },
  ], '/secret')
  await act(() => router.revalidate())
  expect(screen.getByText('secret')).toBeVisible()
  signedIn = false
  await act(() => router.revalidate())
  expect(screen.getByText('log in')).toBeVisible()
})

test('redirects that lead to each other end', async () => {
  const to = (path: string) => () => {
    throw new Redirect(path)
  }
  const router = open([
    { path: '/', element: 'here' },
    { path: '/a', loader: to('/b') },
    { path: '/b', loader: to('/a') },
  ])
  await expect(router.navigate('/a')).rejects.toThrow('Redirect')
  expect(screen.getByText('here')).toBeVisible()
})

/** Leaving asks, as long as the box is checked. */
function Editor() {
  const [unsaved, setUnsaved] = useState(true)
  const way = useBlocker(({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname)
  const navigate = useNavigate()
  return (
    <>
      <input type="checkbox" checked={unsaved} onChange={() => setUnsaved(!unsaved)} />
      <Link to="/list">List</Link>
      <button onClick={() => void navigate({ search: 'tab=two' })}>Other tab</button>
      {way && (
        <div role="dialog" aria-label={`To ${way.location.pathname}?`}>
          <button onClick={way.proceed}>Leave</button>
          <button onClick={way.reset}>Stay</button>
        </div>
      )}
    </>
  )
}

const editing: Route[] = [
  { path: '/list', element: 'the list' },
  { path: '/editor', Component: Editor },
]

/** The browser’s own history, which tells of a step some time after it was made. */
function openInBrowser(at: string) {
  history.pushState(null, '', at)
  const router = show(createBrowserRouter(editing))
  return { router, user: userEvent.setup() }
}

afterEach(() => history.replaceState(null, '', '/'))

test('a link away asks first: staying changes nothing, leaving leads there', async () => {
  const { router, user } = openInBrowser('/editor')
  await user.click(screen.getByRole('button', { name: 'Other tab' }))
  expect(location.search).toBe('?tab=two')
  await user.click(screen.getByRole('link', { name: 'List' }))
  await user.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(location.pathname).toBe('/editor')
  await user.click(screen.getByRole('link', { name: 'List' }))
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('the list')).toBeVisible()
  expect(location.pathname).toBe('/list')
  expect(router.state.action).toBe('PUSH')
})

test('Back asks first, too, and the address stays true meanwhile', async () => {
  const { router, user } = openInBrowser('/list')
  await act(() => router.navigate('/editor'))
  act(() => history.back())
  const question = await screen.findByRole('dialog', { name: 'To /list?' })
  await waitFor(() => expect(location.pathname).toBe('/editor'))
  await user.click(screen.getByRole('button', { name: 'Stay' }))
  expect(question).not.toBeInTheDocument()

  act(() => history.back())
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('the list')).toBeVisible()
  expect(location.pathname).toBe('/list')
  expect(router.state.action).toBe('POP')

  // what was left is one step ahead, and asks again
  act(() => history.forward())
  await user.click(await screen.findByRole('checkbox'))
  act(() => history.back())
  expect(await screen.findByText('the list')).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('what was left with an address is there again after a step back, and its key is the same', async () => {
  const { router } = openInBrowser('/list')
  await act(() => router.navigate('?page=2', { state: { sentAt: 5 } }))
  const { key } = router.state.location
  act(() => history.back())
  await waitFor(() => expect(router.state.location).toMatchObject({ search: '', state: null }))
  act(() => history.forward())
  await waitFor(() => expect(router.state.location).toMatchObject({ search: '?page=2', key, state: { sentAt: 5 } }))
})

test('a link is the browser’s where it opens elsewhere, and adds no step to the page that is shown', async () => {
  const user = userEvent.setup()
  const stopped = vi.fn((event: Event) => event.preventDefault())
  addEventListener('click', stopped)
  const Page = () => (
    <>
      <Link to="/other">Other</Link>
      <Link to="/other" target="_blank">
        Beside
      </Link>
      <Link to="/">Here</Link>
      <Link to="/other" onClick={(event) => event.preventDefault()}>
        Nowhere
      </Link>
    </>
  )
  const router = open([{ path: '*', Component: Page }])
  await user.keyboard('{Control>}')
  await user.click(screen.getByRole('link', { name: 'Other' }))
  await user.keyboard('{/Control}')
  await user.click(screen.getByRole('link', { name: 'Beside' }))
  await user.click(screen.getByRole('link', { name: 'Nowhere' }))
  expect(address(router)).toBe('/')
  await user.click(screen.getByRole('link', { name: 'Here' }))
  expect(router.state.action).toBe('REPLACE')
  await user.click(screen.getByRole('link', { name: 'Other' }))
  expect(router.state).toMatchObject({ action: 'PUSH', location: { pathname: '/other' } })
  removeEventListener('click', stopped)
})

test('a link to where one is says so', () => {
  const Page = () => (
    <>
      <NavLink to="/posts">Posts</NavLink>
      <NavLink to="/post">Post</NavLink>
    </>
  )
  open([{ path: '*', Component: Page }], '/posts/7')
  expect(screen.getByRole('link', { name: 'Posts' })).toHaveAttribute('aria-current', 'page')
  expect(screen.getByRole('link', { name: 'Post' })).not.toHaveAttribute('aria-current')
})

test('what is drawn to lead on does so once, and leaves no step', async () => {
  const Target = () => <p>{`arrived at ${useLocation().search}`}</p>
  const router = open([
    { path: '/from', element: <Navigate replace to={{ pathname: '/to', search: '?a=1' }} /> },
    { path: '/to', Component: Target },
  ], '/to', '/from')
  expect(await screen.findByText('arrived at ?a=1')).toBeVisible()
  await act(() => router.navigate(-1))
  expect(await screen.findByText('arrived at')).toBeVisible()
})
