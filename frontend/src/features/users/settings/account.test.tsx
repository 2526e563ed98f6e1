import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { readToken, saveToken } from '@/lib/token'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { OwnData } from './own-data'
import { Profile } from './profile'
import { Security } from './security'

const me = {
  id: '1',
  email: 'mara@lindhof.example',
  is_email_verified: true,
  email_refused_at: null as string | null,
  display_name: '',
  language: 'en',
  time_zone: 'Europe/Berlin',
  second_factor: false,
}
const session = (id: string, current: boolean) => ({
  id,
  device: `Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0${current ? '' : ' OPR/124.0.0.0'}`,
  created_at: '2026-11-20T12:00:00Z',
  last_used_at: '2026-11-21T12:00:00Z',
  current,
})

const failed = {
  id: 'failed',
  kind: 'sign_in_failed',
  at: '2026-11-21T11:00:00Z',
  address: '203.0.113.9',
  device: 'curl/8.5.0',
  facts: {},
}
const refusedKey = { ...failed, id: 'refused', kind: 'access_refused', address: null, facts: { name: 'Backup' } }

const problem = (status: number, code: string, errors: object[] = [], headers: Record<string, string> = {}) =>
  HttpResponse.json(
    { type: 'about:blank', title: code, status, code, detail: '', params: {}, errors },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  )

const server = startServer()
const nothing = () => new HttpResponse(null, { status: 204 })

afterEach(() => vi.restoreAllMocks())

function show(page: ReactNode, more: Partial<typeof me> = {}) {
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json({ ...me, ...more })),
    http.get('*/api/users/me/sessions/', () => HttpResponse.json([session('old', false), session('mine', true)])),
    http.get('*/api/users/me/security-events/', () =>
      HttpResponse.json({ items: [failed, refusedKey], next_cursor: null, total: 2 }),
    ),
    http.get('*/api/users/me/second-factor/', () =>
      HttpResponse.json({ enabled: false, enabled_at: null, recovery_codes_left: 0 }),
    ),
  )
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <Questions>
          <Notifications />
          {page}
        </Questions>
      </MemoryRouter>
    </Providers>,
  )
  return userEvent.setup()
}

test('only what was changed is sent, and a refused value keeps the others', async () => {
  const bodies: unknown[] = []
  server.use(
    http.patch('*/api/users/me/', async ({ request }) => {
      bodies.push(await request.json())
      return bodies.length === 1
        ? problem(422, 'invalid_input', [{ field: 'display_name', code: 'invalid_input', params: {} }])
        : HttpResponse.json({ ...me, display_name: 'Mara' })
    }),
  )
  const user = show(<Profile />)
  const name = await screen.findByLabelText(/Display name/)
  await user.type(name, 'Mara')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/This value is not valid here/)).toBeVisible()
  expect(name).toHaveValue('Mara')
  expect(name).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByText('1 unsaved change')).toBeNull())
  expect(bodies).toEqual([{ display_name: 'Mara' }, { display_name: 'Mara' }])
})

test('an address that the mail server refuses is said so, and tried again where somebody wants that', async () => {
  server.use(http.post('*/api/users/me/email/try-again/', () => HttpResponse.json({ ...me, email_refused_at: null })))
  const user = show(<Profile />, { email_refused_at: '2026-11-20T12:00:00Z' })
  expect(await screen.findByText('Emails to your address do not arrive.')).toBeVisible()
  expect(screen.getByText('Refused')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Verified')).toBeVisible()
  expect(screen.queryByText('Emails to your address do not arrive.')).toBeNull()
  expect(screen.getByText(/sent to mara@lindhof.example again/)).toBeVisible()
})

test('what is typed while the profile is being saved stays', async () => {
  let answer = () => {}
  const held = new Promise<void>((go) => (answer = go))
  server.use(
    http.patch('*/api/users/me/', async () => {
      await held
      return HttpResponse.json({ ...me, display_name: 'Mara' })
    }),
  )
  const user = show(<Profile />)
  const name = await screen.findByLabelText(/Display name/)
  await user.type(name, 'Mara')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.type(name, ' Lind')
  answer()
  expect(await screen.findByText('Saved')).toBeVisible()
  expect(name).toHaveValue('Mara Lind')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
})

test('a wrong password says so at its field, too many tries say how long to wait', async () => {
  const answers = [
    () => problem(422, 'password_wrong'),
    () => problem(422, 'invalid_input', [{ field: 'new_password', code: 'password_common', params: {} }]),
    () => problem(429, 'rate_limited', [], { 'Retry-After': '90' }),
  ]
  server.use(http.post('*/api/users/me/password/', () => answers.shift()?.()))
  const user = show(<Security />)
  const current = await screen.findByLabelText('Current password')
  const next = screen.getByLabelText('New password')
  const submit = screen.getByRole('button', { name: 'Change password' })

  await user.click(submit)
  expect(screen.getByText('New password is missing')).toBeVisible()
  expect(answers).toHaveLength(3)
  await user.type(current, 'wrong')
  await user.type(next, 'password123')
  await user.click(submit)
  expect(await screen.findByText('This is not your current password. Try again.')).toBeVisible()
  expect(current).toHaveFocus()
  await user.click(submit)
  expect(await screen.findByText(/on the list of common passwords/)).toBeVisible()
  expect(next).toHaveFocus()
  await user.click(submit)
  expect(await screen.findByRole('alert')).toHaveTextContent('You can try again in 1 min 30 sec')
  expect(next).toHaveValue('password123')
})

test('a device that cannot be logged out comes back', async () => {
  server.use(http.delete('*/api/users/me/sessions/old/', () => problem(500, 'internal')))
  const user = show(<Security />)
  await user.click(await screen.findByRole('button', { name: 'Log out Opera on Linux' }))
  expect(await screen.findByText(/Opera on Linux is still logged in/)).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Log out Opera on Linux' })).toBeVisible()
  expect(screen.getByText('Chrome on Linux').closest('li')).toHaveTextContent('This device')
})

test('recent activity says what happened, when, from where and by what', async () => {
  show(<Security />)
  const refusal = (await screen.findByText('Login failed: wrong password')).closest('li')
  expect(refusal).toHaveTextContent('from 203.0.113.9')
  expect(refusal).toHaveTextContent('curl')
  // a line of a phone may end after each of them, and none begins with the dot
  const facts = [...(refusal?.querySelectorAll('.dotted') ?? [])].map(({ textContent }) => textContent)
  expect(facts.map((fact) => fact.endsWith('\u00a0·'))).toEqual([true, true, false])
  expect(screen.getByText('Access refused: Backup').closest('li')).not.toHaveTextContent('from')
  expect(screen.getByText('2 events')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('recovery codes stay until somebody says that they are kept', async () => {
  server.use(
    http.post('*/api/users/me/second-factor/', () =>
      HttpResponse.json({
        secret: 'JBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/x',
        qr_svg: '<svg width="4" height="4"><script>alert(1)</script><path stroke="#000" d="M0 0.5h4"/></svg>',
      }),
    ),
    http.post('*/api/users/me/second-factor/confirm/', () => HttpResponse.json({ recovery_codes: ['ABCDE-FGHJK'] })),
  )
  const user = show(<Security />)
  await user.click(await screen.findByRole('button', { name: 'Set up two-step login' }))
  await user.type(await screen.findByLabelText('Your password'), 'warp over weft{Enter}')
  const drawing = await screen.findByRole('img', { name: /QR code/ })
  // an image runs no scripts, and its markup never becomes part of the page
  expect(decodeURIComponent(drawing.getAttribute('src') ?? '')).toMatch(/^data:image\/svg\+xml,<svg .*<path stroke="#000"/)
  expect(drawing).toBeEmptyDOMElement()
  expect(screen.getByLabelText(/type this secret/)).toHaveValue('JBSWY3DPEHPK3PXP')
  await user.type(screen.getByLabelText('Code from the app'), '123456{Enter}')
  expect(await screen.findByText('ABCDE-FGHJK')).toBeVisible()
  await user.keyboard('{Escape}')
  expect(screen.getByText('ABCDE-FGHJK')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'I have saved the codes' }))
  await waitFor(() => expect(screen.queryByText('ABCDE-FGHJK')).toBeNull())
})

test('the export is saved under the server’s name, and a broken one says so', async () => {
  const names: string[] = []
  URL.createObjectURL = vi.fn(() => 'blob:one')
  URL.revokeObjectURL = vi.fn()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  const answers = [
    () =>
      new HttpResponse(new ReadableStream({ start: (stream) => stream.error(new Error('cut')) }), {
        headers: { 'Content-Type': 'application/zip' },
      }),
    () =>
      new HttpResponse(new Uint8Array([80, 75]), {
        headers: { 'Content-Type': 'application/zip', 'Content-Disposition': 'attachment; filename="postloom-1.zip"' },
      }),
  ]
  server.use(http.post('*/api/users/me/export/', () => answers.shift()?.()))
  const user = show(<OwnData />)
  await user.click(screen.getByRole('button', { name: 'Export data' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Your data could not be exported.')
  expect(names).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Export data' }))
  expect(await screen.findByText('Saved as postloom-1.zip')).toBeVisible()
  expect(names).toEqual(['postloom-1.zip'])
})

test('an account is deleted only with its address and the password, and the token goes with it', async () => {
  saveToken('mine')
  const bodies: unknown[] = []
  server.use(
    http.post('*/api/users/me/delete/', async ({ request }) => {
      bodies.push(await request.json())
      return nothing()
    }),
  )
  const user = show(<OwnData />)
  const open = await screen.findByRole('button', { name: 'Delete account' })
  await waitFor(() => expect(open).toBeEnabled())
  await user.click(open)
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText(/to confirm/), 'mara@lindhof')
  await user.type(dialog.getByLabelText('Your password'), 'warp over weft{Enter}')
  expect(dialog.getByText('This is not mara@lindhof.example')).toBeVisible()
  expect(bodies).toEqual([])
  await user.type(dialog.getByLabelText(/to confirm/), '.example')
  await user.click(dialog.getByRole('button', { name: 'Delete account' }))
  await waitFor(() => expect(readToken()).toBeNull())
  expect(bodies).toEqual([{ current_password: 'warp over weft' }])
})
