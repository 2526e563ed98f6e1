import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { WaitingOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aSubscription } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SystemBanner } from './system-banner'

const server = startServer()

const well = { ok: true, since: null }
const waiting: WaitingOut = { posts: 0, approvals: 0, accounts: 0, websites: 0, assistants: 0, notifications: 0, subscription: true }
const ended = { status: 'canceled', unlocked: false, can_subscribe: true, end_date: '2026-11-20T12:00:00Z' } as const
let asked: number

function open(changes: Parameters<typeof aSubscription>[0], { at = '/assistants', wrong = true, worker = well } = {}) {
  itIs('2026-11-21T12:00:00Z')
  asked = 0
  server.use(
    http.get('*/api/system/', () => HttpResponse.json({ temporal: well, worker, faults: [] })),
    http.get('*/api/users/me/', () => HttpResponse.json({ email: 'mara@example.org', is_email_verified: true, time_zone: 'UTC' })),
    http.get('*/api/users/waiting/', () => HttpResponse.json({ ...waiting, subscription: wrong })),
    http.get('*/api/users/subscription/', () => {
      asked += 1
      return HttpResponse.json(aSubscription(changes))
    }),
  )
  return show(
    <TimeZoneContext value="UTC">
      <SystemBanner />
    </TimeZoneContext>,
    { at },
  )
}

test.each([
  ['en', 'The last payment failed.', /^Everything stays unlocked until Monday at 9:00\./, 'See subscription'],
  ['de', 'Die letzte Zahlung ist fehlgeschlagen.', /^Bis Montag um 9:00 Uhr bleibt alles freigeschaltet\./, 'Zum Abonnement'],
] as const)('while a charge has failed it is said until when everything stays, and where to mend it: %s', async (language, title, text, link) => {
  await speak(language)
  open({ status: 'active', past_due_until: '2026-11-23T09:00:00Z' })
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText(text)).toBeVisible()
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', '/subscription')
})

test('once that time is over, what applies now is said', async () => {
  open({ status: 'active', unlocked: false, past_due_until: '2026-11-20T09:00:00Z' })
  expect(await screen.findByText('The free allowance applies until a payment succeeds.')).toBeVisible()
})

test('assistants that pause since it has ended are counted, with the way to the subscription', async () => {
  open({ ...ended, paused_assistants: 3 })
  expect(await screen.findByText('3 assistants are paused, because the subscription has ended.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'See subscription' })).toHaveAttribute('href', '/subscription')
  expect(screen.queryByRole('button')).toBeNull()
})

test('once it is unlocked again they resume by one click, and the banner goes', async () => {
  const { user } = open({ status: 'active', paused_assistants: 3 })
  server.use(http.post('*/api/users/resume_assistants/', () => HttpResponse.json(aSubscription({ status: 'active' }))))
  await user.click(await screen.findByRole('button', { name: 'Resume 3 assistants' }))
  expect(await screen.findByText('3 assistants were resumed.')).toBeVisible()
  await waitFor(() => expect(screen.queryByText(/still paused/)).toBeNull())
})

test('what does not fit is refused with its reason, and pauses on', async () => {
  const { user } = open({ status: 'active', paused_assistants: 3 })
  const params = { limit: 'active_assistants', allowed: 5, used: 5, subscribed: 1 }
  server.use(http.post('*/api/users/resume_assistants/', () => refuse(402, 'subscription_required', { params })))
  await user.click(await screen.findByRole('button', { name: 'Resume 3 assistants' }))
  expect(await screen.findByText(/^The assistants could not be resumed\. Your plan allows 5 active assistants/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Resume 3 assistants' })).toBeEnabled()
})

test.each([
  ['nothing is wrong', { wrong: false }],
  ['its page says the same', { at: '/subscription' }],
  ['something worse has to be said', { worker: { ok: false, since: null } }],
])('nothing is asked for or said where %s', async (_, where) => {
  const { queryClient } = open({ ...ended, paused_assistants: 3 }, where)
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  // long enough for the lazy part to load
  await new Promise((done) => setTimeout(done, 50))
  expect(screen.queryByText(/assistants are paused/)).toBeNull()
  expect(asked).toBe(0)
})

test('nothing is said where nobody is charged', async () => {
  open({ mode: 'self_hosted', status: 'none', past_due_until: '2026-11-23T09:00:00Z' })
  await waitFor(() => expect(asked).toBe(1))
  await new Promise((done) => setTimeout(done, 50))
  expect(screen.queryByRole('status')).toBeNull()
})
