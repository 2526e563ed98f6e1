import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import type { MediaOut, MediaUse } from '@/api/types.gen'
import { saveToken } from '@/lib/token'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { UploadsGuard } from '@/features/media/uploads/uploads-guard'
import { Library } from './library'

const image = (id: string, more: Partial<MediaOut> = {}): MediaOut => ({
  id,
  source: 'upload',
  kind: 'image',
  pages: null,
  seconds: null,
  page_url: null,
  of_pages: false,
  by_assistant: false,
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
  card_notes: [],
  carousel: null,
  version: 1,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
  ...more,
})

let stored: MediaOut[]
let uses: MediaUse[]
let asked: URLSearchParams[]

const refuse = (code: string, status: number, params: object = {}, errors: object[] = []) =>
  HttpResponse.json(
    { type: 'about:blank', title: '', status, code, detail: '', params, errors },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

const server = startServer(
  http.get('*/api/media/', ({ request }) => {
    asked.push(new URL(request.url).searchParams)
    const origins = { own: 0, upload: 0, ai: 0, card: 0, assistant: 0 }
    const kinds = { image: 0, document: 0, video: 0 }
    for (const { source, by_assistant, kind } of stored) {
      kinds[kind] += 1
      origins[by_assistant ? 'assistant' : source] += 1
      if (!by_assistant) origins.own += 1
    }
    const only = asked.at(-1)?.get('kind')
    const items = stored.filter(({ by_assistant, kind }) => (!by_assistant || asked.at(-1)?.get('origin') !== 'own') && (!only || kind === only))
    return HttpResponse.json({ items, next_cursor: null, total: items.length, origins, kinds })
  }),
  http.get('*/api/media/tags/', () => HttpResponse.json([{ tag: 'Autumn', count: 2 }])),
  http.get('*/api/media/:id/', ({ params }) => {
    const found = stored.find(({ id }) => id === params.id)
    return found ? HttpResponse.json({ ...found, uses }) : refuse('not_found', 404)
  }),
)

beforeEach(() => {
  saveToken('mine')
  stored = [image('a'), image('b', { alt: '' }), image('c', { source: 'card' })]
  uses = []
  asked = []
})

function open(path = '/media-gallery') {
  const page = {
    path: '/media-gallery',
    Component: () => (
      <Questions>
        <Notifications />
        <UploadsGuard />
        <Library designing={null} page={null} post={null} />
      </Questions>
    ),
  }
  const router = createMemoryRouter([page, { path: '*', element: 'Elsewhere' }], { initialEntries: [path] })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <Providers queryClient={client}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { router, user: userEvent.setup(), client }
}

const tile = (name: string) => screen.findByRole('link', { name: new RegExp(`Picture ${name}`) })

test('filters, tag and order stand in the address and go to the server', async () => {
  const { router, user } = open('/media-gallery?tag=Autumn&sort=largest')
  await tile('a')
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({ tag: 'Autumn', sort: 'largest' })
  await user.click(screen.getByRole('button', { name: 'Cards 1' }))
  await waitFor(() => expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ origin: 'card', tag: 'Autumn' }))
  expect(router.state.location.search).toBe('?tag=Autumn&sort=largest&origin=card')
  expect(screen.getByRole('button', { name: 'Cards 1' })).toHaveAttribute('aria-pressed', 'true')
})

test('each origin says how many images it has, also after an upload and a deletion', async () => {
  server.use(
    http.post('*/api/media/', () => {
      stored = [image('d'), ...stored]
      return HttpResponse.json({ ...image('d'), duplicate: false }, { status: 201 })
    }),
    http.delete('*/api/media/:id/', async ({ params }) => {
      stored = stored.filter(({ id }) => id !== params.id)
      await delay(20)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = open()
  const card = await tile('c')
  const counts = () =>
    ['Yours', 'Uploads', 'AI', 'Cards', 'All'].map((name) => screen.getByRole('button', { name: new RegExp(`^${name} \\d`) }).textContent)
  expect(counts()).toEqual(['Yours 3', 'Uploads 2', 'AI 0', 'Cards 1', 'All 3'])
  document.body.dispatchEvent(
    Object.assign(new Event('paste', { bubbles: true }), { clipboardData: { files: [new File(['x'], 'd.jpg')] } }),
  )
  await tile('d')
  expect(counts()).toEqual(['Yours 4', 'Uploads 3', 'AI 0', 'Cards 1', 'All 4'])
  // at once, before the list is read again
  server.use(
    http.get('*/api/media/', async () => {
      await delay('infinite')
    }),
  )
  card.focus()
  await user.keyboard('{Delete}')
  await waitFor(() => expect(counts()).toEqual(['Yours 3', 'Uploads 3', 'AI 0', 'Cards 0', 'All 3']))
})

test('what assistants made is hidden, counted, and one click away', async () => {
  stored = [...stored, image('run', { source: 'card', by_assistant: true })]
  const { router, user } = open()
  await tile('a')
  expect(screen.getByText('1 file made by assistants is hidden.')).toBeVisible()
  expect(screen.queryByRole('link', { name: /Picture run/ })).toBeNull()
  expect(screen.getByRole('button', { name: 'Cards 1' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(await tile('run')).toBeVisible()
  expect(router.state.location.search).toBe('?origin=all')
  expect(screen.queryByText(/made by assistants is hidden/)).toBeNull()
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
  expect(screen.queryByRole('button', { name: /^Cards/ })).toBeNull()
  await user.keyboard('{End} ')
  expect(screen.getByText('2 selected')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.getByRole('button', { name: 'Cards 1' })).toBeVisible()
})

test('the details have an address, and leave by going back', async () => {
  const { router, user } = open('/media-gallery?origin=upload')
  await user.click(await tile('a'))
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  expect(await drawer.findByDisplayValue('Picture a')).toBeVisible()
  expect(drawer.getByText('1600 × 1200')).toBeVisible()
  expect(drawer.getByText('Not used yet.')).toBeVisible()
  expect(router.state.location.search).toBe('?origin=upload&image=a')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(router.state.location.search).toBe('?origin=upload'))
})

test('what a card had to leave out is told under it', async () => {
  stored = [image('a', { source: 'card', card_notes: ['characters_dropped', 'text_cut'] })]
  open('/media-gallery?image=a')
  expect(await screen.findByText('Some characters are not available in any typeface and are left out.')).toBeVisible()
  expect(screen.getByText(/^The text does not fit/)).toBeVisible()
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
  expect(sent).toEqual([{ alt: 'A bike in the rain', version: 1 }])
})

test('what the server makes of a name is no unsaved change, and what was typed meanwhile stays', async () => {
  server.use(
    http.patch('*/api/media/:id/', async ({ request }) => {
      const body = (await request.json()) as { name: string; version: number }
      await delay(50)
      const name = body.name.replaceAll(/\s+/g, ' ').trim()
      stored = stored.map((known) => (known.id === 'a' ? { ...known, name, version: body.version + 1 } : known))
      return HttpResponse.json(stored[0])
    }),
  )
  const { user } = open('/media-gallery?image=a')
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  const name = await drawer.findByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Rain  on  wheels ')
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(name).toHaveValue('Rain on wheels'))
  await waitFor(() => expect(drawer.queryByText(/unsaved change/)).toBeNull())

  await user.type(name, '!  ')
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  await user.type(drawer.getByLabelText('Alt text'), ', more')
  await waitFor(() => expect(name).toHaveValue('Rain on wheels!'))
  expect(drawer.getByLabelText('Alt text')).toHaveValue('What a shows, more')
  expect(drawer.getByText('1 unsaved change')).toBeVisible()
  expect(drawer.queryByText('This file was changed elsewhere.')).toBeNull()
})

test('a tag that is too long is told at its field', async () => {
  server.use(
    http.patch('*/api/media/:id/', () =>
      refuse('invalid_input', 422, {}, [
        { field: 'tags.1', code: 'content_too_long', params: { length: 60, limit: 40 } },
      ]),
    ),
  )
  const { user } = open('/media-gallery?image=a')
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  await user.type(await drawer.findByRole('combobox', { name: 'Tags' }), `Wet{Enter}${'y'.repeat(60)}{Enter}`)
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await drawer.findByText('A tag can have at most 40 characters, but this one has 60. Shorten it.')).toBeVisible()
  expect(drawer.getByRole('combobox', { name: 'Tags' })).toBeInvalid()
  expect(drawer.getByText('1 unsaved change')).toBeVisible()
})

test('what was saved in another tab is not written over without a choice', async () => {
  const sent: unknown[] = []
  server.use(
    http.patch('*/api/media/:id/', async ({ request }) => {
      const body = (await request.json()) as { alt: string; version: number }
      sent.push(body)
      const [first] = stored
      if (!first || body.version !== first.version) return refuse('stale_version', 409, { current: first?.version })
      stored = [{ ...first, alt: body.alt, version: body.version + 1 }, ...stored.slice(1)]
      return HttpResponse.json(stored[0])
    }),
  )
  const { user } = open('/media-gallery?image=a')
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  const alt = await drawer.findByLabelText('Alt text')
  const elsewhere = (words: string, version: number) => {
    stored = [image('a', { alt: words, version }), ...stored.slice(1)]
  }
  elsewhere('From the other tab', 2)
  await user.type(alt, ', mine')
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  expect(await drawer.findByText('This file was changed elsewhere.')).toBeVisible()
  expect(alt).toHaveValue('What a shows, mine')
  expect(stored[0]?.alt).toBe('From the other tab')

  await user.click(drawer.getByRole('button', { name: 'Continue with my version' }))
  expect(drawer.queryByText('This file was changed elsewhere.')).toBeNull()
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(drawer.queryByText(/unsaved change/)).toBeNull())
  expect(sent).toEqual([
    { alt: 'What a shows, mine', version: 1 },
    { alt: 'What a shows, mine', version: 2 },
  ])

  await user.type(alt, ', again')
  elsewhere('Theirs once more', 4)
  await user.click(drawer.getByRole('button', { name: 'Save' }))
  await user.click(await drawer.findByRole('button', { name: 'Show saved version' }))
  expect(alt).toHaveValue('Theirs once more')
  expect(drawer.queryByText(/unsaved change/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(alt).toHaveValue('What a shows, mine, again')
})

test.each([
  ['of none', 'unknown', 404],
  ['that is no id', '%20', 422],
])('an address %s says so, with a way back and nothing to try again', async (_, id, status) => {
  server.use(http.get('*/api/media/:id/', () => refuse(status === 404 ? 'not_found' : 'invalid_input', status)))
  const { router, user } = open(`/media-gallery?image=${id}`)
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  expect(await drawer.findByText('This file no longer exists')).toBeVisible()
  expect(drawer.queryByRole('button', { name: 'Try again' })).toBeNull()
  await user.click(drawer.getByRole('button', { name: 'Show the gallery' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

test('an image that was deleted in another tab is not shown as if it were there', async () => {
  const { client } = open('/media-gallery?image=a')
  const drawer = within(await screen.findByRole('dialog', { name: 'Details' }))
  await drawer.findByDisplayValue('Picture a')
  const [first, ...others] = stored
  stored = others
  await client.invalidateQueries()
  expect(await drawer.findByText('This file no longer exists')).toBeVisible()
  expect(drawer.queryByRole('button', { name: 'Delete' })).toBeNull()
  stored = first ? [first, ...others] : others
  await client.invalidateQueries()
  expect(await drawer.findByDisplayValue('Picture a')).toBeVisible()
})

test('one image that is deleted beside the selected ones leaves them selected', async () => {
  server.use(
    http.delete('*/api/media/:id/', ({ params }) => {
      stored = stored.filter(({ id }) => id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = open()
  const other = await tile('a')
  await user.click(screen.getByRole('checkbox', { name: 'Select Picture b' }))
  other.focus()
  await user.keyboard('{Delete}')
  await waitFor(() => expect(screen.queryByRole('link', { name: /Picture a/ })).toBeNull())
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Select Picture b' })).toBeChecked())
  expect(screen.getByText('1 selected')).toBeVisible()
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
  expect(await screen.findByText('“Picture a” was deleted.')).toBeVisible()
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
  const intoView = vi.spyOn(Element.prototype, 'scrollIntoView')
  await user.click(drawer.getByRole('button', { name: 'Delete' }))
  const alert = await drawer.findByRole('alert')
  expect(alert).toHaveTextContent('Still used by: Winter tyres. Change that before you delete.')
  expect(intoView.mock.contexts).toContain(alert)
  intoView.mockRestore()
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
  expect(await screen.findByText('2 files were deleted.')).toBeVisible()
  expect(screen.getByText(/“Picture b”: Still used by: Winter tyres. Change that before you delete./)).toBeVisible()
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
  const dialog = within(await screen.findByRole('dialog', { name: 'Change tags of 2 files' }))
  await user.type(dialog.getByRole('combobox', { name: 'Tags' }), '{Backspace}Sale{Enter}')
  await user.click(dialog.getByRole('button', { name: 'Save tags' }))
  const version = 1
  await waitFor(() => expect(sent).toEqual({ a: { version, tags: ['Bikes', 'Sale'] }, b: { version, tags: ['Sale'] } }))
})

test('tags of several: what came from elsewhere meanwhile stays, and a tag that is too long keeps the dialog', async () => {
  stored = [image('a', { tags: ['Autumn'] })]
  const sent: unknown[] = []
  server.use(
    http.patch('*/api/media/:id/', async ({ request }) => {
      const body = (await request.json()) as { tags: string[]; version: number }
      const at = body.tags.findIndex((tag) => tag.length > 40)
      if (at >= 0)
        return refuse('invalid_input', 422, {}, [
          { field: `tags.${at}`, code: 'content_too_long', params: { length: body.tags[at]?.length, limit: 40 } },
        ])
      sent.push(body)
      if (body.version !== stored[0]?.version) return refuse('stale_version', 409)
      return HttpResponse.json(stored[0])
    }),
  )
  const { user } = open()
  ;(await tile('a')).focus()
  await user.keyboard(' ')
  await user.click(screen.getByRole('button', { name: 'Change tags' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change tags of 1 file' }))
  const tags = dialog.getByRole('combobox', { name: 'Tags' })
  await user.type(tags, `${'y'.repeat(41)}{Enter}`)
  await user.click(dialog.getByRole('button', { name: 'Save tags' }))
  expect(await dialog.findByText(/A tag can have at most 40 characters, but this one has 41/)).toBeVisible()
  // the list is read again after any try
  await waitFor(() => expect(asked).toHaveLength(2))
  stored = [image('a', { tags: ['Autumn', 'Rain'], version: 2 })]
  await user.type(tags, '{Backspace}Sale{Enter}')
  await user.dblClick(dialog.getByRole('button', { name: 'Save tags' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    { version: 1, tags: ['Autumn', 'Sale'] },
    { version: 2, tags: ['Autumn', 'Rain', 'Sale'] },
  ])
  expect(screen.queryByText(/were not saved/)).toBeNull()
})

test('a double click deletes once', async () => {
  const gone: unknown[] = []
  server.use(
    http.delete('*/api/media/:id/', async ({ params }) => {
      gone.push(params.id)
      await delay(50)
      stored = stored.filter(({ id }) => id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = open()
  ;(await tile('a')).focus()
  await user.keyboard(' {ArrowRight} ')
  const button = screen.getByRole('button', { name: 'Delete' })
  button.click()
  button.click()
  expect(await screen.findByText('2 files were deleted.')).toBeVisible()
  expect(gone).toEqual(['a', 'b'])
  expect(screen.queryByText(/not deleted/)).toBeNull()
})

/** The gallery, with a pasted image that is on its way and never arrives. */
async function openWithUpload() {
  server.use(
    http.post('*/api/media/', async () => {
      await delay('infinite')
    }),
  )
  const opened = open()
  await tile('a')
  const paste = Object.assign(new Event('paste', { bubbles: true }), {
    clipboardData: { files: [new File(['x'], 'bike.jpg', { type: 'image/jpeg' })] },
  })
  document.body.dispatchEvent(paste)
  return opened
}

test('pasted files are uploaded, and leaving while one is on its way asks', async () => {
  const { router, user } = await openWithUpload()
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

test('an attempt to leave in the moment after one was called off asks again', async () => {
  const { router, user } = await openWithUpload()
  expect(await screen.findByText('0 of 1 file uploaded')).toBeVisible()

  void router.navigate('/topics')
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop the uploads?' }))
  // nothing is drawn between the two
  await act(async () => {
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await Promise.resolve()
    void router.navigate('/topics')
  })
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

test('documents and videos have marks, and are found by their kind', async () => {
  stored = [
    image('a'),
    image('b', { kind: 'document', mime: 'application/pdf', alt: '', pages: 12 }),
    image('c', { kind: 'video', mime: 'video/mp4', alt: '', seconds: 34.2 }),
  ]
  const { router, user } = open()
  expect(await tile('b')).toHaveAccessibleName(/Document12 pages.*Upload, PDF/)
  expect(within(await tile('b')).queryByText('No alt text')).toBeNull()
  expect(await tile('c')).toHaveAccessibleName(/Video0:34.*No alt text/)
  await user.click(screen.getByRole('combobox', { name: 'Kind' }))
  await user.click(await screen.findByRole('option', { name: 'Videos (1)' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /Picture b/ })).toBeNull())
  expect(router.state.location.search).toBe('?kind=video')
})

test.each([
  ['talk.pdf', 100_000_001, /At most 100 MB/],
  ['clip.mp4', 1_000_000_001, /At most 1,000 MB/],
])('%s that is too large is told without being sent', async (name, size, told) => {
  const seen = vi.fn()
  server.use(http.post('*/api/media/', seen), http.post('*/api/media/videos/', seen))
  open()
  await tile('a')
  const large = new File(['x'], name)
  Object.defineProperty(large, 'size', { value: size })
  document.body.dispatchEvent(Object.assign(new Event('paste', { bubbles: true }), { clipboardData: { files: [large] } }))
  expect(await screen.findByText(told)).toBeVisible()
  expect(seen).not.toHaveBeenCalled()
})

test('an empty library says what to do, and filters that find nothing how to leave them', async () => {
  stored = []
  const { user } = open('/media-gallery?search=tyres')
  expect(await screen.findByText('No file has “tyres” in its name, alt text or tags.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByRole('heading', { name: 'No files yet' })).toBeVisible()
  expect(screen.getAllByRole('link', { name: 'Design a card' })).toHaveLength(2)
})

test('a storage that is away has its own sentence', async () => {
  server.use(http.get('*/api/media/', () => refuse('storage_unavailable', 503)))
  open()
  expect(await screen.findByText('The gallery could not be loaded')).toBeVisible()
  expect(screen.getByText(/file storage is not answering/)).toBeVisible()
})
