import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { StrictMode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readMe } from '@/api/sdk.gen'
import { changeLanguage, startI18n } from '@/i18n'
import { connectClient } from '@/lib/api-client'
import { routerContext } from '@/lib/router-context'
import { readToken, saveToken } from '@/lib/token'
import { ErrorScreen } from './error-screen'
import { Providers } from './providers'
import { createQueryClient } from './query-client'
import { Root } from './root'
import { routes } from './router'

const me = {
  id: '1',
  email: 'mara@lindhof.example',
  is_email_verified: true,
  display_name: 'Mara Lind',
  language: 'en',
  time_zone: 'Europe/Berlin',
  second_factor: false,
}
const unverified = { ...me, is_email_verified: false }

const problem = (code: string, errors: object[] = [], status = 422, headers: Record<string, string> = {}) =>
  HttpResponse.json(
    { type: 'about:blank', title: '', status, code, detail: '', params: {}, errors },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  )

const server = setupServer(
  http.get('*/api/users/me/', () => HttpResponse.json(me)),
  // other requests of a page never finish: these tests are about reaching the page
  http.get('*/api/*', async () => {
    await delay('infinite')
  }),
)

beforeAll(async () => {
  localStorage.setItem('i18nextLng', 'en')
  server.listen({ onUnhandledFrame: 'error' })
  connectClient()
  await startI18n()
})
afterEach(async () => {
  vi.useRealTimers()
  server.resetHandlers()
  await changeLanguage('en')
})
afterAll(() => server.close())

function open(path: string) {
  const queryClient = createQueryClient()
  const router = createMemoryRouter(routes, { initialEntries: [path], getContext: () => routerContext(queryClient) })
  render(
    // strict mode runs effects twice, which must not use up a one-time link
    <StrictMode>
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
  return router
}

const title = (name: string) => screen.findByRole('heading', { level: 1, name })

test('a visitor of an authenticated page logs in and arrives there', async () => {
  server.use(http.post('*/api/auth/login/', () => HttpResponse.json({ token: 'new' })))
  const router = open('/assistants?search=fleet')
  await title('Login')
  expect(router.state.location.search).toBe('?next=%2Fassistants%3Fsearch%3Dfleet')

  const user = userEvent.setup()
  const form = within(screen.getByRole('main'))
  await user.type(form.getByLabelText('Email'), 'mara@lindhof.example')
  await user.type(form.getByLabelText('Password'), 'loom over warp and weft')
  await user.click(form.getByRole('button', { name: 'Login' }))

  await title('Assistants')
  expect(router.state.location).toMatchObject({ pathname: '/assistants', search: '?search=fleet' })
  expect(readToken()).toBe('new')
  expect(document.title).toBe('Assistants · Postloom')
  expect(screen.getByRole('main')).toHaveFocus()
})

test('a post is for users, but the link of a mail shows it to whoever holds it', async () => {
  const asked: unknown[] = []
  server.use(
    http.post('*/api/approvals/link/', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ state: 'outdated', decided_at: null, by_deadline: false, post: null })
    }),
  )
  const router = open('/social-media-posts/rain?decide#token=abc')
  await title('The content has changed')
  expect(document.title).toBe('Approval · Postloom')
  expect(asked[0]).toEqual({ post_id: 'rain', token: 'abc' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('link', { name: 'Open in Postloom' }))
  await title('Login')
  expect(router.state.location).toMatchObject({ search: '?next=%2Fsocial-media-posts%2Frain', hash: '' })
})

test('going back leads to where one was, a new page begins at its top', async () => {
  saveToken('good')
  const router = open('/assistants')
  await title('Assistants')
  const main = screen.getByRole('main')
  main.scrollTop = 400
  fireEvent.scroll(main)
  // the next page is shorter: the browser clamps the scroll position before it can be read
  main.scrollTop = 12
  await act(() => router.navigate('/topics'))
  await waitFor(() => expect(main.scrollTop).toBe(0))
  expect(router.state.location.pathname).toBe('/topics')
  await act(() => router.navigate(-1))
  await title('Assistants')
  expect(main.scrollTop).toBe(400)
})

test('a failed login says so and stays', async () => {
  server.use(http.post('*/api/auth/login/', () => problem('login_failed')))
  open('/signin')
  await title('Login')
  const user = userEvent.setup()
  const form = within(screen.getByRole('main'))
  await user.type(form.getByLabelText('Email'), 'mara@lindhof.example')
  await user.type(form.getByLabelText('Password'), 'wrong')
  await user.click(form.getByRole('button', { name: 'Login' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Login failed. Please try again.')
})

test('sign-up takes the code from the link and shows the server’s errors at their fields', async () => {
  const sent: unknown[] = []
  server.use(
    http.post('*/api/auth/signup/', async ({ request }) => {
      sent.push(await request.json())
      return problem('invalid_input', [{ field: 'password', code: 'password_common', params: {} }])
    }),
  )
  open('/signup#code=K7QMW-3XRTA&email=mara@lindhof.example')
  await title('Create your account')
  const user = userEvent.setup()
  expect(screen.getByLabelText('Email')).toHaveValue('mara@lindhof.example')
  await user.type(screen.getByLabelText('Password'), 'password123')
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  expect(sent).toEqual([])
  expect(screen.getByText(/To create an account, you have to agree/)).toBeVisible()

  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  expect(await screen.findByText(/on the list of common passwords/)).toBeVisible()
  expect(screen.getByLabelText('Password')).toHaveFocus()
  expect(sent).toEqual([
    {
      invitation_code: 'K7QMW-3XRTA',
      invitation_proof: '',
      email: 'mara@lindhof.example',
      password: 'password123',
      consent: true,
      language: 'en',
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  ])
})

test('the root is the home page for visitors and the dashboard for users', async () => {
  open('/')
  await title('Thread it once. It\u00a0posts for\u00a0months.')
  act(() => saveToken('mine'))
  open('/')
  expect(await screen.findByRole('navigation', { name: 'Main' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page')
})

test('who is signed in does not see the login again', async () => {
  saveToken('mine')
  const router = open('/signin?next=/topics')
  await title('Topic Trees')
  expect(router.state.location.pathname).toBe('/topics')
})

test.each([null, 'mine'])('an unknown path is not found, with token %s', async (token) => {
  if (token) saveToken(token)
  const router = open('/nowhere')
  await title('Page Not Found')
  expect(screen.getByRole('button', { name: 'Go Back' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
  expect(router.state.location.pathname).toBe('/nowhere')
})

test.each([401, 403])('an answer %s removes the token and leads to the login', async (status) => {
  saveToken('old')
  server.use(http.get('*/api/users/me/', () => new HttpResponse(null, { status })))
  const router = open('/topics')
  await title('Login')
  expect(readToken()).toBeNull()
  expect(router.state.location.pathname).toBe('/signin')
})

test('who is there and what the page shows are asked for once each, though the page asks too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] }) // what was asked for is fresh for two seconds: a busy machine needs more
  saveToken('mine')
  const asked: string[] = []
  const tree = { id: 't', name: 'Cargo bikes', description: '', version: 1, topic_count: 0, used_by: 0, topics: [] }
  server.use(
    http.get('*/api/:what/:id/', ({ request, params }) => {
      asked.push(new URL(request.url).pathname)
      return HttpResponse.json(params.what === 'users' ? me : tree)
    }),
  )
  open('/topics?tree=t')
  await title('Cargo bikes')
  const once = ['/api/topics/t/', '/api/users/account_setup_state/', '/api/users/me/', '/api/users/waiting/']
  await waitFor(() => expect(asked.toSorted()).toEqual(once))
})

test('without a token nothing is asked for ahead', async () => {
  const asked: string[] = []
  server.use(
    http.get('*/api/*', ({ request }) => {
      asked.push(request.url)
      return problem('not_authenticated', [], 401)
    }),
  )
  open('/topics?tree=mine')
  await title('Login')
  expect(asked).toEqual([])
})

test('a late refusal of an older token leaves the new session alone', async () => {
  saveToken('old')
  server.use(
    http.get('*/api/users/me/', () => {
      saveToken('new')
      return new HttpResponse(null, { status: 401 })
    }),
  )
  await expect(readMe()).rejects.toMatchObject({ status: 401 })
  expect(readToken()).toBe('new')
})

test('logging out forgets the token, tells the server, and leads to the root', async () => {
  saveToken('mine')
  let ended: string | null = null
  server.use(
    http.post('*/api/auth/logout/', ({ request }) => {
      ended = request.headers.get('Authorization')
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const router = open('/topics')
  await title('Topic Trees')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Your account: mara@lindhof.example' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  await title('Thread it once. It\u00a0posts for\u00a0months.')
  expect(readToken()).toBeNull()
  expect(router.state.location.pathname).toBe('/')
  await waitFor(() => expect(ended).toBe('Bearer mine'))
})

test('the command menu opens by keyboard, finds a page and goes there', async () => {
  saveToken('mine')
  const router = open('/topics')
  await title('Topic Trees')
  const user = userEvent.setup()
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search everything' }), 'trans{Enter}')
  await title('Transactions')
  expect(router.state.location.pathname).toBe('/transactions')
})

test('the command menu finds objects on the server, and says when there are none', async () => {
  saveToken('mine')
  const asked: string[] = []
  server.use(
    http.get('*/api/search/', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q') ?? ''
      asked.push(q)
      return HttpResponse.json({ items: q === 'cycl' ? [{ kind: 'assistant', id: 'a1', name: 'Cycling tips' }] : [] })
    }),
  )
  const router = open('/topics')
  await title('Topic Trees')
  const user = userEvent.setup()
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Search everything' })
  await user.type(field, 'zzz')
  expect(await screen.findByText('No results for “zzz”.')).toBeVisible()
  // an empty list would lack what the page needs
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(field).toHaveAttribute('aria-expanded', 'false')
  await user.clear(field)
  await user.type(field, 'cycl')
  expect(within(await screen.findByRole('group', { name: 'Assistants' })).getByText('Cycling tips')).toBeVisible()
  expect(asked.at(-1)).toBe('cycl')
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/assistants/a1'))
})

test.each(['{Escape}', '{Tab}'])('%s leaves the command menu', async (key) => {
  saveToken('mine')
  open('/topics')
  await title('Topic Trees')
  const user = userEvent.setup()
  const opener = screen.getByRole('button', { name: /^Search or jump to.*K$/ })
  await user.click(opener)
  await user.type(await screen.findByRole('combobox', { name: 'Search everything' }), 'posts')
  await user.keyboard(key)
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search everything' })).toBeNull())
  await waitFor(() => expect(opener).toHaveFocus())
})

test('the command menu offers the pages that were open before', async () => {
  saveToken('mine')
  const router = open('/topics')
  await title('Topic Trees')
  await act(() => router.navigate('/transactions'))
  await title('Transactions')
  await act(() => router.navigate('/calendar'))
  await screen.findByRole('heading', { level: 1, name: /\d{4}$/ })
  const user = userEvent.setup()
  await user.keyboard('{Control>}k{/Control}')
  const recent = within(await screen.findByRole('group', { name: 'Recently opened' }))
  expect(recent.getAllByRole('option').map((option) => option.textContent)).toEqual(['Transactions', 'Topic Trees'])
  await user.keyboard('{Enter}')
  await title('Transactions')
})

async function logIn() {
  await title('Login')
  const user = userEvent.setup()
  const form = within(screen.getByRole('main'))
  await user.type(form.getByLabelText('Email'), 'mara@lindhof.example')
  await user.type(form.getByLabelText('Password'), 'loom over warp and weft')
  await user.click(form.getByRole('button', { name: 'Login' }))
  return user
}

test('two-step login asks for the code after the password, and takes a recovery code in its place', async () => {
  const codes: unknown[] = []
  server.use(
    http.post('*/api/auth/login/', async ({ request }) => {
      const { code } = (await request.json()) as { code?: string }
      codes.push(code)
      if (!code) return problem('second_factor_required')
      return code === 'K7QMW-3XRTA' ? HttpResponse.json({ token: 'new' }) : problem('second_factor_wrong')
    }),
  )
  const router = open('/signin?next=/topics')
  const user = await logIn()
  await title('Two-step login')
  expect(screen.getByLabelText('Code')).toHaveFocus()
  await user.keyboard('123 456{Enter}')
  expect(await screen.findByText(/This code is not correct/)).toBeVisible()
  expect(screen.getByLabelText('Code')).toHaveFocus()

  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await user.type(screen.getByLabelText('Recovery code'), 'K7QMW-3XRTA{Enter}')
  await title('Topic Trees')
  expect(codes).toEqual([undefined, '123456', 'K7QMW-3XRTA'])
  expect(router.state.location.pathname).toBe('/topics')
})

test('a password that changed during the second step leads back to the first', async () => {
  server.use(
    http.post('*/api/auth/login/', async ({ request }) =>
      problem(((await request.json()) as { code?: string }).code ? 'login_failed' : 'second_factor_required'),
    ),
  )
  open('/signin')
  const user = await logIn()
  await title('Two-step login')
  await user.keyboard('123456{Enter}')
  await title('Login')
  expect(await screen.findByRole('alert')).toHaveTextContent('Login failed. Please try again.')
  expect(within(screen.getByRole('main')).getByLabelText('Email')).toHaveValue('mara@lindhof.example')
})

test('too many tries show how long to wait, and none is made before', async () => {
  let tries = 0
  server.use(
    http.post('*/api/auth/login/', () => {
      tries += 1
      return problem('rate_limited', [], 429, { 'Retry-After': '42' })
    }),
  )
  open('/signin')
  const user = await logIn()
  const button = await screen.findByRole('button', { name: /^Try again in 0:[1-4]\d$/ })
  expect(screen.getByRole('alert')).toHaveTextContent('Too many attempts in a short time.')
  await user.click(button)
  await user.type(within(screen.getByRole('main')).getByLabelText('Password'), '{Enter}')
  expect(tries).toBe(1)
})

test('a forgotten password gets the same answer whoever asks', async () => {
  const asked: unknown[] = []
  server.use(
    http.post('*/api/auth/forgot/', async ({ request }) => {
      asked.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  open('/signin')
  await title('Login')
  const user = userEvent.setup()
  await user.click(screen.getByRole('link', { name: 'Forgot your password?' }))
  await title('Forgot your password?')
  await user.type(screen.getByLabelText('Email'), 'mara{Enter}')
  expect(screen.getByText(/This is not a valid email address/)).toBeVisible()
  await user.type(screen.getByLabelText('Email'), '@lindhof.example{Enter}')
  await title('Check your inbox')
  expect(asked).toEqual([{ email: 'mara@lindhof.example' }])
})

test('a new password is set by the link, also where somebody is signed in, and ends that session', async () => {
  saveToken('mine')
  const sent: unknown[] = []
  server.use(
    http.post('*/api/auth/reset/', async ({ request }) => {
      sent.push(await request.json())
      if (sent.length === 1)
        return problem('invalid_input', [{ field: 'password', code: 'password_common', params: {} }])
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const router = open('/signin?reset#token=abc')
  await title('Choose a new password')
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('New password'), 'password123{Enter}')
  expect(await screen.findByText(/on the list of common passwords/)).toBeVisible()
  await user.type(screen.getByLabelText('New password'), ' and weft{Enter}')
  await title('Login')
  expect(screen.getByRole('status')).toHaveTextContent('The new password is saved. You can now log in.')
  expect(sent).toEqual([
    { token: 'abc', password: 'password123' },
    { token: 'abc', password: 'password123 and weft' },
  ])
  expect(readToken()).toBeNull()
  expect(router.state.location.search).toBe('')
})

test('a link for a password that no longer works offers another one', async () => {
  server.use(http.post('*/api/auth/reset/', () => problem('link_invalid')))
  open('/signin?reset#token=old')
  await title('Choose a new password')
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('New password'), 'warp over weft{Enter}')
  await title('This link no longer works')
  expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute('href', '/signin?forgot')
})

test('who has not verified the email waits, with the query string kept, and goes on once that is done', async () => {
  saveToken('mine')
  let answer = unverified
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json(answer)),
    http.post('*/api/users/resend_verification_email/', () => {
      answer = me
      return problem('already_verified', [], 409)
    }),
  )
  const router = open('/assistants?search=fleet')
  await title('Verify your email')
  expect(router.state.location).toMatchObject({ pathname: '/email-verification', search: '?search=fleet' })
  expect(screen.getByText('mara@lindhof.example', { selector: '.auth-address' })).toBeVisible()
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()

  await userEvent.setup().click(screen.getByRole('button', { name: 'Send email again' }))
  await title('Assistants')
  expect(router.state.location).toMatchObject({ pathname: '/assistants', search: '?search=fleet' })
})

test.each([
  ['/', 'Verify your email', '/email-verification'],
  ['/account/connect/linkedin/callback?code=1', 'Verify your email', '/email-verification'],
  ['/account?tab=security', 'Verify your email', '/email-verification'],
  ['/privacy-policy', 'Privacy policy', '/privacy-policy'],
  ['/nowhere', 'Page Not Found', '/nowhere'],
])('without a verified email %s shows %s', async (path, heading, arrived) => {
  saveToken('mine')
  server.use(http.get('*/api/users/me/', () => HttpResponse.json(unverified)))
  const router = open(path)
  await title(heading)
  expect(router.state.location.pathname).toBe(arrived)
  expect(router.state.location.search).toBe(new URL(path, location.origin).search)
})

test('who waits for a mail that is never sent is led to the outbox', async () => {
  saveToken('mine')
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json(unverified)),
    http.get('*/api/system/public/', () => HttpResponse.json({ mail_outbox_url: 'http://127.0.0.1:4010/outbox' })),
  )
  open('/email-verification')
  expect(await screen.findByRole('link', { name: 'Read the email in the outbox' })).toHaveAttribute('href', 'http://127.0.0.1:4010/outbox')
})

test('an invitation code that does not work says so when its field is left', async () => {
  server.use(http.post('*/api/auth/signup/code/', () => HttpResponse.json({ valid: false })))
  open('/signup')
  await title('Create your account')
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Invitation code'), 'AAAAA-AAAAA')
  await user.tab()
  await waitFor(() => expect(screen.getByLabelText('Invitation code')).toHaveAccessibleDescription(/code/i))
  expect(screen.getByLabelText('Invitation code')).toBeInvalid()
})

test('who is verified does not wait', async () => {
  saveToken('mine')
  const router = open('/email-verification?next=/topics')
  await title('Topic Trees')
  expect(router.state.location.pathname).toBe('/topics')
})

test('the mail can be sent again, once in a minute, and a failure says so', async () => {
  saveToken('mine')
  const answers = [problem('internal', [], 500), new HttpResponse(null, { status: 204 })]
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json(unverified)),
    http.post('*/api/users/resend_verification_email/', () => answers.shift()),
  )
  open('/email-verification')
  await title('Verify your email')
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Send email again' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to send verification email. Please try again.',
  )
  await user.click(screen.getByRole('button', { name: 'Send email again' }))
  expect(await screen.findByText(/We sent the email again/)).toBeVisible()
  expect(await screen.findByRole('button', { name: /^Resend in (1:00|0:[2-5]\d)$/ })).toBeVisible()
})

test.each([null, 'mine'])('the link of the mail is used once, with token %s', async (token) => {
  if (token) saveToken(token)
  let verified = 0
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json(verified ? me : unverified)),
    http.post('*/api/users/verify-email/', () => {
      verified += 1
      return HttpResponse.json({ email: me.email, is_email_verified: true })
    }),
  )
  const router = open('/verify-email#token=abc')
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Verify email' }))
  await title('Email verified')
  await waitFor(() => expect(router.state.location.pathname).toBe(token ? '/' : '/signin'))
  expect(verified).toBe(1)
})

test('a link that the server refuses can be replaced', async () => {
  saveToken('mine')
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json(unverified)),
    http.post('*/api/users/verify-email/', () => problem('link_invalid')),
  )
  open('/verify-email#token=abc')
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Verify email' }))
  await title('Verification failed. Please try again.')
  expect(screen.getByText(/used already or has expired/)).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Send email again' })).toBeVisible()
})

test('a link that could not be checked can be tried again', async () => {
  const answers = [problem('internal', [], 500), HttpResponse.json({ email: me.email, is_email_verified: true })]
  server.use(http.post('*/api/users/verify-email/', () => answers.shift()))
  open('/verify-email#token=abc')
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Verify email' }))
  await title('Failed to verify email. Please try again.')
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
  await title('Email verified')
})

test('a refused token at the link of a mail leads to the login, which does not lead back', async () => {
  saveToken('old')
  server.use(
    http.get('*/api/users/me/', () => new HttpResponse(null, { status: 401 })),
    http.post('*/api/users/verify-email/', () => HttpResponse.json({ email: me.email, is_email_verified: true })),
  )
  const router = open('/verify-email#token=abc')
  await title('Login')
  expect(router.state.location).toMatchObject({ pathname: '/signin', search: '' })
})

test('the language of the account wins on arrival and follows what is chosen here', async () => {
  saveToken('mine')
  const saved: unknown[] = []
  let language = 'de'
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json({ ...me, language })),
    http.patch('*/api/users/me/', async ({ request }) => {
      const change = (await request.json()) as { language: string }
      saved.push(change)
      language = change.language
      return HttpResponse.json({ ...me, language })
    }),
  )
  open('/topics')
  await title('Themenbäume')
  expect(localStorage.getItem('i18nextLng')).toBe('de')
  expect(saved).toEqual([])
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Dein Konto: mara@lindhof.example' }))
  await user.click(await screen.findByRole('menuitem', { name: 'English' }))
  await title('Topic Trees')
  await waitFor(() => expect(saved).toEqual([{ language: 'en' }]))
})

test('the privacy policy names who runs the server, and where what people write goes', async () => {
  server.use(
    http.get('*/api/system/public/', () =>
      HttpResponse.json({
        operator_name: 'Lindhof GmbH',
        operator_contact: 'privacy@lindhof.example',
        model_host: 'openai',
        session_days: 30,
        invitation_days: 14,
      }),
    ),
  )
  open('/privacy-policy')
  await title('Privacy policy')
  expect(await screen.findByText('Lindhof GmbH')).toBeVisible()
  expect(screen.getByRole('link', { name: 'privacy@lindhof.example' })).toHaveAttribute(
    'href',
    'mailto:privacy@lindhof.example',
  )
  expect(screen.getByText(/whose models write here/)).toBeVisible()
  expect(screen.getByText(/until 30 days without use/)).toBeVisible()
})

test('a public page tells search engines what it is about, in its language, and its plain address', async () => {
  const description = () => document.querySelector<HTMLMetaElement>('meta[name="description"]')?.content
  open('/signin?next=%2Fassistants')
  await title('Login')
  expect(document.title).toBe('Login · Postloom')
  expect(description()).toMatch(/^Log in to Postloom/)
  expect(document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href).toBe(`${location.origin}/signin`)
  await act(() => changeLanguage('de'))
  expect(description()).toMatch(/^Melde dich bei Postloom an/)
  expect(document.documentElement).toHaveAttribute('lang', 'de')
})

test('a page whose code is long on the way says that it loads, and one that is quick says nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let arrive: (loaded: object) => void = () => undefined
  const page = new Promise<object>((resolve) => {
    arrive = resolve
  })
  const router = createMemoryRouter(
    [
      {
        Component: Root,
        children: [
          { path: '/', element: 'here' },
          { path: '/next', lazy: () => page },
        ],
      },
    ],
    { initialEntries: ['/'] },
  )
  render(
    <Providers queryClient={createQueryClient()}>
      <RouterProvider router={router} />
    </Providers>,
  )
  try {
    act(() => void router.navigate('/next'))
    act(() => void vi.advanceTimersByTime(140))
    expect(screen.queryByRole('progressbar')).toBeNull()
    act(() => void vi.advanceTimersByTime(20))
    expect(screen.getByRole('progressbar', { name: 'Loading' })).toBeInTheDocument()
    await act(async () => {
      arrive({ element: 'there' })
      await page
    })
  } finally {
    vi.useRealTimers()
  }
  await screen.findByText('there')
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test.each([
  'Failed to fetch dynamically imported module: https://post.example.org/assets/topics-1a2b3c4d.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/topics-1a2b3c4d.css',
])('a part of the app that a deploy has replaced offers to reload: %s', async (message) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const routes = [{ path: '/', lazy: () => Promise.reject(new Error(message)), ErrorBoundary: ErrorScreen }]
  render(
    <Providers queryClient={createQueryClient()}>
      <RouterProvider router={createMemoryRouter(routes)} />
    </Providers>,
  )
  await title('This page could not be loaded')
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
})

test('leaving the composer while a file is uploaded asks first', async () => {
  saveToken('good')
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([])),
    http.get('*/api/channels/', () => HttpResponse.json([])),
    http.post('*/api/media/', async () => {
      await delay('infinite')
    }),
  )
  const router = open('/social-media-posts?compose=new')
  await screen.findByRole('button', { name: 'Choose files' })
  const files = [new File(['x'], 'street.png', { type: 'image/png' })]
  act(() => void document.body.dispatchEvent(Object.assign(new Event('paste', { bubbles: true }), { clipboardData: { files } })))
  expect(await screen.findByText('street.png')).toBeVisible()
  // the code of the question is loaded with the composer
  await waitFor(() => expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false))
  void router.navigate('/social-media-posts')
  expect(await screen.findByRole('dialog', { name: 'Stop the uploads?' })).toBeVisible()
  expect(router.state.location.search).toBe('?compose=new')
})
