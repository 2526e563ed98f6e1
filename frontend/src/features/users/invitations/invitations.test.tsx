import { QueryClient } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { InvitationList } from './invitation-list'
import { NewInvitationDialog } from './new-invitation-dialog'

const DAY = 24 * 60 * 60_000 // ms

const invitation = (id: string, more: object = {}) => ({
  id,
  code: `${id}${id}${id}${id}${id}-22222`,
  link: `http://localhost/signup#code=${id}`,
  email: null,
  state: 'open',
  created_at: '2026-11-20T12:00:00Z',
  expires_at: new Date(Date.now() + 2.5 * DAY).toISOString(),
  accepted_at: null,
  ...more,
})

const server = startServer()

function show(page: React.ReactNode) {
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <Questions>{page}</Questions>
      </MemoryRouter>
    </Providers>,
  )
}

const serveList = (items: object[], open: number) =>
  server.use(
    http.get('*/api/invitations/', ({ request }) =>
      new URL(request.url).searchParams.get('cursor')
        ? HttpResponse.json({ items: [invitation('D')], next_cursor: null, total: items.length + 1, open, limit: 2 })
        : HttpResponse.json({ items, next_cursor: '3', total: items.length + 1, open, limit: 2 }),
    ),
  )

test('every state says what it is, and the next page comes on demand', async () => {
  serveList(
    [
      invitation('A'),
      invitation('B', { state: 'used', accepted_at: '2026-11-21T12:00:00Z', email: 'tom@lindhof.example' }),
      invitation('C', { state: 'expired', expires_at: '2026-11-21T12:00:00Z' }),
    ],
    2,
  )
  const user = userEvent.setup()
  show(<InvitationList />)
  expect(await screen.findByText('Open, 3 days left')).toBeVisible()
  expect(screen.getByText('2 of 2 open')).toBeVisible()
  expect(screen.getByText(/All 2 invitations are open/)).toBeVisible()
  const used = within(screen.getByText('tom@lindhof.example').closest('tr') ?? document.body)
  expect(used.getByText('Used')).toBeVisible()
  expect(used.getByText(/^used /)).toBeVisible()
  expect(used.queryByRole('button')).toBeNull()
  expect(screen.getByText('Expired')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('DDDDD-22222')).toBeVisible()
})

test('where the clipboard is closed, the link is shown and marked', async () => {
  serveList([invitation('A')], 1)
  const user = userEvent.setup()
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
  document.execCommand = vi.fn(() => false)
  show(<InvitationList />)
  await user.click(await screen.findByRole('button', { name: 'Copy link' }))
  const dialog = within(await screen.findByRole('dialog'))
  const link = dialog.getByLabelText('Sign-up link')
  await user.click(dialog.getAllByRole('button', { name: 'Copy' })[0] ?? document.body)
  expect(await dialog.findByText(/The text is selected\. Copy it with/)).toBeVisible()
  expect(link).toHaveFocus()
  expect((link as HTMLInputElement).selectionEnd).toBe('http://localhost/signup#code=A'.length)
})

test('a code is sent only where there is an address, and a refusal says so there', async () => {
  const bodies: unknown[] = []
  server.use(
    http.post('*/api/invitations/', async ({ request }) => {
      bodies.push(await request.json())
      if (bodies.length > 1) return HttpResponse.json(invitation('A'), { status: 201 })
      const errors = [{ field: 'email', code: 'invalid_email', params: {} }]
      const title = { type: 'about:blank', title: '', detail: '', params: {} }
      return HttpResponse.json({ ...title, status: 422, code: 'invalid_input', errors }, { status: 422 })
    }),
  )
  const user = userEvent.setup()
  show(<NewInvitationDialog opened onClose={() => {}} />)
  const email = await screen.findByLabelText(/Email/)
  expect(screen.getByRole('checkbox', { name: /Send the code by email/ })).toBeDisabled()
  await user.type(email, 'tom@lindhof.example{Enter}')
  expect(await screen.findByText(/This is not a valid email address/)).toBeVisible()
  expect(email).toHaveFocus()
  await user.clear(email)
  await user.click(screen.getByRole('button', { name: 'Create invitation' }))
  expect(await screen.findByLabelText('Code')).toHaveValue('AAAAA-22222')
  expect(bodies).toEqual([
    { email: 'tom@lindhof.example', send: true },
    { email: null, send: false },
  ])
})
