import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { TopicFeedIn, TopicFeedOut, TopicFeedUpdate, TopicOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { FeedsPanel } from './feeds-panel'

const server = startServer()

const topic = (id: string, parent_id: string | null, title: string): TopicOut => ({
  id,
  parent_id,
  depth: parent_id ? 1 : 0,
  title,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
})
const TOPICS = [topic('root', null, 'Cycling'), topic('news', 'root', 'News'), topic('new-1', 'root', 'Not saved')]

const aFeed = (changes: Partial<TopicFeedOut> = {}): TopicFeedOut => ({
  id: 'feed',
  topic_id: 'news',
  address: 'https://example.org/feed',
  title: 'Bicycle news',
  daily: 3,
  full_text: false,
  active: true,
  error: null,
  asked_at: '2026-11-21T11:00:00Z',
  answered_at: '2026-11-21T11:00:00Z',
  next_at: '2026-11-21T12:30:00Z',
  items: 31,
  added: 4,
  waiting: 0,
  created_at: '2026-11-20T12:00:00Z',
  ...changes,
})

let feeds: TopicFeedOut[]
let sent: unknown[]

beforeEach(() => {
  feeds = [aFeed()]
  sent = []
  server.use(
    http.get('*/api/topics/tree/feeds/', () => HttpResponse.json(feeds)),
    http.post('*/api/topics/tree/feeds/', async ({ request }) => {
      const body = (await request.json()) as TopicFeedIn
      sent.push(body)
      if (!body.address.includes('.')) return refuse(422, 'invalid_input', { errors: [{ field: 'address', code: 'topic_feed_unreachable' }] })
      return HttpResponse.json(aFeed({ id: 'other', title: '', address: body.address, asked_at: null, next_at: null }), { status: 201 })
    }),
    http.patch('*/api/topics/tree/feeds/feed/', async ({ request }) => {
      const body = (await request.json()) as TopicFeedUpdate
      sent.push(body)
      return HttpResponse.json(aFeed(body as Partial<TopicFeedOut>))
    }),
    http.post('*/api/topics/tree/feeds/feed/read/', () => {
      sent.push('read')
      return HttpResponse.json(aFeed({ next_at: '2026-11-21T12:01:00Z' }))
    }),
    http.delete('*/api/topics/tree/feeds/feed/', () => {
      sent.push('delete')
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

function open(chosen = TOPICS[1]) {
  itIs('2026-11-21T12:00:00Z')
  return show(
    <TimeZoneContext value="UTC">
      <FeedsPanel id="feeds" treeId="tree" topics={TOPICS} chosen={chosen} />
    </TimeZoneContext>,
  )
}

const row = async () => (await screen.findByText('Bicycle news')).closest('li') as HTMLElement

test('a feed tells where it adds, when it was and will be checked, and what became of its items', async () => {
  feeds = [aFeed({ waiting: 2, full_text: true })]
  open()
  const text = (await row()).textContent
  expect(text).toContain('under “News” · at most 3 topics a day · with the pages’ text')
  expect(text).toMatch(/Last checked .*11:00 · next check .*12:30 · 31 items · 4 became topics · 2 waitCheck/)
  expect(within(await row()).getByRole('link')).toHaveAttribute('href', 'https://example.org/feed')
})

test('a feed that fails tells why', async () => {
  feeds = [aFeed({ error: 'topic_feed_unreachable' })]
  open()
  expect(within(await row()).getByRole('status')).toHaveTextContent("The feed could not be read. We'll try again later.")
})

test('a feed whose branch was deleted for good tells it and can be given another', async () => {
  feeds = [aFeed({ topic_id: null, error: 'topic_feed_branch_deleted' })]
  const { user } = open()
  expect(await row()).not.toHaveTextContent('under “')
  expect(within(await row()).getByRole('status')).toHaveTextContent('was deleted. Choose another topic.')
  await user.click(within(await row()).getByRole('button', { name: /^More actions/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(within(dialog).getByText('Choose a topic.')).toBeVisible()
})

test('an address that holds no feed any more is not asked for in its place', async () => {
  feeds = [aFeed({ error: 'topic_feed_unusable' })]
  open()
  expect(within(await row()).getByRole('status')).toHaveTextContent('no readable feed at this address at the moment')
})

test('without feeds the panel says what they are for', async () => {
  feeds = []
  await speak('de')
  open()
  expect(await screen.findByText(/Füge den Feed eines Blogs/)).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Feeds' })).toBeNull()
})

test('a feed is added under the chosen topic', async () => {
  const { user } = open()
  await row()
  await user.click(screen.getByRole('button', { name: 'Add feed' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add feed' })
  await user.click(within(dialog).getByRole('button', { name: 'Add feed' }))
  expect(within(dialog).getByText('Enter the address of a feed or of a page.')).toBeVisible()
  expect(within(dialog).getByRole('combobox', { name: 'Add under' })).toHaveValue('– News')
  await user.type(within(dialog).getByLabelText('Address'), 'nowhere')
  await user.click(within(dialog).getByRole('button', { name: 'Add feed' }))
  expect(await within(dialog).findByText('The feed could not be read. Check the address, or try again later.')).toBeVisible()
  await user.type(within(dialog).getByLabelText('Address'), '.example/feed')
  await user.click(within(dialog).getByRole('switch', { name: /^Read the pages/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Add feed' }))
  expect(await screen.findByText('nowhere.example/feed', { selector: 'b' })).toBeVisible()
  expect(sent.at(-1)).toEqual({ address: 'nowhere.example/feed', topic_id: 'news', daily: 3, full_text: true })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a topic that is not saved yet is none to add under', async () => {
  const { user } = open(TOPICS[2])
  await row()
  await user.click(screen.getByRole('button', { name: 'Add feed' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add feed' })
  const list = within(dialog).getByRole('combobox', { name: 'Add under' })
  expect(list).toHaveValue('')
  await user.click(list)
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['Cycling', '– News'])
})

test('a feed is changed, paused, checked and deleted', async () => {
  const { user } = open()
  await row()
  await user.click(screen.getByRole('button', { name: 'Check “Bicycle news” now' }))
  await waitFor(async () => expect(await row()).toHaveTextContent('12:01'))
  const choose = async (item: string) => {
    await user.click(screen.getByRole('button', { name: 'More actions for “Bicycle news”' }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
  }
  await choose('Edit')
  const dialog = await screen.findByRole('dialog', { name: 'Edit “Bicycle news”' })
  expect(within(dialog).getByLabelText('Address')).toHaveAttribute('readonly')
  await user.clear(within(dialog).getByLabelText('At most per day'))
  await user.type(within(dialog).getByLabelText('At most per day'), '7')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ topic_id: 'news', daily: 7, full_text: false }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await choose('Pause')
  await waitFor(() => expect(sent.at(-1)).toEqual({ active: false }))
  expect(await within(await row()).findByText('paused')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Check “Bicycle news” now' })).toBeNull()
  await choose('Delete feed')
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete feed' }))
  await waitFor(() => expect(screen.queryByText('Bicycle news')).toBeNull())
  expect(sent.at(-1)).toBe('delete')
})
