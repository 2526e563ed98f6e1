import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { SuggestionOut, TopicOut, TopicTreeDetail } from '@/api/types.gen'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { topicTreeQuery, useTreeEditor } from '@/features/topics/api'
import { SuggestionsPanel } from './suggestions'
import { useSuggestions } from './use-suggestions'

const topic = (id: string, parent_id: string | null, depth: number, title: string): TopicOut => ({
  id,
  parent_id,
  depth,
  title,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
})
const ROOT = topic('r', null, 0, 'Commuting')

const TREE: TopicTreeDetail = {
  id: 'tree',
  name: 'Commuting',
  description: '',
  version: 1,
  topic_count: 1,
  used_by: 0,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
  topics: [ROOT],
}

const RAIN = { index: 0, title: 'Rain', state: 'open' } as const
const WIND = { index: 1, title: 'Wind', state: 'open' } as const

const round = (more: Partial<SuggestionOut> = {}): SuggestionOut => ({
  id: 'round',
  topic_id: 'r',
  wanted: 6,
  language: 'en',
  state: 'succeeded',
  attempt: 1,
  reason: null,
  titles: [
    { index: 0, title: 'Rain', state: 'open' },
    { index: 1, title: 'Wind', state: 'open' },
  ],
  provider: 'demo',
  model: 'demo',
  input_tokens: 120,
  output_tokens: 30,
  cost_micros: 0,
  currency: 'USD',
  created_at: '2026-11-21T12:00:00Z',
  finished_at: '2026-11-21T12:00:01Z',
  ...more,
})

const server = startServer()

function Page() {
  const editor = useTreeEditor('tree')
  const suggestions = useSuggestions('tree', editor)
  return (
    <SuggestionsPanel
      treeId="tree"
      topic={ROOT}
      editor={editor}
      suggestions={suggestions}
      listed
      onRequested={() => undefined}
    />
  )
}

function show(answer: SuggestionOut | null) {
  server.use(http.get('*/api/topics/tree/suggestions/', () => HttpResponse.json(answer ? [answer] : [])))
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { queryKey } = topicTreeQuery('tree')
  client.setQueryData(queryKey, TREE)
  render(
    <Providers queryClient={client}>
      <Notifications />
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </Providers>,
  )
  const titles = () => client.getQueryData(queryKey)?.topics.map(({ title }) => title)
  return { user: userEvent.setup({ delay: null }), titles }
}

test('a title that is kept becomes a topic at once, one that is discarded goes', async () => {
  server.use(
    http.post('*/api/topics/tree/suggestions/round/accept/', () =>
      HttpResponse.json(topic('rain', 'r', 1, 'Rain'), { status: 200 }),
    ),
    http.post('*/api/topics/tree/suggestions/round/dismiss/', () =>
      HttpResponse.json(
        round({
          titles: [
            { index: 0, title: 'Rain', state: 'accepted' },
            { index: 1, title: 'Wind', state: 'dismissed' },
          ],
        }),
      ),
    ),
  )
  const { user, titles } = show(round())
  await user.click(await screen.findByRole('button', { name: 'Keep Rain' }))
  await waitFor(() => expect(titles()).toEqual(['Commuting', 'Rain']))
  expect(screen.queryByRole('button', { name: 'Keep Rain' })).toBeNull()
  expect(screen.getByText('Demo writer · 150 tokens')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Discard Wind' }))
  expect(screen.queryByRole('button', { name: 'Discard Wind' })).toBeNull()
  server.use(http.post('*/api/topics/tree/suggestions/round/restore/', () => HttpResponse.json(round({ titles: [WIND] }))))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('button', { name: 'Keep Wind' })).toBeVisible()
})

test('what the server refuses comes back into the list, and out of the tree', async () => {
  server.use(
    http.post('*/api/topics/tree/suggestions/round/accept/', () =>
      HttpResponse.json(
        { status: 422, code: 'topic_too_many', detail: '', params: { limit: 10_000, found: 10_001 }, errors: [] },
        { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    ),
  )
  const { user, titles } = show(round())
  await user.click(await screen.findByRole('button', { name: 'Keep Rain' }))
  expect(await screen.findByText(/A tree can have at most 10,000 topics/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Keep Rain' })).toBeVisible()
  expect(titles()).toEqual(['Commuting'])
})

test.each([
  [{ state: 'queued', titles: [] }, 'Waiting for the background service'],
  [{ state: 'running', titles: [] }, 'Generating subtopics'],
  [{ state: 'running', attempt: 2, reason: 'model_unavailable', titles: [] }, 'Attempt 2'],
  [{ state: 'failed', reason: 'model_refused', titles: [] }, /The model refused to do this/],
  [{ titles: [] }, /No new subtopics were found/],
  [{ provider: 'openai', model: 'gpt-6-luna', cost_micros: 1_200 }, 'gpt-6-luna · 150 tokens · US$0.0012'],
] as [Partial<SuggestionOut>, string | RegExp][])('says what is going on: %j', async (more, text) => {
  show(round(more))
  expect(await screen.findByText(text)).toBeVisible()
  const ask = screen.getByRole('button', { name: 'Suggest subtopics' })
  if (more.state === 'queued' || more.state === 'running') expect(ask).toBeDisabled()
  else expect(ask).toBeEnabled()
})

test('a round is asked for with number and language', async () => {
  let asked: unknown
  server.use(
    http.post('*/api/topics/tree/topics/r/suggestions/', async ({ request }) => {
      asked = await request.json()
      return HttpResponse.json(round({ state: 'queued', titles: [] }), { status: 202 })
    }),
  )
  const { user } = show(null)
  const ask = screen.getByRole('button', { name: 'Suggest subtopics' })
  await waitFor(() => expect(ask).toBeEnabled())
  await user.click(ask)
  expect(await screen.findByText('Waiting for the background service')).toBeVisible()
  expect(asked).toEqual({ wanted: 6, language: 'en' })
})

test('a round that costs more than is free says so, and leads to the subscription', async () => {
  const params = { limit: 'cost_micros', allowed: 1_000_000, used: 1_000_200, subscribed: 0 }
  server.use(
    http.post('*/api/topics/tree/topics/r/suggestions/', () =>
      HttpResponse.json({ status: 402, code: 'subscription_required', params, errors: [] }, { status: 402 }),
    ),
  )
  const { user } = show(null)
  const ask = screen.getByRole('button', { name: 'Suggest subtopics' })
  await waitFor(() => expect(ask).toBeEnabled())
  await user.click(ask)
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(/This month’s free AI allowance is not enough for this/)
  expect(within(alert).getByRole('link', { name: 'See subscription' })).toHaveAttribute('href', '/subscription')
})

test('all of them are kept by one click, in their order', async () => {
  let made = 0
  server.use(
    http.post('*/api/topics/tree/suggestions/round/accept/', async ({ request }) => {
      const { index } = (await request.json()) as { index: number }
      return HttpResponse.json(topic(`made-${++made}`, 'r', 1, index === 0 ? 'Rain' : 'Wind'))
    }),
  )
  const { user, titles } = show(round())
  await user.click(await screen.findByRole('button', { name: 'Keep all' }))
  expect(screen.queryByRole('list')).toBeNull()
  await waitFor(() => expect(made).toBe(2))
  expect(titles()).toEqual(['Commuting', 'Rain', 'Wind'])
})

test('a title that the server does not let go comes back', async () => {
  server.use(
    http.post('*/api/topics/tree/suggestions/round/dismiss/', () =>
      HttpResponse.json(
        { status: 409, code: 'suggestion_decided', detail: '', params: {}, errors: [] },
        { status: 409, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    ),
  )
  const { user } = show(round())
  await user.click(await screen.findByRole('button', { name: 'Discard Rain' }))
  expect(await screen.findByText('Not changed: Rain')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Keep Rain' })).toBeVisible()
})

test('one that is brought back is kept once the server has it back, and its answer takes no decision away', async () => {
  const asked: string[] = []
  let answer = (): void => undefined
  server.use(
    http.post('*/api/topics/tree/suggestions/round/dismiss/', () => HttpResponse.json(round({ titles: [RAIN, { ...WIND, state: 'dismissed' }] }))),
    http.post('*/api/topics/tree/suggestions/round/restore/', async () => {
      await new Promise<void>((resolve) => (answer = resolve))
      asked.push('restore')
      return HttpResponse.json(round({ titles: [RAIN, WIND] }))
    }),
    http.post('*/api/topics/tree/suggestions/round/accept/', async ({ request }) => {
      asked.push(`accept ${((await request.json()) as { index: number }).index}`)
      return new Promise<never>(() => undefined)
    }),
  )
  const { user } = show(round())
  await user.click(await screen.findByRole('button', { name: 'Discard Wind' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await user.click(await screen.findByRole('button', { name: 'Keep Wind' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep Wind' })).toBeNull())
  expect(asked).toEqual([])
  await waitFor(() => {
    answer()
    expect(asked).toEqual(['restore', 'accept 1'])
  })
  expect(screen.queryByRole('button', { name: 'Keep Wind' })).toBeNull()
})
