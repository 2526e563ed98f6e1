import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { StrictMode } from 'react'
import { MemoryRouter } from 'react-router'
import { describe, expect, it } from 'vitest'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { ConnectCallback } from './connect-callback'

const server = startServer()
const path = '*/api/accounts/connect/linkedin/callback/'

const show = (state: string, error: string | null = null) =>
  render(
    <StrictMode>
      <Providers queryClient={new QueryClient()}>
        <MemoryRouter>
          <ConnectCallback kind="linkedin" params={{ state, code: error ? null : 'code', error, error_description: null }} />
        </MemoryRouter>
      </Providers>
    </StrictMode>,
  )

it('sends the code once, although React draws the page twice', async () => {
  const bodies: unknown[] = []
  server.use(
    http.post(path, async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json({
        choice: null,
        accounts: [{
          id: 'a',
          kind: 'linkedin',
          type: 'person',
          name: 'Mara Lind',
          picture_url: null,
          state: 'connected',
          expires_at: null,
          last_used_at: null,
          created_at: '2026-11-21T12:00:00Z',
          used_by: 0,
        }],
      })
    }),
  )
  show('one')
  expect(await screen.findByRole('heading', { name: 'LinkedIn is connected' })).toBeInTheDocument()
  expect(screen.getByText(/^You can now select Mara Lind/)).toBeInTheDocument()
  expect(bodies).toEqual([{ state: 'one', code: 'code', error: null, error_description: null }])
})

it.each([
  ['connect_denied', 'Access was denied'],
  ['connect_expired', 'Connecting took too long'],
  ['connect_used', 'This link was already used'],
  ['connect_failed', 'LinkedIn was not connected'],
])('says what %s means, and asks the server once', async (code, title) => {
  let calls = 0
  server.use(
    http.get('*/api/channels/', () =>
      HttpResponse.json([{ kind: 'linkedin', connection: { consent: true, fields: [], settings: [] } }]),
    ),
    http.post(path, () => {
      calls += 1
      return HttpResponse.json(
        { type: 'about:blank', title: code, status: 400, code, detail: '', params: {}, errors: [] },
        { status: 400 },
      )
    }),
  )
  show(code, 'user_cancelled_login')
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
  expect(await screen.findByRole('button', { name: 'Start again' })).toBeInTheDocument()
  expect(calls).toBe(1)
})

it('says what the permissions are for that were not given', async () => {
  const problem = { status: 422, code: 'connect_scope_missing', detail: '', params: { scopes: 'pages_show_list, read:statuses' }, errors: [] }
  server.use(
    http.get('*/api/channels/', () => HttpResponse.json([])),
    http.post(path, () => HttpResponse.json(problem, { status: 422 })),
  )
  show('scopes')
  expect(await screen.findByText(/: see which pages you manage \(pages_show_list\) and read your posts \(read:statuses\)\./)).toBeVisible()
})

it('begins again with the form, where the network has one', async () => {
  const asked: unknown[] = []
  const server_field = { name: 'server', kind: 'url', example: 'mastodon.social', initial: 'weft.example', max_length: 200 }
  server.use(
    http.get('*/api/channels/', () =>
      HttpResponse.json([{ kind: 'linkedin', label: 'LinkedIn', connection: { consent: true, fields: [server_field], settings: [] } }]),
    ),
    http.post(path, () =>
      HttpResponse.json({ status: 400, code: 'connect_denied', detail: '', params: {}, errors: [] }, { status: 400 }),
    ),
    http.post('*/api/accounts/connect/linkedin/', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ authorize_url: null, connected: { accounts: [], choice: null } })
    }),
  )
  show('form', 'access_denied')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Start again' }))
  await user.click(await screen.findByRole('button', { name: 'Continue to server' }))
  await waitFor(() => expect(asked).toEqual([{ fields: { server: 'weft.example' } }]))
})

it('asks nothing without a state', () => {
  show('')
  expect(screen.getByText(/only used by networks/)).toBeInTheDocument()
})

describe('several accounts', () => {
  const page = (at: number, account_id: string | null = null) => ({
    external_id: `page-${at}`,
    name: `Page ${at}`,
    type: 'organisation',
    picture_url: null,
    account_id,
  })

  it('are chosen from, and those that are connected already are marked', async () => {
    const bodies: unknown[] = []
    server.use(
      http.post(path, () =>
        HttpResponse.json({ accounts: [], choice: { grant_id: 'grant', candidates: [page(0), page(1, 'a'), page(2)] } }),
      ),
      http.post('*/api/accounts/connect/choice/accounts/', async ({ request }) => {
        bodies.push(await request.json())
        return HttpResponse.json([{ id: 'b', name: 'Page 2' }])
      }),
    )
    show('several')
    expect(await screen.findByRole('heading', { name: 'You have several accounts at LinkedIn' })).toBeInTheDocument()
    const connected = await screen.findByRole('checkbox', { name: 'Page 1' })
    expect(connected).toBeDisabled()
    expect(connected).toBeChecked()
    expect(screen.getByText('Page · already connected')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Connect' })).toBeDisabled()
    const user = userEvent.setup()
    await user.click(screen.getByRole('checkbox', { name: 'Page 2' }))
    await user.click(screen.getByRole('button', { name: 'Connect 1 account' }))
    expect(await screen.findByText(/^You can now select Page 2/)).toBeInTheDocument()
    expect(bodies).toEqual([{ grant_id: 'grant', external_ids: ['page-2'] }])
  })

  it('are no question to whoever came for a new login of one of them', async () => {
    server.use(
      http.post(path, () =>
        HttpResponse.json({ accounts: [{ id: 'a', name: 'Page 1' }], choice: { grant_id: 'grant', candidates: [page(0), page(1, 'a')] } }),
      ),
    )
    show('again')
    expect(await screen.findByRole('heading', { name: 'LinkedIn is connected' })).toBeInTheDocument()
    expect(screen.getByText('Reconnected: Page 1. You can connect other accounts as well.')).toBeInTheDocument()
    expect(await screen.findByRole('checkbox', { name: 'Page 0' })).toBeEnabled()
  })

  it('that cannot be connected any more say why', async () => {
    server.use(
      http.post(path, () => HttpResponse.json({ accounts: [], choice: { grant_id: 'g', candidates: [page(0), page(1)] } })),
      http.post('*/api/accounts/connect/choice/accounts/', () =>
        HttpResponse.json({ status: 404, code: 'not_found', detail: '', params: {}, errors: [] }, { status: 404 }),
      ),
    )
    show('late')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('checkbox', { name: 'Page 0' }))
    await user.click(screen.getByRole('button', { name: 'Connect 1 account' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Connecting took too long.')
  })
})
