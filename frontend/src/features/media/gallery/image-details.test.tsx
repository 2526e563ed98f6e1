import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { MediaDetail } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { itIs, newQueryClient, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ImageDetails } from './image-details'

const anImage = (changes: Partial<MediaDetail> = {}): MediaDetail => ({
  id: 'a',
  source: 'upload',
  kind: 'image',
  pages: null,
  seconds: null,
  page_url: null,
  of_pages: false,
  by_assistant: false,
  name: 'A wheel',
  alt: 'A wheel in the rain',
  tags: ['Autumn'],
  mime: 'image/jpeg',
  width: 1600,
  height: 1200,
  bytes: 400_000,
  made_by: '',
  url: '/api/media/a/file/',
  thumbnail_url: '/api/media/a/file/?thumbnail=true',
  card: null,
  card_notes: [],
  carousel: null,
  uses: [],
  version: 1,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
  ...changes,
})

let stored: MediaDetail
let sent: object[]

const server = startServer(
  http.get('*/api/media/tags/', () => HttpResponse.json([])),
  http.get('*/api/media/a/', () => HttpResponse.json(stored)),
  http.patch('*/api/media/a/', async ({ request }) => {
    const { version, ...body } = (await request.json()) as Partial<MediaDetail>
    sent.push({ version, ...body })
    if (version !== stored.version) return refuse(409, 'stale_version')
    stored = { ...stored, ...body, version: version + 1 }
    return HttpResponse.json(stored)
  }),
)

beforeEach(() => {
  itIs('2026-11-21T12:00:00Z')
  stored = anImage()
  sent = []
})

async function open({ queryClient = newQueryClient(), onClose = vi.fn() } = {}) {
  const shown = show(<ImageDetails imageId="a" onClose={onClose} />, { at: '/media-gallery', queryClient })
  const name = await screen.findByLabelText('Name')
  const fact = (of: string) => screen.queryByText(of, { selector: 'dt' })?.nextElementSibling?.textContent
  return { ...shown, name, fact, onClose, save: () => shown.user.click(screen.getByRole('button', { name: 'Save' })) }
}

describe('what is known of an image', () => {
  test('that was uploaded', async () => {
    const { fact } = await open()
    expect(['Source', 'Created by', 'Format', 'Pixels', 'Size'].map(fact)).toEqual(['Upload', undefined, 'JPEG', '1600 × 1200', '391\u00a0KB'])
    expect(fact('Added')).toMatch(/^Fri 20 Nov, \d\d:\d\d$/)
  })

  test('that a model made: which one', async () => {
    stored = anImage({ source: 'ai', made_by: 'gpt-image-2' })
    const { fact } = await open()
    expect([fact('Source'), fact('Created by'), fact('Layout')]).toEqual(['AI image', 'gpt-image-2', undefined])
  })

  test.each([
    ['cards/steps', 'Steps'],
    ['cards/two_columns', 'Two columns'],
    ['cards/call_to_action', 'End card'],
  ])('that is a card: its layout, %s', async (made_by, layout) => {
    stored = anImage({ source: 'card', made_by })
    const { fact } = await open()
    expect([fact('Layout'), fact('Created by')]).toEqual([layout, undefined])
  })

  test('that is a document of cards: no layout', async () => {
    stored = anImage({ kind: 'document', mime: 'application/pdf', source: 'card', made_by: 'cards/document', pages: 3 })
    const { fact } = await open()
    expect(fact('Format')).toBe('PDF')
    expect(fact('Layout')).toBeUndefined()
  })

  test('or a document, whose pages are leafed through', async () => {
    const page_url = '/api/media/a/pages/{page}/?signature=s'
    stored = anImage({ kind: 'document', mime: 'application/pdf', width: 612, height: 792, pages: 3, page_url })
    const { fact, user } = await open()
    expect(['Format', 'Pages', 'Pixels'].map(fact)).toEqual(['PDF', '3', undefined])
    expect(screen.queryByLabelText('Alt text')).toBeNull()
    expect(screen.getByAltText('Page 2 of 3')).toHaveAttribute('src', '/api/media/a/pages/2/?signature=s')
    await user.click(screen.getByRole('button', { name: 'Next page' }))
    expect(screen.getByText('2/3')).toBeInTheDocument()
  })

  test('or a video, which loads when it is played', async () => {
    stored = anImage({ kind: 'video', mime: 'video/mp4', name: 'clip.mp4', seconds: 34.2 })
    const { fact, user } = await open()
    expect(['Format', 'Length', 'Pixels'].map(fact)).toEqual(['MP4', '0:34', '1600 × 1200'])
    expect(screen.getByLabelText('Alt text')).toHaveAccessibleDescription(/^Describe the video/)
    expect(document.querySelector('video')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Play “clip.mp4”' }))
    expect(screen.getByLabelText('A wheel in the rain', { selector: 'video' })).toHaveAttribute('src', stored.url)
  })

  test('is a way to each place where it is used, and what still needs it', async () => {
    stored = anImage({
      uses: [
        { kind: 'post', id: '1', name: 'Winter tyres', blocks: true },
        { kind: 'template', id: '2', name: 'Quote card', blocks: false },
        { kind: 'card_preset', id: '3', name: '', blocks: false },
      ],
    })
    await open()
    expect(screen.getAllByRole('listitem').map((item) => [item.textContent, within(item).getByRole('link').getAttribute('href')])).toEqual([
      ['PostWinter tyresscheduled, blocks deletion', '/social-media-posts/1'],
      ['TemplateQuote card', '/templates/2'],
      ['Saved lookSaved look', '/media-gallery?designer=3'],
    ])
  })

  test('with its words is a card that can be edited as a new one', async () => {
    stored = anImage({ source: 'card', card: { headline: 'x', text: '', settings: {} } })
    await open()
    expect(screen.getByRole('link', { name: 'Edit as new card' })).toHaveAttribute('href', '/media-gallery?designer=a')
  })

  test('goes into a file by its name, which is never empty', async () => {
    stored = anImage({ name: '' })
    await speak('de')
    show(<ImageDetails imageId="a" onClose={() => {}} />)
    const link = await screen.findByRole('link', { name: 'Herunterladen' })
    expect(link).toHaveAttribute('href', '/api/media/a/file/')
    expect(link.getAttribute('download')).toMatch(/^Bild.*\.jpe?g$/)
  })
})

describe('a change', () => {
  test('of several fields goes out as these fields, and counts by them', async () => {
    const { user, name, save } = await open()
    await user.type(name, '!')
    await user.clear(screen.getByLabelText('Alt text'))
    expect(screen.getByText('2 unsaved changes')).toBeVisible()
    await save()
    await waitFor(() => expect(screen.queryByText(/unsaved/)).toBeNull())
    expect(sent).toEqual([{ version: 1, name: 'A wheel!', alt: '' }])
  })

  test('that is taken back key by key is none', async () => {
    const { user, name } = await open()
    await user.type(name, '!{Backspace}')
    expect(screen.queryByText(/unsaved/)).toBeNull()
  })

  test('is given up, and comes back by an undo', async () => {
    const { user, name } = await open()
    await user.type(name, '!')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(name).toHaveValue('A wheel')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(name).toHaveValue('A wheel!')
  })

  test('that was not saved is there when one comes back, and whatever else is new beside it', async () => {
    const queryClient = newQueryClient()
    const first = await open({ queryClient })
    await first.user.type(first.name, '!')
    first.unmount()
    stored = anImage({ alt: 'From another tab', version: 2 })
    const { name } = await open({ queryClient })
    await waitFor(() => expect(screen.getByLabelText('Alt text')).toHaveValue('From another tab'))
    expect(name).toHaveValue('A wheel!')
    expect(screen.getByText('This file was changed elsewhere.')).toBeVisible()
  })

  test('that is refused as a whole says why, and is saved after that', async () => {
    server.use(http.patch('*/api/media/a/', () => refuse(503, 'storage_unavailable'), { once: true }))
    const { user, name, save } = await open()
    await user.type(name, '!')
    await save()
    expect(await screen.findByRole('alert')).toHaveTextContent(/^The file was not saved\. Your changes are still here\. .*file storage/)
    await save()
    await waitFor(() => expect(stored.name).toBe('A wheel!'))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  test('over a newer version that cannot be read says so, and nothing typed is lost', async () => {
    const { user, name, save } = await open()
    stored = anImage({ alt: 'From another tab', version: 2 })
    await user.type(name, '!')
    server.use(http.get('*/api/media/a/', () => refuse(503, 'storage_unavailable'), { once: true }))
    await save()
    expect(await screen.findByRole('alert')).toHaveTextContent(/^The file was not saved\. .*file storage/)
    expect(name).toHaveValue('A wheel!')
    await save()
    expect(await screen.findByText('This file was changed elsewhere.')).toBeVisible()
  })
})

test('an image that another tab deletes is told as gone, with a way back', async () => {
  const { queryClient, user, onClose } = await open()
  server.use(http.get('*/api/media/a/', () => refuse(404, 'not_found')))
  await queryClient.invalidateQueries()
  expect(await screen.findByText('This file no longer exists')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show the gallery' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test('one that could not be loaded is asked for again', async () => {
  server.use(http.get('*/api/media/a/', () => refuse(503, 'storage_unavailable'), { once: true }))
  const { user } = show(<ImageDetails imageId="a" onClose={() => {}} />)
  expect(await screen.findByText('This file could not be loaded')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByLabelText('Name')).toHaveValue('A wheel')
})

test.each([
  ['en', 'One file could not be restored', '“A wheel”: ', 'Delete', 'Undo'],
  ['de', 'Eine Datei konnte nicht wiederhergestellt werden', '„A wheel“: ', 'Löschen', 'Rückgängig'],
] as const)('a deletion that cannot be taken back says so with the quotation marks of its language (%s)', async (language, title, begin, remove, undo) => {
  await speak(language)
  server.use(
    http.delete('*/api/media/a/', () => new HttpResponse(null, { status: 204 })),
    http.post('*/api/media/a/restore/', () => refuse(404, 'not_found')),
  )
  const onClose = vi.fn()
  const { user } = show(<ImageDetails imageId="a" onClose={onClose} />)
  await user.click(await screen.findByRole('button', { name: remove }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  await user.click(await screen.findByRole('button', { name: undo }))
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText((text) => text.startsWith(begin))).toBeVisible()
})
