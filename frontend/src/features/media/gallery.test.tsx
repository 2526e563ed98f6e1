import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { delay, http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { MediaOut, MediaUse } from '@/api/types.gen'
import { startI18n } from '@/i18n'
import { connectClient } from '@/lib/api-client'
import { saveToken } from '@/lib/token'
import { Library } from './library'

const image = (id: string, more: Partial<MediaOut> = {}): MediaOut => ({
  id,
  source: 'upload',
  name: `Picture ${id}`,
  alt: `What ${id} shows`,
  tags: [],
  mime: 'image/jpeg',
  width: 1600,
  height: 1200,
  bytes: 400_000,
  made_by: '',
  url: `/api/media/${id}/file/`,
  thumbnail_url: `/api/media/${id}/file/?thumbnail=true`,
  card: null,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
  ...more,
})

let stored: MediaOut[]
let uses: MediaUse[]
let asked: URLSearchParams[]

const refuse = (code: string, status: number, params: object = {}) =>
  HttpResponse.json(
    { type: 'about:blank', title: '', status, code, detail: '', params, errors: [] },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

const server = setupServer(
  http.get('*/api/media/', ({ request }) => {
    asked.push(new URL(request.url).searchParams)
    return HttpResponse.json({ items: stored, next_cursor: null, total: stored.length })
  }),
  http.get('*/api/media/tags/', () => HttpResponse.json([{ tag: 'Autumn', count: 2 }])),
  http.get('*/api/media/:id/', ({ params }) => {
    const found = stored.find(({ id }) => id === params.id)
    return found ? HttpResponse.json({ ...found, uses }) : refuse('not_found', 404)
  }),
)

beforeAll(async () => {
  server.listen({ onUnhandledFrame: 'error' })
  connectClient()
  await startI18n()
  await i18next.changeLanguage('en')
  // jsdom lacks this
  Object.defineProperty(document, 'fonts', { value: new EventTarget() })
})
beforeEach(() => {
  saveToken('mine')
  stored = [image('a'), image('b', { alt: '' }), image('c', { source: 'card' })]
  uses = []
  asked = []
})
afterEach(() => {
  server.resetHandlers()
  notifications.clean()
})
afterAll(() => server.close())

function open(path = '/media-gallery') {
  const page = {
    path: '/media-gallery',
    Component: () => (
      <ModalsProvider>
        <Notifications />
        <Library designing={null} />
      </ModalsProvider>
    ),
  }
  const router = createMemoryRouter([page, { path: '*', element: 'Elsewhere' }], { initialEntries: [path] })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { router, user: userEvent.setup() }
}

const tile = (name: string) => screen.findByRole('link', { name: new RegExp(`Picture ${name}`) })

test('filters, tag and order stand in the address and go to the server', async () => {
  const { router, user } = open('/media-gallery?tag=Autumn&sort=largest')
  await tile('a')
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({ tag: 'Autumn', sort: 'largest' })
  await user.click(screen.getByRole('button', { name: 'Cards' }))
  await waitFor(() => expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ source: 'card', tag: 'Autumn' }))
  expect(router.state.location.search).toBe('?tag=Autumn&sort=largest&source=card')
  expect(screen.getByRole('button', { name: 'Cards' })).toHaveAttribute('aria-pressed', 'true')
})

test('a missing alt text is seen in the grid', async () => {
  open()
  expect(within(await tile('b')).getByText('No alt text')).toBeVisible()
  expect(within(await tile('a')).queryByText('No alt text')).toBeNull()
  expect(screen.getByRole('img', { name: 'What a shows' })).toHaveAttribute('loading', 'lazy')
})

test('the grid is one stop, arrows move, Space selects, and the selection has its own bar', async () => {
  const { user } = open()
  const first = await tile('a')
  first.focus()
  await user.keyboard('{ArrowRight} ')
  expect(await tile('b')).toHaveFocus()
  expect(first).toHaveAttribute('tabindex', '-1')
  expect(screen.getByText('1 selected')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Cards' })).toBeNull()
  await user.keyboard('{End} ')
  expect(screen.getByText('2 selected')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.getByRole('button', { name: 'Cards' })).toBeVisible()
})

test('the details have an address, and leave by going back', async () => {
  const { router, user } = open('/media-gallery?source=upload')
  await user.click(await tile('a'))
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  expect(await drawer.findByDisplayValue('Picture a')).toBeVisible()
  expect(drawer.getByText('1600 × 1200')).toBeVisible()
  expect(drawer.getByText('Not used yet.')).toBeVisible()
  expect(router.state.location.search).toBe('?source=upload&image=a')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(router.state.location.search).toBe('?source=upload'))
})

test('alt text and tags are saved, and only what changed goes out', async () => {
  const sent: unknown[] = []
  server.use(
    http.patch('*/api/media/:id/', async ({ request }) => {
      const body = (await request.json()) as object
      sent.push(body)
      stored = stored.map((known) => (known.id === 'b' ? { ...known, ...body } : known))
      return HttpResponse.json(stored[1])
    }),
  )
  const { user } = open('/media-gallery?image=b')
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  await user.type(await drawer.findByLabelText('Alt text'), 'A bike in the rain')
  expect(drawer.getByText('1 unsaved change')).toBeVisible()
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(drawer.queryByText('1 unsaved change')).toBeNull())
  expect(sent).toEqual([{ alt: 'A bike in the rain' }])
})

test('a deleted image can be brought back', async () => {
  const restored: string[] = []
  server.use(
    http.delete('*/api/media/:id/', ({ params }) => {
      stored = stored.filter(({ id }) => id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('*/api/media/:id/restore/', ({ params }) => {
      restored.push(String(params.id))
      stored = [image('a'), ...stored]
      return HttpResponse.json(image('a'))
    }),
  )
  const { user } = open()
  const first = await tile('a')
  first.focus()
  await user.keyboard('{Delete}')
  expect(await screen.findByText('“Picture a” is deleted.')).toBeVisible()
  expect(screen.queryByRole('link', { name: /Picture a/ })).toBeNull()
  await waitFor(async () => expect(await tile('b')).toHaveFocus())
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await tile('a')).toBeVisible()
  expect(restored).toEqual(['a'])
})

test('what a post still needs stays, with where it is used', async () => {
  uses = [{ kind: 'post', id: '9', name: 'Winter tyres', blocks: true }]
  server.use(http.delete('*/api/media/:id/', () => refuse('in_use', 409, { by: 'Winter tyres' })))
  const { user } = open('/media-gallery?image=a')
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  expect(await drawer.findByRole('link', { name: 'Winter tyres' })).toHaveAttribute('href', '/social-media-posts/9')
  await user.click(drawer.getByRole('button', { name: 'Delete' }))
  expect(await drawer.findByRole('alert')).toHaveTextContent('Still used by: Winter tyres.')
})

test('several at once: what is refused stays selected and says why', async () => {
  server.use(
    http.delete('*/api/media/:id/', ({ params }) => {
      if (params.id === 'b') return refuse('in_use', 409, { by: 'Winter tyres' })
      stored = stored.filter(({ id }) => id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = open()
  ;(await tile('a')).focus()
  await user.keyboard('{Control>}a{/Control}')
  expect(screen.getByText('3 selected')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('2 images are deleted.')).toBeVisible()
  expect(screen.getByText(/“Picture b”: Still used by: Winter tyres/)).toBeVisible()
  expect(screen.getByText('1 selected')).toBeVisible()
})

test('tags of several: those of all are shown, others stay untouched', async () => {
  stored = [image('a', { tags: ['Autumn', 'Bikes'] }), image('b', { tags: ['Autumn'] })]
  const sent: Record<string, unknown> = {}
  server.use(
    http.patch('*/api/media/:id/', async ({ request, params }) => {
      sent[String(params.id)] = await request.json()
      return HttpResponse.json(stored[0])
    }),
  )
  const { user } = open()
  ;(await tile('a')).focus()
  await user.keyboard('{Control>}a{/Control}')
  await user.click(screen.getByRole('button', { name: 'Change tags' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change tags of 2 images' }))
  await user.type(dialog.getByRole('combobox', { name: 'Tags' }), '{Backspace}Sale{Enter}')
  await user.click(dialog.getByRole('button', { name: 'Save tags' }))
  await waitFor(() => expect(sent).toEqual({ a: { tags: ['Bikes', 'Sale'] }, b: { tags: ['Sale'] } }))
})

test('pasted files are uploaded, and leaving while one is on its way asks', async () => {
  server.use(
    http.post('*/api/media/', async () => {
      await delay('infinite')
    }),
  )
  const { router, user } = open()
  await tile('a')
  const paste = Object.assign(new Event('paste', { bubbles: true }), {
    clipboardData: { files: [new File(['x'], 'bike.jpg', { type: 'image/jpeg' })] },
  })
  document.body.dispatchEvent(paste)
  expect(await screen.findByText('bike.jpg')).toBeVisible()
  expect(screen.getByText('0 of 1 file uploaded')).toBeVisible()

  void router.navigate('/topics')
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop the uploads?' }))
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.pathname).toBe('/media-gallery')

  void router.navigate('/topics')
  await user.click(await screen.findByRole('button', { name: 'Stop uploads' }))
  expect(await screen.findByText('Elsewhere')).toBeVisible()
})

test('an upload that is too large is told without being sent', async () => {
  const seen = vi.fn()
  server.use(http.post('*/api/media/', seen))
  open()
  await tile('a')
  const large = new File(['x'], 'wall.png')
  Object.defineProperty(large, 'size', { value: 21 * 1024 ** 2 })
  document.body.dispatchEvent(
    Object.assign(new Event('paste', { bubbles: true }), { clipboardData: { files: [large] } }),
  )
  expect(await screen.findByText(/At most 20 MB/)).toBeVisible()
  expect(seen).not.toHaveBeenCalled()
})

test('an empty library says what to do, and filters that find nothing how to leave them', async () => {
  stored = []
  const { user } = open('/media-gallery?search=tyres')
  expect(await screen.findByText('No image has “tyres” in its name, alt text or tags.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('heading', { name: 'No images yet' })).toBeVisible()
  expect(screen.getAllByRole('link', { name: 'Design a card' })).toHaveLength(2)
})

test('a storage that is away has its own sentence', async () => {
  server.use(http.get('*/api/media/', () => refuse('storage_unavailable', 503)))
  open()
  expect(await screen.findByText('Images could not be loaded')).toBeVisible()
  expect(screen.getByText(/storage for images does not answer/)).toBeVisible()
})
