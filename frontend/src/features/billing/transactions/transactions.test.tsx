import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { TransactionDetailOut, TransactionOut, TransactionTotalsOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { Download } from './download'
import { TransactionDetail } from './transaction-detail'
import { TransactionList } from './transaction-list'

const server = startServer()

const call = (changes: Partial<TransactionOut> = {}): TransactionOut => ({
  id: '1',
  created_at: '2026-11-21T10:00:00Z',
  type: 'text',
  outcome: 'succeeded',
  provider: 'openai',
  model: 'gpt-6-luna',
  input_tokens: 610,
  cached_tokens: 0,
  output_tokens: 142,
  images: 0,
  cost_micros: 132,
  most_micros: 1450,
  currency: 'USD',
  duration_ms: 2140,
  cause: 'run',
  assistant_id: 'a',
  assistant_name: 'Commuter tips',
  post_id: 'p',
  post_title: 'Rain without drama',
  is_article: false,
  template_id: null,
  template_name: null,
  tree_id: null,
  tree_name: null,
  ...changes,
})

const sum = { calls: 3, failed: 1, input_tokens: 1200, cached_tokens: 100, output_tokens: 300, images: 1, cost_micros: 30_132, uncounted: 0, unpriced: 1 }

const totals = (changes: Partial<TransactionTotalsOut> = {}): TransactionTotalsOut => ({
  ...sum,
  currency: 'USD',
  first_day: '2026-11-01',
  last_day: '2026-11-21',
  days: [{ ...sum, day: '2026-11-21' }],
  types: [{ ...sum, type: 'text' }],
  models: [
    { ...sum, provider: 'openai', model: 'gpt-6-luna', unpriced: 0 },
    { ...sum, provider: 'openai', model: 'home-made', cost_micros: null, calls: 1 },
  ],
  assistants: [{ ...sum, assistant_id: 'a', assistant_name: 'Commuter tips' }, { ...sum, assistant_id: null, assistant_name: null }],
  ...changes,
})

function open(rows: TransactionOut[], { at = '/transactions', sums = totals() } = {}) {
  const asked: URLSearchParams[] = []
  server.use(
    http.get('*/api/transactions/', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json({ items: rows, next_cursor: null, total: rows.length, first_day: '2026-11-01', last_day: '2026-11-21' })
    }),
    http.get('*/api/transactions/totals/', () => HttpResponse.json(sums)),
    http.get('*/api/transactions/models/', () => HttpResponse.json(['demo-writer', 'gpt-6-luna', 'home-made', 'quote'])),
    http.get('*/api/assistants/', () => HttpResponse.json({ items: [{ id: 'a', name: 'Commuter tips' }], next_cursor: null, total: 1 })),
  )
  itIs('2026-11-21T12:00:00Z')
  const shown = show(
    <TimeZoneContext value="Europe/Berlin">
      <Download />
      <TransactionList />
    </TimeZoneContext>,
    { at, path: '/transactions' },
  )
  return { ...shown, asked }
}

const query = (asked: URLSearchParams[]) => Object.fromEntries(asked.at(-1) ?? [])

describe('the list', () => {
  test('says of each call what it was for and what it cost, and never 0 for what is unknown', async () => {
    open([call(), call({ id: '2', cost_micros: null, outcome: 'lost', post_title: null, cause: 'tryout', template_name: 'Hiring', input_tokens: null, output_tokens: null })])
    const [, first, second] = await screen.findAllByRole('row', { name: /Rain|Hiring|Purpose/ })
    expect(first).toHaveTextContent('Rain without drama')
    expect(first).toHaveTextContent('610 in, 142 out')
    expect(first).toHaveTextContent('US$0.00013')
    expect(second).toHaveTextContent('Hiring')
    expect(second).toHaveTextContent('unknown')
    expect(second).toHaveTextContent('at most US$0.0015')
    expect(second).toHaveTextContent('? in, ? out')
    expect(second).not.toHaveTextContent('US$0.00 ')
  })

  test('calls an article one, and what is gone neither', async () => {
    open([call({ is_article: true }), call({ id: '2', post_id: null, post_title: null, is_article: null })])
    expect(await screen.findByText('Assistant article · Commuter tips')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Assistant post or article' })).toBeVisible()
  })

  test('names a card and the demo writer, which are no models', async () => {
    open([call({ provider: 'cards', model: 'quote', type: 'image' }), call({ id: '2', provider: 'demo', model: 'demo' })])
    const [, card, demo] = await screen.findAllByRole('row', { name: /Rain without drama|Purpose/ })
    expect(card).toHaveTextContent('Card “Quote”')
    expect(demo).toHaveTextContent('Demo writer')
  })

  test('names them in the filter, too', async () => {
    const { asked, user } = open([call()])
    const models = await screen.findByLabelText('Model')
    const names = ['Demo writer', 'gpt-6-luna', 'home-made', 'Card “Quote”']
    for (const name of names) expect(await within(models).findByRole('option', { name })).toBeVisible()
    await user.selectOptions(models, 'Card “Quote”')
    await waitFor(() => expect(query(asked)).toMatchObject({ model: 'quote' }))
  })

  test('sums say what they lack', async () => {
    open([call()])
    expect(await screen.findByText('without 1 call of unknown cost')).toBeVisible()
    const models = screen.getByRole('table', { name: 'By model' })
    expect(within(models).getByRole('row', { name: /home-made/ })).toHaveTextContent('unknown')
    expect(within(screen.getByRole('table', { name: 'By assistant' })).getByText('Without an assistant')).toBeVisible()
  })

  test('is of this month, whose days are those of the user', async () => {
    const { asked } = open([call()])
    await screen.findByText('Rain without drama')
    expect(query(asked)).toMatchObject({ from: '2026-11-01', to: '2026-11-21', sort: 'latest' })
  })

  test.each([
    ['thirtyDays', '2026-10-23', '2026-11-21'],
    ['lastMonth', '2026-10-01', '2026-10-31'],
    ['twelveMonths', '2025-11-22', '2026-11-21'],
    ['nonsense', '2026-11-01', '2026-11-21'],
  ])('of the period %s has its days', async (period, from, to) => {
    const { asked } = open([call()], { at: `/transactions?period=${period}` })
    await screen.findByText('Rain without drama')
    expect(query(asked)).toMatchObject({ from, to })
  })

  test('of own days keeps them in the address', async () => {
    const { asked, user, address } = open([call()])
    await user.selectOptions(await screen.findByLabelText('Period'), 'Custom period')
    expect(address()).toBe('/transactions?from=2026-11-01&to=2026-11-21')
    expect(screen.getByLabelText('From')).toHaveValue('2026-11-01')
    expect(query(asked)).toMatchObject({ from: '2026-11-01', to: '2026-11-21' })
  })

  test('“All” is not chosen beside another chip of its row, and takes all of them back', async () => {
    const { user, address } = open([call()], { at: '/transactions?type=text&failed=yes' })
    const all = await screen.findByRole('button', { name: 'All' })
    expect(all).toHaveAttribute('aria-pressed', 'false')
    await user.click(screen.getByRole('button', { name: 'Text', pressed: true }))
    expect(address()).toBe('/transactions?failed=yes')
    expect(all).toHaveAttribute('aria-pressed', 'false')
    await user.click(all)
    expect(address()).toBe('/transactions')
    expect(all).toHaveAttribute('aria-pressed', 'true')
  })

  test('is narrowed by what its sums name, and widened again', async () => {
    const { asked, user, address } = open([call()])
    await user.click(await screen.findByRole('button', { name: 'home-made' }))
    await waitFor(() => expect(query(asked)).toMatchObject({ model: 'home-made' }))
    await user.click(screen.getByRole('button', { name: 'Failed' }))
    await waitFor(() => expect(query(asked)).toMatchObject({ failed: 'true' }))
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(address()).toBe('/transactions'))
  })

  test('that is empty says why there is nothing', async () => {
    open([])
    expect(await screen.findByText('No calls in this period')).toBeVisible()
  })

  test('that no filter lets anything through leads back', async () => {
    const { user, address } = open([], { at: '/transactions?type=image' })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/transactions'))
  })

  test('that could not be loaded says so', async () => {
    server.use(http.get('*/api/transactions/', () => refuse(500, 'internal')))
    show(<TransactionList />)
    expect(await screen.findByText('Transactions could not be loaded')).toBeVisible()
  })

  test('is told in German, too', async () => {
    await speak('de')
    open([call({ cost_micros: null })])
    expect(await screen.findByText('ohne 1 Aufruf mit unbekannten Kosten')).toBeVisible()
    expect((await screen.findAllByText('unbekannt')).length).toBeGreaterThan(0)
  })
})

test('days whose costs are unknown are no empty axes', async () => {
  open([call({ cost_micros: null })], { sums: totals({ cost_micros: 0, unpriced: 1, days: [{ ...sum, day: '2026-11-21', cost_micros: 0 }] }) })
  expect(await screen.findByText('No costs are known for these days.')).toBeVisible()
})

test('days without any cost are no empty axes', async () => {
  open([call({ cost_micros: 0 })], { sums: totals({ cost_micros: 0, unpriced: 0, days: [{ ...sum, day: '2026-11-21', cost_micros: 0 }] }) })
  expect(await screen.findByText('Nothing was spent in this period.')).toBeVisible()
})

describe('one call', () => {
  const detail = (changes: Partial<TransactionDetailOut> = {}): TransactionDetailOut => ({
    ...call(),
    price: { since: '2026-11-01', input: '0.10', cached_input: '0.01', output: '0.50', long_context: null },
    request_id: 'req_8f2',
    most_input_tokens: 900,
    most_output_tokens: 2700,
    ...changes,
  })
  const open = (changes: Partial<TransactionDetailOut> = {}) => show(<TransactionDetail call={detail(changes)} />)

  test('names the price that its cost was reckoned with, to the millionth', () => {
    open()
    expect(screen.getByText('US$0.000132')).toBeVisible()
    expect(screen.getByText('US$0.10 per million tokens')).toBeVisible()
    expect(screen.getByText('Sun 1 Nov')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Rain without drama' })).toHaveAttribute('href', '/social-media-posts/p')
    expect(screen.getByText('req_8f2')).toBeVisible()
  })

  test('of what uses no model tells nothing of caches and reserves', () => {
    open({ price: null, cost_micros: 0, cached_tokens: null, most_input_tokens: 0, most_output_tokens: 0, provider: 'cards' })
    expect(screen.queryByText('of which cached')).toBeNull()
    expect(screen.queryByText('Reserved before the call')).toBeNull()
  })

  test('of a card names its layout, not a model', () => {
    open({ provider: 'cards', model: 'statement' })
    expect(screen.getByText('Layout').nextElementSibling).toHaveTextContent(/^Statement$/)
    expect(screen.queryByText('Model')).toBeNull()
  })

  test.each<[Partial<TransactionDetailOut>, RegExp]>([
    [{ price: null, cost_micros: null }, /has no price for this model/],
    [{ price: null, cost_micros: 0, provider: 'demo' }, /uses no model and costs nothing/],
    [{ price: null, cost_micros: 12 }, /not stored at the time of this call/],
    [{ price: null, cost_micros: null, outcome: 'calling' }, /stored once the call has ended/],
    [{ price: { since: '2026-11-01', input: '2', cached_input: null, output: '10', long_context: { over_input_tokens: 272000, input_factor: '2', output_factor: '1.5' } } }, /input × 2, output × 1.5/],
  ])('%o says what is known of its price', (changes, said) => {
    itIs('2026-11-21T12:00:00Z')
    open(changes)
    expect(screen.getByText(said)).toBeVisible()
  })
})
