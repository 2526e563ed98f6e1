import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { SubscriptionOut, UsedOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SubscriptionRoute } from './subscription'

const server = startServer()

const open = (used: Partial<UsedOut> = {}) => {
  const answer: SubscriptionOut = {
    mode: 'self_hosted',
    status: 'none',
    price_cents: null,
    currency: null,
    trial_days_left: null,
    first_billing_date: null,
    next_billing_date: null,
    end_date: null,
    configured: false,
    settings: ['STRIPE_SECRET_KEY'],
    used: { month: '2026-11-01', active_assistants: 3, published_posts: 42, model_calls: 214, cost_micros: 7_420_000, unpriced: 0, cost_currency: 'USD', ...used },
  }
  server.use(http.get('*/api/users/subscription/', () => HttpResponse.json(answer)))
  itIs('2026-11-21T12:00:00Z')
  show(<SubscriptionRoute />)
}

test('where nobody is charged the page says so, and shows no price', async () => {
  open()
  expect(await screen.findByRole('heading', { name: 'Everything is unlocked' })).toBeVisible()
  expect(screen.queryByText(/a month|Price/)).toBeNull()
  expect(screen.getByText('US$7.42').parentElement).toHaveTextContent('US$7.42 for 214 calls')
})

test('each number that was used opens the list that it counts', async () => {
  open()
  const rows = await screen.findAllByRole('row')
  const links = rows.flatMap((row) => within(row).queryAllByRole('link')).map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual([
    ['3', '/assistants'],
    ['42', '/social-media-posts?status=published&from=2026-11-01'],
    ['214', '/transactions'],
  ])
})

test.each<[Partial<UsedOut>, string]>([
  [{ cost_micros: null, unpriced: 214 }, 'unknown'],
  [{ unpriced: 2 }, 'The cost of 2 calls is not known and not in it.'],
  [{ model_calls: 0, cost_micros: 0 }, 'Nothing was asked for yet.'],
])('%o: %s', async (used, said) => {
  open(used)
  expect(await screen.findByText(said)).toBeVisible()
})

test('what could not be fetched says so in the words of the specification', async () => {
  server.use(http.get('*/api/users/subscription/', () => refuse(500, 'internal')))
  show(<SubscriptionRoute />)
  expect(await screen.findByText('Error fetching subscription details')).toBeVisible()
})

test('the page speaks German', async () => {
  await speak('de')
  open()
  expect(await screen.findByText('Kosten im November')).toBeVisible()
})
