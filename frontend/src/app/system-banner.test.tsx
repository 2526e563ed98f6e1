import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { SystemOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SystemBanner } from './system-banner'

const server = startServer()

const well = { ok: true, since: null }
const off = (since: string | null = null) => ({ ok: false, since })

async function shown(parts: Partial<Pick<SystemOut, 'temporal' | 'worker' | 'faults'>>) {
  server.use(http.get('*/api/system/', () => HttpResponse.json({ temporal: well, worker: well, faults: [], ...parts })))
  const { queryClient } = show(
    <TimeZoneContext value="UTC">
      <SystemBanner />
    </TimeZoneContext>,
  )
  await waitFor(() => expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('success'))
}

test('nothing is said while everything runs', async () => {
  await shown({})
  expect(screen.queryByText(/nothing is published/)).toBeNull()
})

test.each([
  ['the background service', { worker: off() }, 'The background service is off.'],
  ['the scheduler', { temporal: off() }, 'The scheduler is not reachable.'],
  ['the scheduler, before what hangs on it', { temporal: off(), worker: off() }, 'The scheduler is not reachable.'],
])('of %s is said that it is away, and what follows', async (_, parts, title) => {
  await shown(parts)
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText(/^Until this is fixed, nothing is published\./)).toBeVisible()
})

test.each([
  ['en', '2026-11-21T00:00:00Z', 'The background service has been off since 0:00.'],
  ['en', '2026-11-20T23:59:00Z', 'The background service has been off since yesterday at 23:59.'],
  ['en', '2026-11-14T08:05:00Z', 'The background service has been off since Sat 14 Nov at 8:05.'],
  ['en', '2025-11-21T08:05:00Z', 'The background service has been off since Fri 21 Nov 2025 at 8:05.'],
  ['de', '2026-11-21T08:05:00Z', 'Seit 8:05 Uhr läuft der Hintergrunddienst nicht.'],
  ['de', '2026-11-20T08:05:00Z', 'Seit gestern um 8:05 Uhr läuft der Hintergrunddienst nicht.'],
] as const)('since when is said, with the day where it was another one: %s, %s', async (language, since, title) => {
  itIs('2026-11-21T12:00:00Z')
  await speak(language)
  await shown({ worker: off(since) })
  expect(await screen.findByText(title)).toBeVisible()
})

test('a server that does not answer is no reason to say that a part of it is away', async () => {
  server.use(http.get('*/api/system/', () => HttpResponse.error()))
  const { queryClient } = show(<SystemBanner />)
  await waitFor(() => expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('error'))
  expect(screen.queryByText(/nothing is published/)).toBeNull()
})

const SINCE = '2026-11-21T08:05:00Z'

test.each([
  ['en', { network: null, code: 'model_misconfigured' }, 'Since 8:05, the language or image model has not accepted the settings of this server.'],
  ['en', { network: null, code: 'model_out_of_credit' }, 'Since 8:05, the credit for the language or image model has been used up.'],
  ['en', { network: 'linkedin', code: 'provider_misconfigured' }, 'Since 8:05, LinkedIn has not accepted the settings of this server.'],
  ['de', { network: 'linkedin', code: 'provider_misconfigured' }, 'Seit 8:05 Uhr nimmt LinkedIn die Einstellungen dieses Servers nicht an.'],
] as const)('what an operator has to mend is said, and what it means: %s, %o', async (language, fault, title) => {
  itIs('2026-11-21T12:00:00Z')
  await speak(language)
  await shown({ faults: [{ ...fault, since: SINCE }] })
  expect(await screen.findByText(title)).toBeVisible()
})

test('what is away comes before what is at fault', async () => {
  await shown({ worker: off(), faults: [{ network: null, code: 'model_misconfigured', since: SINCE }] })
  expect(await screen.findByText('The background service is off.')).toBeVisible()
  expect(screen.queryByText(/language or image model/)).toBeNull()
})
