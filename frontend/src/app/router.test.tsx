import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readMe } from '@/api/sdk.gen'
import { startI18n } from '@/i18n'
import { connectClient } from '@/lib/api-client'
import { readToken, saveToken } from '@/lib/token'
import { Providers } from './providers'
import { routes } from './router'

const me = {
  id: '1',
  email: 'mara@lindhof.example',
  is_email_verified: true,
  display_name: 'Mara Lind',
  language: 'en',
  time_zone: 'Europe/Berlin',
}

const problem = (code: string, errors: object[] = []) =>
  HttpResponse.json({ type: 'about:blank', title: '', status: 422, code, detail: '', params: {}, errors }, { status: 422 })

const server = setupServer(
  http.get('*/api/users/me/', () => HttpResponse.json(me)),
  // what else a page asks for is on its way for ever: these tests are about the way to the page
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
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

function open(path: string) {
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
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
  await user.type(form.getByLabelText('E-mail'), 'mara@lindhof.example')
  await user.type(form.getByLabelText('Password'), 'loom over warp and weft')
  await user.click(form.getByRole('button', { name: 'Login' }))

  await title('Assistants')
  expect(router.state.location).toMatchObject({ pathname: '/assistants', search: '?search=fleet' })
  expect(readToken()).toBe('new')
  expect(document.title).toBe('Assistants · Postloom')
  expect(screen.getByRole('main')).toHaveFocus()
})

test('a failed login says so and stays', async () => {
  server.use(http.post('*/api/auth/login/', () => problem('login_failed')))
  open('/signin')
  await title('Login')
  const user = userEvent.setup()
  const form = within(screen.getByRole('main'))
  await user.type(form.getByLabelText('E-mail'), 'mara@lindhof.example')
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
  open('/signup?code=K7QMW-3XRTA')
  await title('Create your account')
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('E-mail'), 'mara@lindhof.example')
  await user.type(screen.getByLabelText('Password'), 'password123')
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  expect(sent).toEqual([])
  expect(screen.getByText(/Without your agreement/)).toBeVisible()

  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Create account' }))
  expect(await screen.findByText(/on the list of common passwords/)).toBeVisible()
  expect(screen.getByLabelText('Password')).toHaveFocus()
  expect(sent).toEqual([
    {
      invitation_code: 'K7QMW-3XRTA',
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
  await title('Set the thread once. It posts for months.')
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
  await title('Set the thread once. It posts for months.')
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
  await user.type(await screen.findByRole('textbox', { name: 'Search pages and actions' }), 'trans{Enter}')
  await title('Transactions')
  expect(router.state.location.pathname).toBe('/transactions')
})
