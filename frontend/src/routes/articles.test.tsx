import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { ArticleRowOut, WebsiteOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aDelivery, anArticleRow, aWebsite } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ArticlesRoute } from './articles'

const server = startServer()

const SITE = '0a8e2f0e-5a2b-4d55-9f0e-2f6f5a1b0c11'
const OTHER = '0a8e2f0e-5a2b-4d55-9f0e-2f6f5a1b0c22'

let asked: URLSearchParams[]

beforeEach(() => {
  asked = []
  itIs('2026-11-21T12:00:00Z')
  server.use(http.get('*/api/users/waiting/', () => HttpResponse.json({ approvals: 0 })))
})

function open(rows: ArticleRowOut[], { websites = [aWebsite({ id: SITE })] as WebsiteOut[], at = '/posts' } = {}) {
  server.use(
    http.get('*/api/websites/', () => HttpResponse.json(websites)),
    http.get('*/api/articles/', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const found = rows.filter(({ title }) => title.includes(query.get('search') ?? ''))
      const start = Number(query.get('cursor') ?? 0)
      const next = found.length > start + 2 ? String(start + 2) : null
      return HttpResponse.json({ items: found.slice(start, start + 2), next_cursor: next, total: found.length, statuses: { draft: 4, complete: 0, published: 2, failed: 1 } })
    }),
  )
  return show(
    <TimeZoneContext value="UTC">
      <ArticlesRoute />
    </TimeZoneContext>,
    { at, path: '/posts' },
  )
}

const row = async (name = 'Riding in rain') => {
  const found = (await screen.findByRole('link', { name })).closest('tr')
  if (!found) throw new Error(`${name} is in no row`)
  return found
}

test('each article has its website, its state, its time and its length', async () => {
  open([
    anArticleRow({ status: 'complete', planned_at: '2026-11-24T08:30:00Z' }),
    anArticleRow({
      id: 'out',
      title: 'Winter tyres',
      status: 'published',
      words: 1_204,
      deliveries: [aDelivery({ settled_at: '2026-11-20T09:00:01Z' })],
      website_id: null,
      website_name: null,
    }),
  ])
  expect(await row()).toHaveTextContent(/Lindhof Journal · \/riding-in-rain.*Complete.*Will be published Tue 24 Nov, 08:30.*812 words/)
  expect(await row('Winter tyres')).toHaveTextContent(/Website removed.*Published.*Published Fri 20 Nov, 09:00.*1,204 words/)
  expect(screen.getByRole('link', { name: 'Riding in rain' })).toHaveAttribute('href', '/posts/article')
})

test('one without a title has a name all the same, in German too', async () => {
  await speak('de')
  open([anArticleRow({ title: '', slug: '' })])
  expect(await row('Ohne Titel')).toHaveTextContent(/Entwurf.*Nicht geplant/)
  expect(screen.getByRole('link', { name: 'Artikel' })).toHaveAttribute('aria-current', 'page')
})

test('status, website and words are looked for as the address says', async () => {
  const { user, address } = open([anArticleRow()], {
    websites: [aWebsite({ id: SITE }), aWebsite({ id: OTHER, name: 'Old blog' })],
    at: `/posts?status=draft,nonsense&website=${OTHER}`,
  })
  await row()
  expect([asked[0]?.getAll('status'), asked[0]?.get('website_id'), asked[0]?.get('sort')]).toEqual([['draft'], OTHER, 'updated_latest'])
  await user.click(screen.getByRole('button', { name: /^Failed/ }))
  await waitFor(() => expect(asked.at(-1)?.getAll('status')).toEqual(['draft', 'failed']))
  await user.type(screen.getByRole('searchbox'), 'snow')
  expect(await screen.findByText('No article mentions “snow”.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(address()).toBe('/posts'))
  await user.click(await screen.findByRole('combobox', { name: 'Website' }))
  await user.click(await screen.findByRole('option', { name: 'Lindhof Journal' }))
  await waitFor(() => expect(asked.at(-1)?.get('website_id')).toBe(SITE))
})

test('what asks for you and what is held are filters of their own, further ones come from the address', async () => {
  const { user, address } = open([anArticleRow()], { at: '/posts?state=unknown' })
  await row()
  expect(asked[0]?.getAll('state')).toEqual(['unknown'])
  await user.click(screen.getByRole('button', { name: 'Your turn' }))
  await waitFor(() => expect(asked.at(-1)?.getAll('state')).toEqual(['waiting', 'unknown']))
  await user.click(screen.getByRole('button', { name: 'Unclear' }))
  await user.click(screen.getByRole('button', { name: 'Held' }))
  await waitFor(() => expect(asked.at(-1)?.getAll('state')).toEqual(['waiting', 'held']))
  expect(address()).toBe('/posts?state=waiting%2Cheld')
  expect(screen.queryByRole('button', { name: 'Unclear' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  await waitFor(() => expect(address()).toBe('/posts'))
})

test('the overview of the day leads to what was not updated or taken down', async () => {
  open([anArticleRow()], { at: '/posts?state=not_updated,not_deleted' })
  await row()
  expect(asked[0]?.getAll('state')).toEqual(['not_updated', 'not_deleted'])
  expect(screen.getByRole('button', { name: 'Not updated', pressed: true })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Unpublishing failed', pressed: true })).toBeVisible()
})

test('further pages come on demand', async () => {
  const { user } = open(['One', 'Two', 'Three'].map((title) => anArticleRow({ id: title, title })))
  await row('Two')
  expect(screen.getByText('2 of 3 articles')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await row('Three')).toBeVisible()
})

test('a new one is for the one website', async () => {
  open([])
  await screen.findByText(/^An article is a longer text for one of your websites/)
  for (const link of await screen.findAllByRole('link', { name: 'New article' })) expect(link).toHaveAttribute('href', `/posts?new=${SITE}`)
})

test('of several websites one is chosen first', async () => {
  const { user, router } = open([anArticleRow()], { websites: [aWebsite({ id: SITE }), aWebsite({ id: OTHER, name: 'Old blog' })] })
  await user.click(await screen.findByRole('button', { name: 'New article' }))
  await user.click(await screen.findByRole('menuitem', { name: /Old blog/ }))
  expect(router.state.location.search).toBe(`?new=${OTHER}`)
})

test('without a website it leads to connecting one', async () => {
  open([], { websites: [] })
  expect(await screen.findByText(/Connect a website first\.$/)).toBeVisible()
  for (const link of screen.getAllByRole('link', { name: 'Connect website' })) expect(link).toHaveAttribute('href', '/websites?connect=website')
})

test('a list that could not be loaded says so, and is asked for again', async () => {
  server.use(http.get('*/api/websites/', () => HttpResponse.json([])))
  server.use(http.get('*/api/articles/', () => refuse(500, 'internal')))
  const { user } = show(<ArticlesRoute />)
  const failure = await screen.findByText('Articles could not be loaded')
  server.use(http.get('*/api/articles/', () => HttpResponse.json({ items: [anArticleRow()], next_cursor: null, total: 1 })))
  await user.click(within(failure.closest('section') as HTMLElement).getByRole('button', { name: 'Try again' }))
  expect(await row()).toBeVisible()
})

test('one that is being written is no draft, and says when its website holds it up', async () => {
  open([
    anArticleRow({ being_written: true }),
    anArticleRow({ id: 'held', title: 'Winter tyres', being_written: true, site_state: 'needs_reconnecting' }),
  ])
  expect(within(await row()).getByText('Being written')).toBeVisible()
  expect(within(await row('Winter tyres')).getByText('Held')).toBeVisible()
})

test('one that its website holds up is not said to go out at a time that has passed', async () => {
  const planned = '2026-11-20T08:00:00Z'
  const waiting = { called_at: null, settled_at: null } as const
  open([
    anArticleRow({ status: 'complete', planned_at: planned, deliveries: [aDelivery({ ...waiting, state: 'held' })] }),
    anArticleRow({ id: 'goes', title: 'Winter tyres', status: 'complete', planned_at: planned, deliveries: [aDelivery({ ...waiting, state: 'pending' })] }),
  ])
  expect(within(await row()).queryByText(/^Will be published/)).toBeNull()
  expect(within(await row('Winter tyres')).getByText(/^Will be published/)).toBeVisible()
})
