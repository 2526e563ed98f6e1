import { Notifications } from '@mantine/notifications'
import { QueryClient, useQuery } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import type { DeliveryState, PostOut } from '@/api/types.gen'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { useAnswered, waitingPostsQuery } from './api'
import { needsOf, type Stopped } from './needs'
import { NeedsPanel } from './needs-panel'

const post = (id: string, state: DeliveryState) => ({
  id,
  topic_title: `Rain, ${state}`,
  content: '',
  status: state === 'failed' ? 'failed' : 'complete',
  assistant_name: 'Commuter tips',
  planned_at: '2026-11-20T12:00:00Z',
  files: [],
  deliveries: [{ id: `of ${id}`, state, channel: 'linkedin', posts_url: 'https://network.example/in/me/', error_code: null }],
})

const server = startServer()
let waiting: ReturnType<typeof post>[]
let several = 1
let unlisted = 0
let unplanned: Stopped['unplanned_assistants']
let lost: Stopped['accounts_to_reconnect']
const stopped = (): Stopped => ({ accounts_to_reconnect: lost, paused_assistants: [], unplanned_assistants: unplanned })
let answer: () => Promise<Response>

beforeEach(() => {
  several = 1
  unlisted = 0
  unplanned = []
  lost = []
  waiting = [post('open', 'unknown'), post('lost', 'failed')]
  server.use(
    http.get('*/api/social-media-posts/', () =>
      HttpResponse.json({ items: waiting, next_cursor: null, total: waiting.length + unlisted }),
    ),
    http.post('*/api/social-media-posts/open/deliveries/*/decision/', () => answer()),
    http.post('*/api/social-media-posts/lost/acknowledge/', () => answer()),
  )
})

function Waiting() {
  const { data } = useQuery(waitingPostsQuery)
  const answered = useAnswered()
  return data ? <NeedsPanel needs={needsOf(data, answered, stopped(), several > 1)} next="Next post today at 16:30." several={several} counted="post" /> : null
}

function show() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <Providers queryClient={queryClient}>
      <Notifications />
      <MemoryRouter>
        <Waiting />
      </MemoryRouter>
    </Providers>,
  )
  return userEvent.setup({ delay: null })
}

test('an answer leaves the list at once, and the focus stays at it', async () => {
  let letGo = () => {}
  const held = new Promise<void>((go) => (letGo = go))
  answer = async () => {
    await held
    waiting = waiting.slice(1)
    return HttpResponse.json({} as PostOut)
  }
  const user = show()
  expect(await screen.findByRole('link', { name: 'Look on LinkedIn' })).toHaveAttribute('href', 'https://network.example/in/me/')
  await user.click(screen.getByRole('button', { name: 'Yes, online: Rain, unknown' }))
  await waitFor(() => expect(screen.queryByText('Rain, unknown')).toBeNull())
  expect(screen.getByRole('list').parentElement).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Dismiss: Rain, failed' }))
  expect(await screen.findByText('Nothing is waiting for you. Next post today at 16:30.')).toBeVisible()
  letGo()
})

test('an answer that is pressed twice in one moment is sent once', async () => {
  let calls = 0
  answer = async () => {
    calls += 1
    await delay(20)
    waiting = waiting.slice(1)
    return HttpResponse.json({} as PostOut)
  }
  show()
  const there = await screen.findByRole('button', { name: 'Yes, online: Rain, unknown' })
  fireEvent.click(there)
  fireEvent.click(there)
  await waitFor(() => expect(waiting).toHaveLength(1))
  expect(calls).toBe(1)
})

test('an answer that was not saved is asked for again, with words', async () => {
  answer = async () => {
    await delay(1)
    return HttpResponse.json({ status: 503, code: 'service_unavailable', detail: '', params: {}, errors: [] }, { status: 503 })
  }
  const user = show()
  await user.click(await screen.findByRole('button', { name: 'No, not online: Rain, unknown' }))
  expect(await screen.findByText(/Your answer was not saved\./)).toBeVisible()
  expect(await screen.findByRole('button', { name: 'No, not online: Rain, unknown' })).toBeVisible()
})

test('a website is no account, and an article no post', async () => {
  lost = [{ id: 'site', channel: 'wordpress', name: 'Lindhof Journal' }]
  const article = post('gone', 'failed')
  waiting = [{ ...article, is_article: true, deliveries: [{ ...article.deliveries[0], channel: 'wordpress', error_code: 'delivery_refused' }] } as unknown as typeof article]
  show()
  expect(await screen.findByText('Lindhof Journal needs a new login')).toBeVisible()
  expect(screen.getByText('Until the website is reconnected, finished articles are held, and no new articles are written.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Reconnect: Lindhof Journal' })).toHaveAttribute('href', '/websites')
  expect(screen.getByText('The website refused this article.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Show these articles in the list' })).toHaveAttribute('href', '/social-media-posts?waiting=yes&articles=too')
})

test('more than one that is unclear can be settled together', async () => {
  several = 34
  show()
  expect(await screen.findByText('It is unclear whether 34 posts were published')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Resolve together' })).toHaveAttribute('href', '/social-media-posts?state=unknown&settle=all&articles=too')
  // once is enough
  expect(screen.queryByText('Rain, unknown')).toBeNull()
})

test('what can be settled together is not counted once more below', async () => {
  several = 3
  unlisted = 7
  show()
  // one that failed is listed, and three are unclear
  expect(await screen.findByRole('link', { name: 'And 5 more' })).toBeVisible()
})

test.each([
  ['failed', 'Published, but the first comment is missing.'],
  ['unknown', 'Published. Is the first comment online?'],
] as const)('a first comment that is %s is not a post that failed', async (state, text) => {
  const out = post('out', 'published')
  const comment = { state, attempts: 1, next_at: null, error_code: null, error_detail: null }
  waiting = [{ ...out, status: 'published', deliveries: out.deliveries.map((one) => ({ ...one, comment })) }]
  show()
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.queryByText('Not published')).toBeNull()
})

test('what has a deadline comes before what has none', async () => {
  several = 2
  const asked = { ...post('asked', 'pending'), status: 'draft', approval: { state: 'waiting', deadline_at: '2036-11-21T10:00:00Z' } }
  waiting = [asked, post('open', 'unknown'), post('other', 'unknown')]
  show()
  const rows = (await screen.findAllByRole('listitem')).map((row) => row.textContent)
  expect(rows[0]).toContain('Rain, pending')
  expect(rows[1]).toContain('It is unclear whether 2 posts were published')
})

test('an assistant that cannot plan says why, until when, and where that is mended', async () => {
  waiting = []
  unplanned = [{ id: 'hay', name: 'Hay news', reason: 'invalid_input', retry_at: '2036-11-21T08:55:00Z' }]
  show()
  const row = (await screen.findByText('The slots of Hay news could not be calculated')).closest('li')
  expect(row).toHaveTextContent(/The schedule is incomplete or contradictory\.Next attempt .*2036.*\. No run starts until then\./)
  expect(screen.getByRole('link', { name: 'Open assistant: Hay news' })).toHaveAttribute('href', '/assistants/hay')
  expect(screen.queryByRole('link', { name: 'Show these posts in the list' })).toBeNull()
})

test('what a network did not delete can be looked at there, or left there', async () => {
  const left = post('left', 'failed')
  waiting = [{ ...left, status: 'published', deliveries: [{ ...left.deliveries[0], state: 'published', permalink: 'https://network.example/7', removal: { state: 'failed' } }] } as never]
  show()
  expect(await screen.findByText('Still online: LinkedIn did not delete the post.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Look on LinkedIn' })).toHaveAttribute('href', 'https://network.example/7')
  expect(screen.getByRole('button', { name: 'Dismiss: Rain, failed' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Show these posts in the list' })).toHaveAttribute('href', '/social-media-posts?waiting=yes&articles=too')
})
