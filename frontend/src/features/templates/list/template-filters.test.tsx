import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { TemplateOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aTemplate } from '@/test/made'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { TemplateList } from './template-list'

const server = startServer()

async function open(at = '/templates', templates: TemplateOut[] = [aTemplate()]) {
  const asked: Record<string, string>[] = []
  itIs('2026-11-21T12:00:00Z')
  server.use(
    http.get('*/api/templates/', ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      asked.push(query)
      const start = Number(query.cursor ?? 0)
      return HttpResponse.json({
        items: templates.slice(start, start + 2),
        next_cursor: templates.length > start + 2 ? String(start + 2) : null,
        total: templates.length,
      })
    }),
    http.get('*/api/templates/tags/', () => HttpResponse.json([{ tag: 'tips', count: 1 }])),
  )
  const shown = show(
    <TimeZoneContext value="UTC">
      <TemplateList />
    </TimeZoneContext>,
    { at, path: '/templates' },
  )
  await waitFor(() => expect(document.querySelector('[aria-busy=true]')).toBeNull())
  await waitFor(() => expect(asked).not.toHaveLength(0))
  const choose = async (select: string, option: string) => {
    await shown.user.click(await screen.findByRole('combobox', { name: select }))
    await shown.user.click(await screen.findByRole('option', { name: option }))
  }
  return { ...shown, asked, choose }
}

const row = async (name = 'Practical tip') => (await screen.findByRole('link', { name })).closest('tr')

describe('a template', () => {
  test.each<[string, Partial<TemplateOut>]>([
    ['Write about ((Topic)).', {}],
    ['One tip a day', { description: 'One tip a day' }],
    ['Copy of A tip by Postloom', { source: { id: 'source', name: 'A tip', author: 'Postloom' } }],
    ['Public', { visibility: 'public' }],
    ['Not used yetno assistant', {}],
    ['Used 1,234 times2 assistants', { usage_count: 1_234, used_by: 2 }],
    ['Mon 2 Nov, 08:00Version 1', {}],
    ['German', { language: 'de' }],
  ])('says: %s', async (text, changes) => {
    await open('/templates', [aTemplate(changes)])
    expect(await row()).toHaveTextContent(text)
  })

  test('that is private says nothing of it', async () => {
    await open()
    expect(await row()).not.toHaveTextContent('Public')
  })

  test('leads to the others with one of its tags', async () => {
    const { user, address } = await open('/templates?type=text', [aTemplate({ tags: ['tips'] })])
    await user.click(await screen.findByRole('button', { name: 'Show templates tagged tips' }))
    expect(address()).toBe('/templates?type=text&tag=tips')
  })
})

describe('filters', () => {
  test('come from the address', async () => {
    const { asked } = await open('/templates?type=image&visibility=public&language=de&tag=tips&sort=name&search=rain')
    expect(asked[0]).toMatchObject({
      type: 'image',
      visibility: 'public',
      language: 'de',
      tag: 'tips',
      sort: 'name',
      search: 'rain',
    })
  })

  test('that are nonsense in the address are none', async () => {
    const { asked } = await open('/templates?type=song&visibility=secret&language=tlh&sort=luck')
    expect(asked[0]).toMatchObject({ sort: 'changed' })
    for (const name of ['type', 'visibility', 'language']) expect(asked[0]).not.toHaveProperty(name)
  })

  test.each([
    ['Image', '?type=image'],
    ['Public', '?visibility=public'],
  ])('%s is taken off by a second click', async (name, query) => {
    const { user, address } = await open()
    await row()
    await user.click(screen.getByRole('button', { name }))
    expect(address()).toBe(`/templates${query}`)
    expect(screen.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'false')
    await user.click(screen.getByRole('button', { name }))
    expect(address()).toBe('/templates')
  })

  test('All takes kind and visibility off together, and nothing else', async () => {
    const { user, address } = await open('/templates?type=image&visibility=public&tag=tips')
    await row()
    await user.click(screen.getByRole('button', { name: 'All' }))
    expect(address()).toBe('/templates?tag=tips')
  })

  test('by language and order have addresses', async () => {
    const { choose, address } = await open()
    await choose('Language', 'German')
    await choose('Sort by', 'Most used')
    expect(address()).toBe('/templates?language=de&sort=used')
    await choose('Sort by', 'Last changed')
    expect(address()).toBe('/templates?language=de')
  })

  test.each([
    ['?search=zebra&sort=name', 'No template mentions “zebra”.'],
    ['?tag=gone&sort=name', 'No template matches all of these filters.'],
  ])('%s that find nothing say so, and are cleared without the order', async (query, text) => {
    const { user, address } = await open(`/templates${query}`, [])
    expect(await screen.findByText(text)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(address()).toBe('/templates?sort=name')
  })
})

test.each([
  ['New template', '/templates?new'],
  ['Copy from the marketplace', '/marketplace'],
])('before the first one leads to %s', async (name, to) => {
  await open('/templates', [])
  expect(await screen.findByRole('link', { name })).toHaveAttribute('href', to)
})

test('the list goes on where it ended', async () => {
  const { user } = await open(
    '/templates',
    ['A', 'B', 'C'].map((name) => aTemplate({ id: name, name })),
  )
  await row('B')
  expect(screen.queryByRole('link', { name: 'C' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(await row('C')).toBeVisible()
})

test('what could not be loaded is asked for again', async () => {
  server.use(
    http.get('*/api/templates/tags/', () => HttpResponse.json([])),
    http.get('*/api/templates/', () => refuse(500, 'internal')),
  )
  const { user } = show(<TemplateList />)
  await screen.findByText('Templates could not be loaded')
  server.use(
    http.get('*/api/templates/', () => HttpResponse.json({ items: [aTemplate()], next_cursor: null, total: 1 })),
  )
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await row()).toBeVisible()
})
