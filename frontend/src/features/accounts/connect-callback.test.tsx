import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { StrictMode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { startServer } from '@/test/server'
import { ConnectCallback } from './connect-callback'

const server = startServer()
const path = '*/api/accounts/connect/linkedin/callback/'

const show = (state: string, error: string | null = null) =>
  render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider>
          <MemoryRouter>
            <ConnectCallback kind="linkedin" params={{ state, code: error ? null : 'code', error }} />
          </MemoryRouter>
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  )

it('sends the code once, although React draws the page twice', async () => {
  const bodies: unknown[] = []
  server.use(
    http.post(path, async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json([
        {
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
        },
      ])
    }),
  )
  show('one')
  expect(await screen.findByRole('heading', { name: 'LinkedIn is connected' })).toBeInTheDocument()
  expect(screen.getByText(/^Mara Lind can be chosen/)).toBeInTheDocument()
  expect(bodies).toEqual([{ state: 'one', code: 'code', error: null }])
})

it.each([
  ['connect_denied', 'Access was declined'],
  ['connect_expired', 'Connecting took too long'],
  ['connect_failed', 'LinkedIn was not connected'],
])('says what %s means, and asks the server once', async (code, title) => {
  let calls = 0
  server.use(
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
  expect(screen.getByRole('button', { name: 'Start again' })).toBeInTheDocument()
  expect(calls).toBe(1)
})

it('asks nothing without a state', () => {
  show('')
  expect(screen.getByText(/only reached from a network/)).toBeInTheDocument()
})
