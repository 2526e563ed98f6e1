import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { SubscriptionOut, UsedOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { held, refuse } from '@/test/answers'
import { aSubscription } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SubscriptionRoute } from './subscription'

const server = startServer()

type Changes = Parameters<typeof aSubscription>[0]

const none: Changes = {
  status: 'none',
  unlocked: false,
  trial_days: 14,
  trial_days_left: null,
  first_billing_date: null,
  next_billing_date: null,
  can_subscribe: true,
  can_cancel: false,
  has_portal: false,
  as_of: null,
  limits: { active_assistants: 1, published_posts: 10, cost_micros: 1_000_000 },
}
const active: Changes = { status: 'active', trial_days_left: null, first_billing_date: null }
const pastDue: Changes = { ...active, past_due_until: '2026-11-23T09:00:00Z' }
const until: Changes = { ...active, status: 'canceled_until', next_billing_date: null, end_date: '2026-11-30T12:00:00Z', can_cancel: false, can_resume: true }
const ended: Changes = { ...none, status: 'canceled', trial_days: null, has_portal: true, end_date: '2026-11-20T12:00:00Z', as_of: '2026-11-21T11:40:00Z' }
const selfHosted: Changes = {
  mode: 'self_hosted',
  status: 'none',
  price_cents: null,
  currency: null,
  interval: null,
  interval_count: null,
  trial_days_left: null,
  first_billing_date: null,
  next_billing_date: null,
  can_cancel: false,
  has_portal: false,
  configured: false,
  settings: ['STRIPE_SECRET_KEY'],
  as_of: null,
  free: { active_assistants: null, published_posts: null, cost_micros: null },
}

/** What the server has: a test changes it. */
let there: SubscriptionOut
const asked: string[] = []

beforeEach(() => {
  there = aSubscription()
  asked.length = 0
  server.use(
    http.get('*/api/users/subscription/', () => HttpResponse.json(there)),
    http.get('*/api/users/verify-subscription/', ({ request }) => {
      asked.push(new URL(request.url).search)
      return HttpResponse.json(there)
    }),
  )
})
afterEach(() => sessionStorage.clear())

function open(changes: Changes = {}, at = '/subscription') {
  there = aSubscription(changes)
  itIs('2026-11-21T12:00:00Z')
  return show(
    <TimeZoneContext value="UTC">
      <SubscriptionRoute />
    </TimeZoneContext>,
    { at, path: '/subscription' },
  )
}

/** Where the browser was sent to. */
function leaving(): string[] {
  const to: string[] = []
  // jsdom goes nowhere, and its location can't be replaced in parts
  const { href, search, pathname, origin } = window.location
  vi.stubGlobal('location', { href, search, pathname, origin, assign: (address: string) => to.push(address) })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return to
}

const facts = () =>
  Object.fromEntries(screen.getAllByRole('term').map((name) => [name.textContent, name.nextElementSibling?.textContent]))
const headElement = async (title: string) => (await screen.findByRole('heading', { name: title })).closest('section') as HTMLElement
const head = async (title: string) => within(await headElement(title))
const buttonsOf = (section: HTMLElement) => within(section).queryAllByRole('button').map(({ textContent }) => textContent)

// the states

test.each<[string, Changes, string, string[], Record<string, string>]>([
  ['none', none, 'Try it for 14 days, free of charge', ['Start the free trial'], { Status: 'No subscription', Price: '€19.00 a month' }],
  ['none, after a trial', { ...none, trial_days: null }, 'A subscription unlocks more', ['Subscribe'], { Status: 'No subscription' }],
  [
    'trial',
    {},
    '9 days left of the trial',
    ['Manage payment', 'Cancel trial'],
    {
      Status: 'Trial, 9 days left',
      'Trial days left': '9',
      'First billing date': 'Mon 30 Nov',
      'Next billing date': 'Mon 30 Nov',
      Price: '€19.00 a month',
    },
  ],
  ['the last day', { trial_days_left: 1 }, '1 day left of the trial', ['Manage payment', 'Cancel trial'], { Status: 'Trial, 1 day left' }],
  ['active', active, 'The whole plan is unlocked', ['Manage payment', 'Cancel subscription'], { Status: 'Active', 'Next billing date': 'Mon 30 Nov' }],
  [
    'canceled, active until',
    until,
    'The plan stays unlocked until Mon 30 Nov',
    ['Resume subscription', 'Manage payment'],
    { Status: 'Canceled, active until Mon 30 Nov', 'End date': 'Mon 30 Nov' },
  ],
  ['canceled', ended, 'The subscription ended on Fri 20 Nov', ['Subscribe again', 'Manage payment'], { Status: 'Canceled', 'End date': 'Fri 20 Nov' }],
  ['past due', pastDue, 'The last payment failed', ['Manage payment', 'Cancel subscription'], { Status: 'Active, payment failed' }],
  [
    'past due for too long',
    { ...pastDue, past_due_until: '2026-11-20T09:00:00Z', unlocked: false, limits: none.limits },
    'Locked until a payment succeeds',
    ['Manage payment', 'Cancel subscription'],
    { Status: 'Locked, payment failed' },
  ],
  ['nothing to charge', { ...ended, can_subscribe: false }, 'The subscription is paused', ['Manage payment'], { Status: 'Paused, payment missing' }],
])('%s', async (_, changes, title, actions, shown) => {
  open(changes)
  expect(buttonsOf(await headElement(title))).toEqual(actions)
  expect(facts()).toMatchObject(shown)
})

test('a trial with a payment method says when it is charged first, and of no missing one', async () => {
  open({ has_payment_method: true })
  expect(await screen.findByText(/The first charge is on that day\./)).toBeVisible()
  expect(screen.queryByText(/If no payment method/)).toBeNull()
})

test('while a charge has failed it is said until when everything stays unlocked', async () => {
  open(pastDue)
  const said = await head('The last payment failed')
  expect(said.getByText(/^Everything stays unlocked until Monday at 9:00\./)).toBeVisible()
  expect(said.getByText('Payment failed')).toBeVisible()
})

test('one that is canceled while a charge has failed says both', async () => {
  open({ ...until, past_due_until: '2026-11-23T09:00:00Z' })
  const section = await headElement('The last payment failed')
  expect(within(section).getByText('The subscription is canceled and ends on Mon 30 Nov.')).toBeVisible()
  expect(buttonsOf(section)).toEqual(['Manage payment', 'Resume subscription'])
})

test('where nobody is charged the page says so, and shows no price', async () => {
  open(selfHosted)
  expect(await screen.findByRole('heading', { name: 'Everything is unlocked' })).toBeVisible()
  expect(screen.getByText('Self-hosted')).toBeVisible()
  expect(screen.queryByText(/a month|Price|No subscription/)).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText('US$7.42').parentElement).toHaveTextContent('US$7.42 for 214 calls')
})

test('the page speaks German', async () => {
  await speak('de')
  open()
  const said = await head('Noch 9 Tage Testphase')
  expect(said.getByText('Danach kostet das Abonnement 19,00 € im Monat und ist jederzeit kündbar.')).toBeVisible()
  expect(facts()).toMatchObject({ Status: 'Testphase, noch 9 Tage', 'Nächste Abbuchung': 'Mo. 30. Nov.' })
  expect(screen.getByText('Kosten im November')).toBeVisible()
})

// what is included, and used

const cells = () => screen.getAllByRole('row').map((row) => within(row).queryAllByRole('cell').map(({ textContent }) => textContent))

test('with a subscription stands what is included beside what was used', async () => {
  open({ limits: { active_assistants: 5, published_posts: 40, cost_micros: null } })
  await screen.findByText('Included in your plan, and usage in November')
  expect(cells().slice(1)).toEqual([
    ['yes', ''],
    ['5', '3 of 5'],
    ['40', '42 (included: 40) · used up'],
    ['up to the budget of each assistant', 'US$7.42'],
  ])
})

test('without one stands what is free beside what a subscription unlocks', async () => {
  open({ ...none, used: { active_assistants: 1, published_posts: 4, cost_micros: 420_000 } })
  await screen.findByText('Included in a subscription, and usage in November')
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Free', 'With a subscription', 'Used'])
  expect(cells().slice(1)).toEqual([
    ['yes', 'yes', ''],
    ['1', 'unlimited', '1 of 1 · used up'],
    ['10', 'unlimited', '4 of 10'],
    ['US$1.00', 'up to the budget of each assistant', 'US$0.42 of US$1.00'],
  ])
})

test('what was begun with more than is free now is said beside it, and not as a part of it', async () => {
  open({ ...none, used: { active_assistants: 2, published_posts: 30, cost_micros: 1_420_000 } })
  await screen.findByText('Included in a subscription, and usage in November')
  expect(cells().map((row) => row[2])).toEqual([
    undefined,
    '',
    '2 (free: 1) · used up',
    '30 (free: 10) · used up',
    'US$1.42 (free: US$1.00) · used up',
  ])
})

test('each number that was used opens the list that it counts', async () => {
  open()
  const rows = await screen.findAllByRole('row')
  const links = rows.flatMap((row) => within(row).queryAllByRole('link')).map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['3', '/assistants'],
    ['42', '/social-media-posts?status=published&from=2026-11-01&articles=too'],
    ['214', '/transactions'],
  ])
})

test.each<[Partial<UsedOut>, string]>([
  [{ cost_micros: null, unpriced: 214 }, 'unknown'],
  [{ unpriced: 2 }, 'The cost of 2 calls is unknown and not included.'],
  [{ model_calls: 0, cost_micros: 0 }, 'No calls yet.'],
])('%o: %s', async (used, said) => {
  open({ used })
  expect(await screen.findByText(said)).toBeVisible()
})

// what can be done

test('the trial starts on the page of the payment provider, once for two clicks', async () => {
  const answer = held()
  let opened = 0
  server.use(
    http.post('*/api/users/create_checkout_session/', async () => {
      opened += 1
      await answer.until
      return HttpResponse.json({ checkout_url: 'https://pay.example/checkout' })
    }),
  )
  const { user } = open(none)
  const start = await screen.findByRole('button', { name: 'Start the free trial' })
  const to = leaving()
  await user.dblClick(start)
  await waitFor(() => expect(start).toHaveAttribute('data-loading', 'true'))
  answer.letGo()
  await waitFor(() => expect(to).toEqual(['https://pay.example/checkout']))
  expect(opened).toBe(1)
  expect(start, 'until the browser has left').toHaveAttribute('data-loading', 'true')
})

test('payment is managed on a page of theirs, and what was changed there is asked for afterwards', async () => {
  server.use(http.post('*/api/users/create_portal_session/', () => HttpResponse.json({ portal_url: 'https://pay.example/portal' })))
  const { user, unmount } = open(active)
  const manage = await screen.findByRole('button', { name: 'Manage payment' })
  const to = leaving()
  await user.click(manage)
  await waitFor(() => expect(to).toEqual(['https://pay.example/portal']))
  unmount()
  expect(asked).toEqual([])
  open(until)
  expect(await screen.findByText('The plan stays unlocked until Mon 30 Nov')).toBeVisible()
  await waitFor(() => expect(asked).toEqual(['']))
})

test('canceling says until when everything stays and what happens then; it is taken back at once', async () => {
  server.use(
    http.post('*/api/users/cancel_subscription/', () => HttpResponse.json((there = aSubscription(until)))),
    http.post('*/api/users/resume_subscription/', () => HttpResponse.json((there = aSubscription(active)))),
  )
  const { user } = open(active)
  await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }))
  const question = within(await screen.findByRole('dialog', { name: 'Cancel the subscription?' }))
  expect(question.getByText(/^The plan stays unlocked until Mon 30 Nov, and nothing is charged\. After that .*nothing is deleted/)).toBeVisible()
  expect(question.getByRole('button', { name: 'Keep subscription' })).toBeVisible()
  await user.click(question.getByRole('button', { name: 'Cancel subscription' }))
  expect(await screen.findByText('Canceled. The plan stays unlocked until Mon 30 Nov.')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'The plan stays unlocked until Mon 30 Nov' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The subscription was resumed.')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'The whole plan is unlocked' })).toBeVisible()
})

test('who keeps it has changed nothing', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Cancel trial' }))
  const question = within(await screen.findByRole('dialog', { name: 'Cancel the trial?' }))
  await user.click(question.getByRole('button', { name: 'Keep trial' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('button', { name: 'Cancel trial' })).toBeEnabled()
})

test('what is refused is said with its reason, and what is true now is shown', async () => {
  server.use(
    http.post('*/api/users/create_checkout_session/', () => {
      there = aSubscription(active)
      return refuse(409, 'already_subscribed')
    }),
  )
  const { user } = open(none)
  await user.click(await screen.findByRole('button', { name: 'Start the free trial' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('The checkout could not be opened. You already have a subscription.')
  expect(await screen.findByRole('heading', { name: 'The whole plan is unlocked' })).toBeVisible()
})

// outcomes of a checkout

test('an outcome is the same element before and after the subscription arrives, so it is read out once', async () => {
  const answer = held()
  server.use(
    http.get('*/api/users/subscription/', async () => {
      await answer.until
      return HttpResponse.json(there)
    }),
  )
  open(none, '/subscription?checkout=canceled')
  const outcome = (await screen.findByText('Checkout canceled')).closest('.banner')
  answer.letGo()
  await screen.findByRole('heading', { name: 'Try it for 14 days, free of charge' })
  expect(outcome).toBeInTheDocument()
})

test('a checkout that succeeded is verified, told once, and forgotten by the address', async () => {
  const { address, user } = open({}, '/subscription?checkout=success&session_id=cs_1')
  expect(await screen.findByText('The trial has begun')).toBeVisible()
  expect(screen.getByText('The whole plan is unlocked until Mon 30 Nov. Nothing was charged.')).toBeVisible()
  expect(asked).toEqual(['?session_id=cs_1'])
  expect(address()).toBe('/subscription')
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('The trial has begun')).toBeNull()
  expect(asked).toHaveLength(1)
})

test('what the verification says stands on the page, also where an older answer comes after it', async () => {
  const late = held()
  server.use(
    http.get('*/api/users/subscription/', async () => {
      await late.until
      return HttpResponse.json(aSubscription(none))
    }),
  )
  open(active, '/subscription?checkout=success&session_id=cs_1')
  // it is drawn anew, above what is known then
  await waitFor(() => expect(screen.getByText('Thank you, the subscription is active')).toBeVisible())
  late.letGo()
  expect(await screen.findByRole('heading', { name: 'The whole plan is unlocked' })).toBeVisible()
})

test('while it is verified that is said, and the address keeps it for a reload', async () => {
  const answer = held()
  server.use(
    http.get('*/api/users/verify-subscription/', async () => {
      await answer.until
      return HttpResponse.json(aSubscription())
    }),
  )
  const { address } = open(none, '/subscription?checkout=success&session_id=cs_1')
  expect(await screen.findByRole('button', { name: 'Start the free trial' })).toBeDisabled()
  expect(screen.getByText('Your subscription is being verified')).toBeVisible()
  expect(address()).toBe('/subscription?checkout=success&session_id=cs_1')
  answer.letGo()
  expect(await screen.findByText('The trial has begun')).toBeVisible()
})

test('after a checkout that was left nothing was charged, and it can be started again', async () => {
  server.use(http.post('*/api/users/create_checkout_session/', () => HttpResponse.json({ checkout_url: 'https://pay.example/checkout' })))
  const { address, user } = open(none, '/subscription?checkout=canceled')
  const again = await screen.findByRole('button', { name: 'Start again' })
  expect(screen.getByText('Checkout canceled')).toBeVisible()
  expect(screen.getByText(/^Nothing was charged\./)).toBeVisible()
  await waitFor(() => expect(address()).toBe('/subscription'))
  expect(asked).toEqual([])
  const to = leaving()
  await user.click(again)
  await waitFor(() => expect(to).toEqual(['https://pay.example/checkout']))
})

test('a checkout that is started again leaves no older failure on the page', async () => {
  server.use(
    http.post('*/api/users/create_portal_session/', () => refuse(503, 'billing_unavailable')),
    http.post('*/api/users/create_checkout_session/', () => HttpResponse.json({ checkout_url: 'https://pay.example/checkout' })),
  )
  const { user } = open(ended, '/subscription?checkout=canceled')
  await user.click(await screen.findByRole('button', { name: 'Manage payment' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('The payment page could not be opened.')
  const to = leaving()
  await user.click(screen.getByRole('button', { name: 'Start again' }))
  await waitFor(() => expect(to).toEqual(['https://pay.example/checkout']))
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['en', 'There was an error verifying your subscription. Please contact support.', 'The payment service is not answering.', 'Try again'],
  ['de', 'Dein Abonnement konnte nicht geprüft werden. Bitte wende dich an den Support.', 'Der Zahlungsdienst antwortet nicht.', 'Erneut versuchen'],
] as const)('a verification that fails is told in the words of the specification, with another try: %s', async (language, title, why, retry) => {
  await speak(language)
  let away = true
  server.use(
    http.get('*/api/users/verify-subscription/', () => (away ? refuse(503, 'billing_unavailable') : HttpResponse.json(aSubscription()))),
  )
  const { address, user } = open({}, '/subscription?checkout=success&session_id=cs_1')
  const alert = await screen.findByRole('alert')
  expect(within(alert).getByText(title)).toBeVisible()
  expect(alert).toHaveTextContent(why)
  expect(address()).toBe('/subscription')
  away = false
  await user.click(within(alert).getByRole('button', { name: retry }))
  expect(await screen.findByText(language === 'en' ? 'The trial has begun' : 'Die Testphase hat begonnen')).toBeVisible()
})

test('a checkout that nobody completed is told in words of its own', async () => {
  server.use(http.get('*/api/users/verify-subscription/', () => refuse(409, 'checkout_incomplete')))
  open(none, '/subscription?checkout=success&session_id=cs_1')
  expect(await screen.findByText('The checkout was not completed')).toBeVisible()
  expect(screen.queryByText(/There was an error verifying/)).toBeNull()
  expect(await screen.findByRole('button', { name: 'Start again' })).toBeVisible()
})

test('an address without anything that is known of a checkout tells nothing', async () => {
  const { address } = open({}, '/subscription?checkout=elsewhere')
  await head('9 days left of the trial')
  await waitFor(() => expect(address()).toBe('/subscription'))
  expect(asked).toEqual([])
})

// what cannot be known

test.each([
  ['en', 'Error fetching subscription details'],
  ['de', 'Abonnement konnte nicht geladen werden'],
] as const)('what could not be fetched says so in the words of the specification: %s', async (language, said) => {
  await speak(language)
  server.use(http.get('*/api/users/subscription/', () => refuse(500, 'internal')))
  open()
  expect(await screen.findByText(said)).toBeVisible()
})

test.each([
  ['en', 'Refresh', 'Error refreshing subscription data', 'The information shown is from 11:40, 20 minutes ago.'],
  ['de', 'Aktualisieren', 'Abonnement konnte nicht aktualisiert werden', 'Die gezeigten Angaben sind von 11:40 Uhr, vor 20 Minuten.'],
] as const)('where it cannot be refreshed, what is known stays with its age: %s', async (language, name, said, age) => {
  await speak(language)
  const { user } = open()
  const refresh = await screen.findByRole('button', { name })
  let away = true
  server.use(
    http.get('*/api/users/verify-subscription/', () => (away ? refuse(503, 'billing_unavailable') : HttpResponse.json(aSubscription(active)))),
  )
  await user.click(refresh)
  expect(await screen.findByText(said)).toBeVisible()
  expect(screen.getByText(age)).toBeVisible()
  expect(screen.getByRole('heading', { level: 2, name: /^9 days left|^Noch 9 Tage/ })).toBeVisible()
  away = false
  await user.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(screen.queryByText(said)).toBeNull())
  expect(await screen.findByRole('heading', { name: /^The whole plan is unlocked|^Der ganze Tarif ist freigeschaltet/ })).toBeVisible()
})

// assistants that pause since it has ended

test('while nothing is unlocked it is said how many pause', async () => {
  open({ ...ended, paused_assistants: 3 })
  expect(await screen.findByText('3 assistants are paused, because the subscription has ended.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Resume 3/ })).toBeNull()
})

test('once it is unlocked again, one click resumes them all', async () => {
  server.use(http.post('*/api/users/resume_assistants/', () => HttpResponse.json((there = aSubscription({ ...active, paused_assistants: 1 })))))
  const { user } = open({ ...active, paused_assistants: 3 })
  await user.click(await screen.findByRole('button', { name: 'Resume 3 assistants' }))
  expect(await screen.findByText('2 assistants were resumed. One assistant exceeds the plan and stays paused.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Resume assistant' })).toBeVisible()
})
