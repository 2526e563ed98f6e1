import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { CardIn, CardPresetIn, CardPreviewOut } from '@/api/types.gen'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { completeSettings } from '@/lib/card-settings'
import { CardDesigner } from './card-designer'

const look = { ...completeSettings(), ground: '#112233', ink: '#ffffff', accent: '#ffcc00', foot: 'lindhof' }
const preset = (id: string, name: string) => ({
  id,
  name,
  settings: look,
  logo_url: null,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
})

let presets: ReturnType<typeof preset>[]
let drawn: CardIn[]
let answer: Partial<CardPreviewOut>

const refuse = (code: string, status: number, errors: object[] = []) =>
  HttpResponse.json(
    { type: 'about:blank', title: '', status, code, detail: '', params: {}, errors },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

const server = startServer(
  http.get('*/api/cards/options/', () =>
    HttpResponse.json({
      layouts: ['number', 'quote', 'collage'],
      fonts: ['schibsted', 'zilla_slab'],
      palettes: [{ name: 'petrol', ground: '#0e444b', ink: '#ffffff', accent: '#fdc146' }],
    }),
  ),
  http.get('*/api/cards/presets/', () => HttpResponse.json(presets)),
  http.get('*/api/media/tags/', () => HttpResponse.json([])),
  http.post('*/api/cards/preview/', async ({ request }) => {
    drawn.push((await request.json()) as CardIn)
    return HttpResponse.json({
      image: btoa('a picture'),
      mime: 'image/png',
      width: 1080,
      height: 1080,
      layout: 'quote',
      notes: [],
      ...answer,
    })
  }),
)

beforeAll(() => {
  // jsdom lacks these
  URL.createObjectURL = vi.fn(() => `blob:${drawn.length}`)
  URL.revokeObjectURL = vi.fn()
})
beforeEach(() => {
  presets = []
  drawn = []
  answer = {}
})

function open(from = 'new', client = new QueryClient({ defaultOptions: { queries: { retry: false } } })) {
  const router = createMemoryRouter(
    [
      { path: '/designer', Component: () => <CardDesigner from={from} /> },
      { path: '/media-gallery', element: 'The gallery' },
    ],
    { initialEntries: ['/designer'] },
  )
  const { unmount } = render(
    <Providers queryClient={client}>
      <Notifications />
      <RouterProvider router={router} />
    </Providers>,
  )
  return { router, user: userEvent.setup(), client, unmount }
}

const headline = () => screen.findByLabelText('Headline')

test('without words there is no preview, with them one call for a burst of typing', async () => {
  const { user } = open()
  expect(await screen.findByText('Write a headline to see the card here.')).toBeVisible()
  await user.type(await headline(), 'A true wheel hums')
  expect(await screen.findByRole('img', { name: 'A true wheel hums' })).toHaveAttribute('src', 'blob:1')
  expect(drawn).toHaveLength(1)
  expect(drawn[0]).toMatchObject({ headline: 'A true wheel hums', settings: { layout: null, ground: null } })
  expect(await screen.findByText('Selected to fit the text: Quote.')).toBeVisible()
})

test('the former picture stays while the next one is drawn', async () => {
  const { user } = open()
  await user.type(await headline(), 'One')
  await screen.findByRole('img', { name: 'One' })
  server.use(
    http.post('*/api/cards/preview/', async () => {
      await delay('infinite')
    }),
  )
  await user.type(await headline(), ' more')
  const picture = await screen.findByRole('img', { name: 'One more' })
  expect(picture).toHaveAttribute('src', 'blob:1')
  expect(picture.parentElement).toHaveAttribute('aria-busy', 'true')
})

test('what the renderer had to do is said, at the colours too', async () => {
  answer = { notes: ['ink_switched', 'text_cut', 'turned_round' as 'text_cut'] }
  const { user } = open()
  await user.type(await headline(), 'Long')
  const colours = within(await screen.findByRole('group', { name: 'Colours' }))
  expect(await colours.findByText(/uses white or near-black instead/)).toBeVisible()
  expect(screen.getByText(/so its end is cut off/)).toBeVisible()
  expect(screen.getByText('The card was adjusted to stay readable.')).toBeVisible()
})

test('layouts of a newer server show by their own name, and every setting goes along', async () => {
  const { user } = open()
  await user.type(await headline(), 'x')
  await user.click(await screen.findByRole('radio', { name: 'Collage' }))
  await user.click(screen.getByRole('radio', { name: 'Petrol' }))
  await user.click(screen.getByRole('radio', { name: '4:5' }))
  const accent = screen.getByLabelText('Accent')
  await user.clear(accent)
  await user.type(accent, '#F0A')
  await waitFor(() =>
    expect(drawn.at(-1)?.settings).toEqual({
      ...completeSettings(),
      layout: 'collage',
      size: 'portrait',
      ground: '#0e444b',
      ink: '#ffffff',
      accent: '#ff00aa',
    }),
  )
})

test('the saved card has the alt text of its words until somebody writes one', async () => {
  const saved: unknown[] = []
  server.use(
    http.post('*/api/cards/', async ({ request }) => {
      saved.push(await request.json())
      return HttpResponse.json({ id: '7' }, { status: 201 })
    }),
  )
  const { router, user } = open()
  await user.type(await headline(), 'Be seen')
  await user.type(screen.getByLabelText('Text (optional)'), 'Lights on')
  expect(screen.getByLabelText('Alt text')).toHaveValue('Be seen. Lights on')
  await user.click(screen.getByRole('button', { name: 'Save to images' }))
  expect(await screen.findByText('The gallery')).toBeVisible()
  expect(router.state.location.search).toBe('?image=7')
  expect(saved).toEqual([
    { headline: 'Be seen', text: 'Lights on', settings: completeSettings(), alt: 'Be seen. Lights on', tags: [] },
  ])
  expect(screen.queryByText(/is kept until you come back/)).toBeNull()
})

test('without a headline nothing is sent, and the field says so', async () => {
  const { user } = open()
  await headline()
  await user.click(screen.getByRole('button', { name: 'Save to images' }))
  expect(await screen.findByText('The text is empty. Write one.')).toBeVisible()
  expect(await headline()).toHaveFocus()
})

test('an unsaved card is there again, and can be thrown away', async () => {
  const { user, client, unmount } = open()
  await user.type(await headline(), 'Half done')
  unmount()
  open('new', client)
  expect(await headline()).toHaveValue('Half done')
  await user.click(screen.getByRole('button', { name: 'Start over' }))
  expect(await headline()).toHaveValue('')
})

test('a saved look is taken, and its words stay', async () => {
  presets = [preset('p', 'Workshop')]
  const { user } = open()
  await user.type(await headline(), 'Words')
  await user.click(await screen.findByRole('combobox', { name: 'Saved look' }))
  await user.click(await screen.findByRole('option', { name: 'Workshop' }))
  await waitFor(() => expect(drawn.at(-1)).toMatchObject({ headline: 'Words', settings: look }))
  expect(screen.getByLabelText('Background')).toHaveValue('#112233')
})

test('a look is saved by a name, and a taken one is told at its field', async () => {
  const stored: CardPresetIn[] = []
  server.use(
    http.post('*/api/cards/presets/', async ({ request }) => {
      const body = (await request.json()) as CardPresetIn
      if (body.name === 'Workshop') return refuse('name_taken', 409)
      stored.push(body)
      presets = [preset('n', body.name)]
      return HttpResponse.json(presets[0], { status: 201 })
    }),
  )
  const { user } = open()
  await headline()
  await user.click(screen.getByRole('button', { name: 'Looks' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Save as a new look' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as a new look' }))
  await user.type(dialog.getByLabelText('Name'), 'Workshop{Enter}')
  expect(await dialog.findByText('This name is already taken. Choose another one.')).toBeVisible()
  await user.type(dialog.getByLabelText('Name'), ' two{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(stored).toEqual([{ name: 'Workshop two', settings: completeSettings() }])
  expect(await screen.findByRole('combobox', { name: 'Saved look' })).toHaveValue('Workshop two')
  expect(screen.queryByText(/There is no text yet/)).toBeNull()
})

test('a deleted look can be brought back', async () => {
  presets = [preset('p', 'Workshop')]
  const made: unknown[] = []
  server.use(
    http.delete('*/api/cards/presets/:id/', () => {
      presets = []
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('*/api/cards/presets/', async ({ request }) => {
      made.push(await request.json())
      return HttpResponse.json(preset('q', 'Workshop'), { status: 201 })
    }),
  )
  const { user } = open('p')
  expect(await screen.findByRole('combobox', { name: 'Saved look' })).toHaveValue('Workshop')
  await user.click(screen.getByRole('button', { name: 'Looks' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete look' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  // what started from it goes on
  expect(await headline()).toBeVisible()
  await waitFor(() => expect(made).toEqual([{ name: 'Workshop', settings: look }]))
})

test('a card of the library is taken up again', async () => {
  const card = { headline: '104', text: 'of 117 rainy days', settings: { ...look, layout: 'number' } }
  server.use(http.get('*/api/media/c/', () => HttpResponse.json({ id: 'c', tags: ['Rain'], card, uses: [] })))
  open('c')
  expect(await headline()).toHaveValue('104')
  expect(await screen.findByRole('radio', { name: 'Number' })).toBeChecked()
  expect(screen.getByText('Rain')).toBeVisible()
})

const kept = { headline: 'Go by bike', text: '', settings: completeSettings() }
const cardImage = (more: object = {}) => ({ id: 'c', alt: 'A wheel in the rain', tags: ['Rain'], card: kept, uses: [], ...more })

test('a card of the library keeps its own alt text, and alt text or tags alone are worth saving', async () => {
  const saved: unknown[] = []
  server.use(
    http.get('*/api/media/c/', () => HttpResponse.json(cardImage())),
    http.post('*/api/cards/', async ({ request }) => {
      saved.push(await request.json())
      await delay(30)
      return HttpResponse.json({ id: 'c' }, { status: 201 })
    }),
  )
  const { user, unmount, client } = open('c')
  await headline()
  expect(screen.getByLabelText('Alt text')).toHaveValue('A wheel in the rain')
  expect(screen.queryByRole('button', { name: 'Start over' })).toBeNull()
  await user.type(screen.getByRole('combobox', { name: 'Tags' }), 'Wet{Enter}')
  expect(screen.getByRole('button', { name: 'Start over' })).toBeVisible()
  unmount()

  const again = open('c', client)
  await headline()
  expect(screen.getByText('Wet')).toBeVisible()
  await again.user.type(screen.getByLabelText('Alt text'), '!')
  const button = screen.getByRole('button', { name: 'Save to images' })
  button.click()
  button.click()
  expect(await screen.findByText('The gallery')).toBeVisible()
  expect(saved).toEqual([{ ...kept, alt: 'A wheel in the rain!', tags: ['Rain', 'Wet'] }])
})

test('an alt text that only repeats the words goes on following them', async () => {
  server.use(http.get('*/api/media/c/', () => HttpResponse.json(cardImage({ alt: 'Go by bike' }))))
  const { user } = open('c')
  await user.type(await headline(), ' today')
  expect(screen.getByLabelText('Alt text')).toHaveValue('Go by bike today')
})

test('letters that no card has are told at the headline, and in place of the picture', async () => {
  server.use(
    http.post('*/api/cards/preview/', () =>
      refuse('invalid_input', 422, [{ field: 'headline', code: 'card_letters_missing', params: {} }]),
    ),
  )
  const { user } = open()
  await user.type(await headline(), '自転車')
  expect(await screen.findAllByText(/Cards support Latin, Greek and Cyrillic letters only/)).toHaveLength(2)
  expect(await headline()).toBeInvalid()
  expect(screen.queryByText('The text is empty. Write one.')).toBeNull()
})

test('a tag that is too long is told at its field', async () => {
  server.use(
    http.post('*/api/cards/', () =>
      refuse('invalid_input', 422, [
        { field: 'tags.0', code: 'content_too_long', params: { length: 41, limit: 40 } },
      ]),
    ),
  )
  const { user } = open()
  await user.type(await headline(), 'x')
  await user.click(screen.getByRole('button', { name: 'Save to images' }))
  expect(await screen.findByText(/A tag can have at most 40 characters/)).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Tags' })).toBeInvalid()
})

test('what is not there any more says so, and a logo that is gone too', async () => {
  server.use(
    http.get('*/api/media/:id/', () => refuse('not_found', 404)),
    http.post('*/api/cards/preview/', () =>
      refuse('invalid_input', 422, [{ field: 'settings.logo_id', code: 'not_found', params: {} }]),
    ),
  )
  const { unmount } = open('gone')
  expect(await screen.findByText('This card does not exist')).toBeVisible()
  unmount()
  presets = [{ ...preset('p', 'Workshop'), settings: { ...look, logo_id: 'l' } }]
  const { user } = open('p')
  await user.type(await headline(), 'x')
  const logo = within(screen.getByRole('group', { name: 'Logo' }))
  expect(await logo.findByRole('alert')).toBeVisible()
  await user.click(logo.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(logo.queryByRole('alert')).toBeNull())
})
