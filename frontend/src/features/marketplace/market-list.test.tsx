import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MarketTemplateOut } from '@/api/types.gen'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { MarketList } from './market-list'

const text: MarketTemplateOut = {
  id: 'text',
  origin: 'community',
  type: 'text',
  name: 'A tip',
  description: 'One tip',
  language: 'en',
  tags: [],
  author: 'Mara Lind',
  usage_count: 0,
  own: false,
  copied: false,
  variables: ['Topic'],
  sample_text: 'Wipe the chain.',
  sample_is_demo: false,
  sample_url: null,
  is_carousel: false,
  card: null,
  updated_at: '2026-11-21T12:00:00Z',
}
const card: MarketTemplateOut = {
  ...text,
  id: 'card',
  origin: 'starter',
  type: 'image',
  name: 'Steps',
  sample_text: 'A dry chain\nWipe.',
  card: { layout: 'steps' },
}

const drawn: unknown[] = []
const server = startServer(
  http.get('*/api/marketplace/tags/', () => HttpResponse.json([])),
  http.get('*/api/marketplace/:id/', () =>
    HttpResponse.json({ ...text, body: '((Topic))', settings: { text: {}, image: {} } }),
  ),
  http.post('*/api/cards/preview/', async ({ request }) => {
    drawn.push(await request.json())
    return HttpResponse.json({ image: 'AAAA', mime: 'image/png', width: 10, height: 10, layout: 'steps', notes: [] })
  }),
)

/** Reports at once that everything is in view. */
class AllInView {
  constructor(private readonly report: (entries: { isIntersecting: boolean }[]) => void) {}
  observe() {
    this.report([{ isIntersecting: true }])
  }
  disconnect() {}
}

beforeEach(() => vi.stubGlobal('IntersectionObserver', AllInView))
afterEach(() => {
  vi.unstubAllGlobals()
  drawn.length = 0
})

function show(items: MarketTemplateOut[], address = '/marketplace') {
  server.use(http.get('*/api/marketplace/', () => HttpResponse.json({ items, next_cursor: null, total: items.length })))
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Notifications />
      <MemoryRouter initialEntries={[address]}>
        <MarketList />
      </MemoryRouter>
    </Providers>,
  )
}

const entry = async (name: string) => (await screen.findByRole('link', { name })).closest('li')!

test('the sample of a card is the card', async () => {
  show([card])
  const shown = await entry('Steps')
  await waitFor(() => expect(shown.querySelector('img')).toHaveAttribute('src', 'data:image/png;base64,AAAA'))
  expect(drawn).toEqual([{ headline: 'A dry chain', text: 'Wipe.', settings: { layout: 'steps' } }])
  expect(within(shown).queryByText(/A dry chain/)).toBeNull()
})

test('a picture that its owner chose is shown as it is', async () => {
  show([{ ...card, sample_url: 'http://localhost/sample.png' }])
  expect((await entry('Steps')).querySelector('img')).toHaveAttribute('src', 'http://localhost/sample.png')
  expect(drawn).toEqual([])
})

test('without a sample there is no empty quotation', async () => {
  show([text, { ...text, id: 'without', name: 'Without', sample_text: '' }])
  expect((await entry('A tip')).querySelector('.market-sample')).toHaveTextContent('Wipe the chain.')
  expect((await entry('Without')).querySelector('.market-sample')).toBeNull()
})

test('two clicks in one moment make one copy', async () => {
  const calls = vi.fn()
  server.use(
    http.post('*/api/marketplace/text/copy/', () => {
      calls()
      return HttpResponse.json({ id: 'copy', name: 'A tip' }, { status: 201 })
    }),
  )
  show([text], '/marketplace?template=text')
  const button = await screen.findByRole('button', { name: 'Copy to my templates' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText('“A tip” is in your templates.')
  expect(calls).toHaveBeenCalledTimes(1)
})

test('what the demo writer wrote says so, and a card says where it stands in', async () => {
  const photo = { ...card, id: 'photo', name: 'Photo', card: { size: 'portrait' as const }, sample_is_demo: true }
  server.use(
    http.get('*/api/marketplace/photo/', () =>
      HttpResponse.json({ ...photo, body: '((Content))', settings: { text: {}, image: { engine: 'ai' } } }),
    ),
  )
  show([photo, text], '/marketplace?template=photo')
  const preview = await screen.findByRole('dialog')
  expect(await within(preview).findByText('Demo writer')).toBeVisible()
  expect(within(preview).getByText(/A card is shown here/)).toBeVisible()
  expect(screen.getAllByText(/sample by the demo writer/)).toHaveLength(1)
})
