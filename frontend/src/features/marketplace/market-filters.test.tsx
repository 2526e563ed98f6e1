import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { MarketTemplateOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { MarketList } from './market-list'

const server = startServer()

const aTip = (changes: Partial<MarketTemplateOut> = {}): MarketTemplateOut => ({
  id: 'tip',
  origin: 'community',
  type: 'text',
  name: 'A tip',
  description: 'One tip a day',
  language: 'en',
  tags: ['cycling'],
  author: 'Mara Lind',
  usage_count: 0,
  own: false,
  copied: false,
  variables: [],
  sample_text: '',
  sample_is_demo: false,
  sample_url: null,
  is_carousel: false,
  card: null,
  updated_at: '2026-11-21T12:00:00Z',
  ...changes,
})

async function open(
  at = '/marketplace',
  templates: MarketTemplateOut[] | ((query: URLSearchParams) => MarketTemplateOut[]) = [aTip()],
) {
  const asked: Record<string, string>[] = []
  const counted: Record<string, string>[] = []
  server.use(
    http.get('*/api/marketplace/', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(Object.fromEntries(query))
      const items = typeof templates === 'function' ? templates(query) : templates
      const start = Number(query.get('cursor') ?? 0)
      return HttpResponse.json({
        items: items.slice(start, start + 2),
        next_cursor: items.length > start + 2 ? String(start + 2) : null,
        total: items.length,
      })
    }),
    http.get('*/api/marketplace/tags/', ({ request }) => {
      counted.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json([{ tag: 'cycling', count: 3 }])
    }),
  )
  const shown = show(<MarketList />, { at, path: '/marketplace' })
  await screen.findByRole('searchbox')
  const choose = async (select: string, option: string) => {
    await shown.user.click(screen.getByRole('combobox', { name: select }))
    await shown.user.click(await screen.findByRole('option', { name: option }))
  }
  return { ...shown, asked, counted, choose }
}

describe('what is shown', () => {
  test('is in one’s own language, the most used first, without a word of that in the address', async () => {
    await speak('de')
    const { asked, address } = await open()
    expect(asked[0]).toMatchObject({ language: 'de', sort: 'popular' })
    expect(address()).toBe('/marketplace')
  })

  test('follows the address', async () => {
    const { asked, counted } = await open(
      '/marketplace?type=image&origin=starter&tag=cycling&sort=newest&language=any&search=rain',
    )
    expect(asked[0]).toMatchObject({ type: 'image', origin: 'starter', tag: 'cycling', sort: 'newest', search: 'rain' })
    expect(asked[0]).not.toHaveProperty('language')
    // tags are counted of what all but they and the order let through
    expect(counted[0]).toEqual({ type: 'image', origin: 'starter', search: 'rain' })
  })

  test('takes nonsense in the address for none', async () => {
    const { asked } = await open('/marketplace?type=song&origin=moon&sort=luck&language=tlh')
    expect(asked[0]).toMatchObject({ language: 'en', sort: 'popular' })
    for (const name of ['type', 'origin']) expect(asked[0]).not.toHaveProperty(name)
  })

  test.each([
    ['Image', 'type=image'],
    ['Bundled', 'origin=starter'],
  ])('%s is a filter that a second click takes off', async (name, query) => {
    const { user, address, asked } = await open()
    await user.click(screen.getByRole('button', { name }))
    expect(address()).toBe(`/marketplace?${query}`)
    await waitFor(() => expect(new URLSearchParams(asked.at(-1)).toString()).toContain(query))
    expect(screen.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'false')
    await user.click(screen.getByRole('button', { name }))
    expect(address()).toBe('/marketplace')
  })

  test('“All” takes back what its row says', async () => {
    const { user, address } = await open('/marketplace?type=image&origin=starter&sort=newest')
    await user.click(await screen.findByRole('button', { name: 'All' }))
    expect(address()).toBe('/marketplace?sort=newest')
  })

  test.each([
    ['Language', 'German', '?language=de'],
    ['Language', 'All languages', '?language=any'],
    ['Sort by', 'Newest', '?sort=newest'],
    ['Tag', 'cycling (3)', '?tag=cycling'],
  ])('by %s %s has an address', async (select, option, query) => {
    const { choose, address } = await open()
    await choose(select, option)
    expect(address()).toBe(`/marketplace${query}`)
  })

  test('in the usual way again needs no word in the address', async () => {
    const { choose, address } = await open('/marketplace?language=any&sort=newest')
    await choose('Language', 'English')
    await choose('Sort by', 'Most used')
    expect(address()).toBe('/marketplace')
  })

  test('by a tag of a template keeps the other filters', async () => {
    const { user, address } = await open('/marketplace?type=text')
    await user.click(screen.getByRole('button', { name: 'Only templates tagged “cycling”' }))
    expect(address()).toBe('/marketplace?type=text&tag=cycling')
  })

  test('is looked for', async () => {
    const { user, asked } = await open()
    await user.type(screen.getByRole('searchbox'), 'rain')
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'rain' }))
  })
})

describe('nothing found', () => {
  const onlyGerman = (query: URLSearchParams) =>
    query.get('language') === 'en' ? [] : [aTip({ name: 'Ein Tipp', language: 'de' })]

  test('by filters: they are taken off, the order stays', async () => {
    const { user, address } = await open('/marketplace?search=zebra&sort=newest', [])
    expect(screen.getByText(/^No template mentions “zebra”/)).toBeVisible()
    await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement)
    expect(address()).toBe('/marketplace?sort=newest')
  })

  test('in one’s own language: the others are what is left', async () => {
    const { user } = await open('/marketplace', onlyGerman)
    expect(screen.getByText(/^No template matches these filters/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByRole('link', { name: 'Ein Tipp' })).toBeVisible()
  })
})

test('it goes on where it ended', async () => {
  const { user } = await open(
    '/marketplace',
    ['A', 'B', 'C'].map((name) => aTip({ id: name, name })),
  )
  expect(screen.queryByRole('link', { name: 'C' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await screen.findByRole('link', { name: 'C' })).toBeVisible()
  expect(screen.getByText('3 templates')).toBeVisible()
})

test('what could not be loaded is asked for again', async () => {
  server.use(http.get('*/api/marketplace/tags/', () => HttpResponse.json([])))
  server.use(http.get('*/api/marketplace/', () => refuse(500, 'internal')))
  const { user } = show(<MarketList />, { at: '/marketplace' })
  await screen.findByText('The marketplace could not be loaded')
  server.use(http.get('*/api/marketplace/', () => HttpResponse.json({ items: [aTip()], next_cursor: null, total: 1 })))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'A tip' })).toBeVisible()
})

describe('a template', () => {
  test.each<[string, Partial<MarketTemplateOut>]>([
    ['By Mara Lind · not used yet', {}],
    ['By an anonymous author · used once', { author: '', usage_count: 1 }],
    ['By Mara Lind · used 1,234 times · sample by the demo writer', { usage_count: 1_234, sample_is_demo: true }],
    ['Yours', { own: true, copied: true }],
    ['Copied', { copied: true }],
    ['Variables: Topic, Season', { variables: ['Topic', 'Season'] }],
  ])('says: %s', async (text, changes) => {
    await open('/marketplace', [aTip(changes)])
    expect(screen.getByRole('link', { name: 'A tip' }).closest('li')).toHaveTextContent(text)
  })

  test('opens over the filters that found it', async () => {
    await open('/marketplace?type=text')
    expect(screen.getByRole('link', { name: 'A tip' })).toHaveAttribute('href', '/marketplace?type=text&template=tip')
  })
})
