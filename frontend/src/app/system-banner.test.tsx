import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { SystemOut } from '@/api/types.gen'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SystemBanner } from './system-banner'

const server = startServer()

const well = { ok: true, since: null }
const off = (since: string | null = null) => ({ ok: false, since })

async function shown(parts: Partial<Pick<SystemOut, 'temporal' | 'worker'>>) {
  server.use(http.get('*/api/system/', () => HttpResponse.json({ temporal: well, worker: well, ...parts })))
  const { queryClient } = show(<SystemBanner />)
  await waitFor(() => expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('success'))
}

test('nothing is said while everything runs', async () => {
  await shown({})
  expect(screen.queryByText(/Nothing is published/)).toBeNull()
})

test.each([
  ['the background service', { worker: off() }, 'The background service is off.'],
  ['the scheduler', { temporal: off() }, 'The scheduler is away.'],
  ['the scheduler, before what hangs on it', { temporal: off(), worker: off() }, 'The scheduler is away.'],
])('of %s is said that it is away, and what follows', async (_, parts, title) => {
  await shown(parts)
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText(/^Nothing is published until it is back/)).toBeVisible()
})

test.each([
  ['en', /^The background service has been off since \d{1,2}:\d{2}\.$/],
  ['de', /^Seit \d{1,2}:\d{2} Uhr läuft/],
] as const)('since when is said, in %s', async (language, title) => {
  await speak(language)
  await shown({ worker: off('2026-11-21T08:05:00Z') })
  expect(await screen.findByText(title)).toBeVisible()
})

test('a server that does not answer is no reason to say that a part of it is away', async () => {
  server.use(http.get('*/api/system/', () => HttpResponse.error()))
  const { queryClient } = show(<SystemBanner />)
  await waitFor(() => expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('error'))
  expect(screen.queryByText(/Nothing is published/)).toBeNull()
})
