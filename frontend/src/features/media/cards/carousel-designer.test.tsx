import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { CardDocumentIn, CardSequencePreviewIn, CardSequenceSaveIn } from '@/api/types.gen'
import { anImage } from '@/test/made'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { CarouselDesigner } from './carousel-designer'

const SUGGESTED = [
  { kind: 'cover', headline: 'Riding in winter', text: '', alt: '' },
  { kind: 'point', headline: 'Lower your light', text: 'It blinds nobody.', alt: '' },
  { kind: 'number', headline: '104 of 117 days', text: '', alt: '' },
]

let drawn: CardSequencePreviewIn[]
let saved: CardSequenceSaveIn[]
let documents: CardDocumentIn[]

const server = startServer(
  http.get('*/api/cards/options/', () => HttpResponse.json({ layouts: ['quote'], fonts: ['schibsted'], palettes: [] })),
  http.get('*/api/cards/presets/', () => HttpResponse.json([])),
  http.get('*/api/brands/', () => HttpResponse.json({ items: [], total: 0, next_cursor: null })),
  http.get('*/api/media/tags/', () => HttpResponse.json([])),
  http.post('*/api/cards/sequences/pages/', async ({ request }) => {
    const { text } = (await request.json()) as { text: string }
    return HttpResponse.json(text === 'Short.' ? [] : SUGGESTED)
  }),
  http.post('*/api/cards/sequences/preview/', async ({ request }) => {
    drawn.push((await request.json()) as CardSequencePreviewIn)
    return HttpResponse.json([
      { image: btoa('a picture'), mime: 'image/jpeg', width: 1080, height: 1350, alt: '', notes: [] },
    ])
  }),
  http.post('*/api/cards/sequences/document/', async ({ request }) => {
    documents.push((await request.json()) as CardDocumentIn)
    return new HttpResponse('%PDF-1.4', { headers: { 'Content-Type': 'application/pdf' } })
  }),
  http.get('*/api/cards/sequences/:id/', ({ params }) =>
    params.id === 'page'
      ? HttpResponse.json({ pages: SUGGESTED, settings: { foot: 'Lindhof' }, seed: 'a run', tags: ['Winter'] })
      : HttpResponse.json(
          { type: 'about:blank', title: '', status: 404, code: 'not_found', detail: '', params: {}, errors: [] },
          { status: 404, headers: { 'Content-Type': 'application/problem+json' } },
        ),
  ),
  http.post('*/api/cards/sequences/', async ({ request }) => {
    saved.push((await request.json()) as CardSequenceSaveIn)
    return HttpResponse.json([], { status: 201 })
  }),
)

beforeAll(() => {
  // jsdom lacks these
  URL.createObjectURL = vi.fn(() => 'blob:1')
  URL.revokeObjectURL = vi.fn()
})
beforeEach(() => {
  drawn = []
  saved = []
  documents = []
})

function open(from: string | null = null, post: string | null = null) {
  const router = createMemoryRouter(
    [
      { path: '/designer', element: <CarouselDesigner from={from} post={post} /> },
      { path: '/media-gallery', element: 'The gallery' },
      { path: '/social-media-posts', element: 'The posts' },
    ],
    { initialEntries: ['/designer'] },
  )
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Notifications />
      <RouterProvider router={router} />
    </Providers>,
  )
  return { user: userEvent.setup(), router }
}

const rows = () => within(screen.getByRole('list', { name: 'Pages' })).getAllByRole('listitem')
const names = () => rows().map((row) => row.querySelector('.carousel-page-name')?.textContent)

async function divided() {
  const { user } = open()
  await user.type(await screen.findByLabelText(/From a post/), 'A post that is long enough.')
  await user.click(screen.getByRole('button', { name: 'Divide into pages' }))
  await waitFor(() => expect(names()).toEqual(['Riding in winter', 'Lower your light', '104 of 117 days']))
  return { user }
}

test('without headlines nothing is drawn and nothing can be saved', async () => {
  open()
  expect(await screen.findByText('Write a headline to see the card here.')).toBeVisible()
  expect(screen.getByText('Every page needs a headline.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Save 4 images' })).toBeDisabled()
  expect(drawn).toEqual([])
})

test('a post becomes pages, and the selected one is drawn', async () => {
  const { user } = await divided()
  expect(await screen.findByRole('img', { name: 'Riding in winter' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: /Lower your light.*Point/ }))
  expect(await screen.findByRole('img', { name: 'Lower your light. It blinds nobody.' })).toBeVisible()
  await waitFor(() => expect(drawn.at(-1)).toMatchObject({ only: 1, settings: { size: 'portrait', layout: null } }))
  expect(screen.getByText('Page 2 of 3')).toBeVisible()
})

test('a text that is too short is told', async () => {
  const { user } = open()
  await user.type(await screen.findByLabelText(/From a post/), 'Short.')
  await user.click(screen.getByRole('button', { name: 'Divide into pages' }))
  expect(await screen.findByText('This text is too short for a cover and two pages.')).toBeVisible()
  expect(rows()).toHaveLength(4)
})

test('pages are moved, added, changed and saved in their order', async () => {
  const { user } = await divided()
  await user.click(screen.getByRole('button', { name: 'Move “104 of 117 days” up' }))
  expect(names()).toEqual(['Riding in winter', '104 of 117 days', 'Lower your light'])
  expect(screen.getByRole('button', { name: 'Remove “Lower your light”' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Add an end card' }))
  await user.type(screen.getByLabelText('Headline'), 'Come by')
  expect(names()).toEqual(['Riding in winter', '104 of 117 days', 'Lower your light', 'Come by'])
  await user.click(screen.getByRole('button', { name: 'Save 4 images' }))
  expect(await screen.findByText('The gallery')).toBeVisible()
  expect(saved[0]?.pages.map(({ kind }) => kind)).toEqual(['cover', 'number', 'point', 'call_to_action'])
})

test('the document has the title of the cover and a language', async () => {
  const { user } = await divided()
  await user.click(screen.getByRole('button', { name: 'Download PDF' }))
  await waitFor(() => expect(documents).toMatchObject([{ title: 'Riding in winter', language: 'en' }]))
})

test('what the server refuses is shown at its page', async () => {
  server.use(
    http.post('*/api/cards/sequences/', () =>
      HttpResponse.json(
        {
          type: 'about:blank',
          title: '',
          status: 422,
          code: 'invalid_input',
          detail: '',
          params: {},
          errors: [{ field: 'pages.2.headline', code: 'card_letters_missing', params: {} }],
        },
        { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    ),
  )
  const { user } = await divided()
  await user.click(screen.getByRole('button', { name: 'Save 3 images' }))
  expect(await screen.findByText(/The carousel was not saved/)).toBeVisible()
  expect(screen.getByLabelText('Headline')).toHaveValue('104 of 117 days')
  expect(screen.getByLabelText('Headline')).toBeInvalid()
})

test('a saved carousel opens with all pages and keeps its look when it is saved again', async () => {
  const { user } = open('page')
  await waitFor(() => expect(names()).toEqual(['Riding in winter', 'Lower your light', '104 of 117 days']))
  expect(screen.queryByRole('button', { name: 'Start over' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Move “104 of 117 days” up' }))
  await user.click(screen.getByRole('button', { name: 'Save 3 images' }))
  expect(await screen.findByText('The gallery')).toBeVisible()
  expect(saved).toMatchObject([
    { pages: [{}, { headline: '104 of 117 days' }, {}], settings: { foot: 'Lindhof' }, seed: 'a run', tags: ['Winter'] },
  ])
})

test('pages for a post are saved and brought to its editing', async () => {
  server.use(
    http.post('*/api/cards/sequences/', () => HttpResponse.json(['a', 'b', 'c'].map((id) => anImage({ id, alt: `Page ${id}` })), { status: 201 })),
  )
  const { user, router } = open('page', 'waiting')
  await user.click(await screen.findByRole('button', { name: 'Save and put into the post' }))
  expect(await screen.findByText('The posts')).toBeVisible()
  expect(router.state.location).toMatchObject({
    search: '?compose=waiting',
    state: { pages: ['a', 'b', 'c'].map((media_id) => ({ media_id, alt: `Page ${media_id}` })) },
  })
})

test('a page without a saved carousel says so', async () => {
  open('deleted')
  expect(await screen.findByText('This carousel is not there any more')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Design a carousel' })).toBeVisible()
})
