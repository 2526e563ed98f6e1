import { QueryClient } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import type { MediaOut } from '@/api/types.gen'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { LogoField } from './logo-field'

const image = (id: string, name: string): MediaOut => ({
  id,
  source: 'upload',
  kind: 'image',
  pages: null,
  seconds: null,
  page_url: null,
  of_pages: false,
  by_assistant: false,
  name,
  alt: '',
  tags: [],
  mime: 'image/png',
  width: 400,
  height: 200,
  bytes: 9_000,
  made_by: '',
  url: `/api/media/${id}/file/`,
  thumbnail_url: `/api/media/${id}/file/?thumbnail=true`,
  card: null,
  card_notes: [],
  carousel: null,
  version: 1,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
})

const deleted = new Set<string>()
const stored = [image('wheel', 'The wheel'), image('word', 'The word')]

const server = startServer(
  http.get('*/api/media/', () =>
    HttpResponse.json({ items: stored, next_cursor: null, total: 2, origins: { own: 2, upload: 2, ai: 0, card: 0, assistant: 0 }, kinds: { image: 2, document: 0, video: 0 } }),
  ),
  http.get('*/api/media/:id/', ({ params }) => {
    const found = stored.find(({ id }) => id === params.id && !deleted.has(id))
    if (found) return HttpResponse.json({ ...found, uses: [] })
    const problem = { type: 'about:blank', title: '', status: 404, code: 'not_found', detail: '', params: {}, errors: [] }
    return HttpResponse.json(problem, { status: 404, headers: { 'Content-Type': 'application/problem+json' } })
  }),
)

afterEach(() => deleted.clear())

function Page({ first, error }: { first: string | null; error?: string }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <LogoField value={value} error={error} onChange={setValue} />
      <output>{value ?? 'nothing'}</output>
    </>
  )
}

function show(first: string | null, error?: string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <Providers queryClient={client}>
      <Page first={first} error={error} />
    </Providers>,
  )
  return { field: within(screen.getByRole('group', { name: 'Logo' })), user: userEvent.setup(), client }
}

test('a logo is chosen among the images, changed, and taken off', async () => {
  const { field, user } = show(null)
  expect(field.getByText('None')).toBeVisible()
  await user.click(field.getByRole('button', { name: 'Choose logo' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Choose a logo' }))
  await user.click(await drawer.findByRole('button', { name: 'The wheel' }))
  expect(await field.findByText('The wheel')).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('wheel')
  expect(field.getByRole('button', { name: 'Change logo' })).toBeVisible()
  await user.click(field.getByRole('button', { name: 'Remove' }))
  expect(screen.getByText('nothing')).toBeVisible()
})

test('one that was deleted is no fault: cards go on showing it', async () => {
  const { field } = show('gone')
  expect(await field.findByText('Deleted image')).toBeVisible()
  expect(field.getByText(/Cards keep showing it/)).toBeVisible()
  expect(field.queryByRole('alert')).toBeNull()
})

test.each([
  [20, 2000, '100'],
  [4000, 40, '100'],
  [900, 100, '9'],
  [800, 100, null],
])('one of %i by %i pixels is told to be too thin, or not', async (width, height, ratio) => {
  server.use(
    http.get('*/api/media/:id/', () => HttpResponse.json({ ...image('thin', 'The line'), width, height, uses: [] })),
  )
  const { field } = show('thin')
  await field.findByText('The line')
  const note = field.queryByText(/hardly visible on a card/)
  if (ratio) expect(note).toHaveTextContent(`The long side of the logo is ${ratio} times its short side`)
  else expect(note).toBeNull()
})

test('one that is deleted while it is on the screen keeps its name', async () => {
  const { field, client } = show('wheel')
  await field.findByText('The wheel')
  deleted.add('wheel')
  await client.invalidateQueries()
  expect(await field.findByText(/Cards keep showing it/)).toBeVisible()
  expect(field.getByText('The wheel')).toBeVisible()
})

test('one that the server refuses is told here', async () => {
  const { field } = show('gone', 'This no longer exists.')
  expect(field.getByRole('alert')).toHaveTextContent('This no longer exists.')
  await field.findByText('Deleted image')
  expect(field.queryByText(/Cards keep showing it/)).toBeNull()
})
