import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { AnnounceIn, AnnouncementsOut, PageOut, PostOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aDelivery, anAccount, anAssistant, aPost } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { Announcements } from './announcements'

const server = startServer()
const ADDRESS = 'https://blog.example/winter-tyres/'
const article = aPost({ id: 'article', is_article: true, deliveries: [aDelivery({ state: 'published', permalink: ADDRESS })] })
const draft = aPost({ id: 'draft', status: 'draft', content: 'When to change', announces_id: 'article', deliveries: [], version: 3 })

let pages: PageOut[]
let found: AnnouncementsOut
let sent: { path: string; body: unknown }[]

beforeEach(() => {
  pages = [{ address: ADDRESS, is_there: true, status: 200, code: null }]
  found = { posts: [], by_itself: null }
  sent = []
  const keep = async (request: Request) => {
    const body: unknown = await request.json()
    sent.push({ path: new URL(request.url).pathname, body })
    return body
  }
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([anAccount({ id: 'mara', name: 'Mara Lind' }), anAccount({ id: 'jonas', name: 'Jonas Weber' })])),
    http.get('*/api/assistants/', () => {
      const accounts = [{ id: 'jonas', kind: 'linkedin' as const, name: 'Jonas Weber', state: 'connected' as const }]
      return HttpResponse.json({ items: [anAssistant({ id: 'tips', name: 'Cycling tips', accounts })], next_cursor: null, total: 1 })
    }),
    http.get('*/api/articles/article/announcements/', () => HttpResponse.json(found)),
    http.post('*/api/articles/article/announcements/page/', () => HttpResponse.json(pages.length > 1 ? pages.shift() : pages[0])),
    http.post('*/api/articles/article/announcements/', async ({ request }) => {
      await keep(request)
      return HttpResponse.json({ post: draft, writing: null, refusal: null }, { status: 201 })
    }),
    http.post('*/api/social-media-posts/draft/publish/', async ({ request }) => {
      await keep(request)
      return HttpResponse.json({ post: { ...draft, status: 'complete' }, confirmed: true })
    }),
  )
})

const open = (post: PostOut = article, hasSummary = true) =>
  show(
    <TimeZoneContext value="Europe/Berlin">
      <Announcements article={post} hasSummary={hasSummary} />
    </TimeZoneContext>,
    { at: '/posts/article' },
  )

async function dialog(user: ReturnType<typeof open>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Announce' }))
  return within(await screen.findByRole('dialog'))
}

test.each([
  [true, 'Use the summary of the article'],
  [false, 'Use the title of the article (there is no summary)'],
])('what it begins with is what there is (a summary: %s)', async (hasSummary, name) => {
  const { user } = open(article, hasSummary)
  const inside = await dialog(user)
  expect(inside.getByRole('radio', { name })).toBeChecked()
})

test('what is not published is not announced, and says why', async () => {
  open(aPost({ id: 'article', is_article: true, deliveries: [aDelivery({ state: 'pending', permalink: null })] }))
  expect(await screen.findByText(/Once the article is published/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Announce' })).toBeNull()
})

test('as long as readers do not get it, it says so and asks again', async () => {
  pages = [{ address: ADDRESS, is_there: false, status: 404, code: 'page_not_shown' }, ...pages]
  const { user } = open()
  const asked = await dialog(user)
  expect(await asked.findByText(/answers with 404/)).toBeVisible()
  expect(asked.getByRole('button', { name: 'Create draft' })).toBeDisabled()
  await user.click(asked.getByRole('button', { name: 'Try again' }))
  expect(await asked.findByRole('link', { name: ADDRESS })).toBeVisible()
  expect(asked.getByRole('button', { name: 'Create draft' })).toBeEnabled()
})

test('it is announced through the chosen accounts, at once', async () => {
  const { user } = open()
  const asked = await dialog(user)
  await asked.findByRole('link', { name: ADDRESS })
  await user.click(asked.getByRole('radio', { name: 'Immediately' }))
  await user.click(asked.getByRole('button', { name: 'Publish now' }))
  expect(await asked.findByText('Choose at least one account.')).toBeVisible()
  expect(sent).toEqual([])
  await user.click(asked.getByRole('checkbox', { name: /Mara Lind/ }))
  await user.click(asked.getByRole('button', { name: 'Publish now' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent[0]?.body as AnnounceIn).toMatchObject({ account_ids: ['mara'], assistant_id: null, by_template: false })
  expect(sent[1]).toEqual({ path: '/api/social-media-posts/draft/publish/', body: { version: 3, planned_at: null } })
})

test('an assistant brings its accounts and its template', async () => {
  const { user } = open()
  const asked = await dialog(user)
  await user.click(await asked.findByRole('combobox', { name: /Assistant/ }))
  await user.click(await screen.findByRole('option', { name: 'Cycling tips' }))
  expect(asked.getByRole('checkbox', { name: /Jonas Weber/ })).toBeChecked()
  expect(asked.getByRole('radio', { name: 'Write with the assistant’s template' })).toBeChecked()
  await asked.findByRole('link', { name: ADDRESS })
  await user.click(asked.getByRole('button', { name: 'Create draft' }))
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ account_ids: ['jonas'], assistant_id: 'tips', by_template: true }))
})

test('what keeps it from going out is said, and the draft stays', async () => {
  server.use(http.post('*/api/social-media-posts/draft/publish/', () => refuse(422, 'content_too_long', { params: { length: 900, limit: 500 } })))
  const { user } = open()
  const asked = await dialog(user)
  await asked.findByRole('link', { name: ADDRESS })
  await user.click(asked.getByRole('checkbox', { name: /Mara Lind/ }))
  await user.click(asked.getByRole('radio', { name: 'Immediately' }))
  await user.click(asked.getByRole('button', { name: 'Publish now' }))
  expect(await asked.findByText('The announcement is kept as a draft.')).toBeVisible()
  expect(asked.getByRole('link', { name: 'Open draft' })).toHaveAttribute('href', expect.stringContaining('compose=draft'))
})

test('the page lists what announces it, and what becomes of it by itself', async () => {
  found = { posts: [draft], by_itself: { state: 'waiting', due_at: '2026-11-26T14:00:00Z', code: 'page_not_reached' } }
  open()
  expect(await screen.findByRole('link', { name: 'When to change' })).toBeVisible()
  expect(screen.getByText('Draft')).toBeVisible()
  expect(screen.getByText(/The article is announced automatically once readers can see it/)).toHaveTextContent(/does not answer/)
})
