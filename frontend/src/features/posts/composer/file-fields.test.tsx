import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ChannelLimitsOut, EditIn, FitIn, FitOut, PostOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { aFile, anAccount, anImage, aPost } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { Composer } from './composer'
import type { ImagesProps } from './use-post-images'

const server = startServer()
const mara = anAccount({ id: 'mara', name: 'Mara Lind', kind: 'linkedin' })
const toot = anAccount({ id: 'toot', name: 'Lindhof', kind: 'mastodon' })
const plain: ChannelLimitsOut = {
  max_characters: 500,
  counting: 'larger',
  max_images: 4,
  needs_image: false,
  max_hashtags: null,
  max_mentions: null,
  max_first_comment: 0,
  link: 'below',
  card_images: 0,
  document: null,
  video: null,
} as ChannelLimitsOut
const documents = { ...plain, max_images: 9, document: { max_bytes: 100_000_000, max_pages: 300, max_title: 20 } }
const page = (number: number) => ({ number, count: 3, sequence_id: 's' })
const pages = [1, 2, 3].map((number) => aFile({ media_id: `p${number}`, name: `Page ${number}`, carousel: page(number) }))
const pdf = aFile({ media_id: 'pdf', kind: 'document', name: 'Eight questions.pdf', alt: '', title: 'Eight questions', pages: 8, page_url: '/p/{page}' })
const clip = aFile({ media_id: 'clip', kind: 'video', name: 'clip.mp4', alt: '', title: 'Rain', seconds: 34 })

let fits: FitOut[]
let checked: FitIn[]
let saved: EditIn[]

beforeEach(() => {
  fits = []
  checked = []
  saved = []
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([mara, toot])),
    http.get('*/api/channels/', () => HttpResponse.json([{ kind: 'linkedin', limits: documents }, { kind: 'mastodon', limits: plain }])),
    http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
    http.get('*/api/calendar/free/', () => HttpResponse.json({ moments: [] })),
    http.get('*/api/media/:id/', () => refuse(404, 'not_found')),
    http.post('*/api/social-media-posts/fit/', async ({ request }) => {
      checked.push((await request.json()) as FitIn)
      return HttpResponse.json(fits)
    }),
    http.put('*/api/social-media-posts/:id/', async ({ request }) => {
      const body = (await request.json()) as EditIn
      saved.push(body)
      return HttpResponse.json({ post: draft([], { version: 9 }), confirmed: true })
    }),
  )
})

const draft = (files: PostOut['files'], changes: Partial<PostOut> = {}) =>
  aPost({ id: 'made', source: 'person', status: 'draft', deliveries: [], approval: null, account_ids: ['mara', 'toot'], files, ...changes })

const open = (files: PostOut['files'], images: (props: ImagesProps) => React.ReactNode = () => null) =>
  show(
    <Composer post={draft(files)} onCreated={vi.fn()} cover={({ video, hint }) => <p>Cover of {[video.name, hint].filter(Boolean).join(': ')}</p>} images={images} />,
    { at: '/social-media-posts?compose=made' },
  )

test('a document has a title of its own, counted and checked, and what each network shows is told', async () => {
  const problem = { field: 'files.3', code: 'too_many_pages', params: { found: 8, limit: 5 } } as const
  fits = [{ account_id: 'mara', channel: 'linkedin', length: 3, limit: 500, problems: [problem], repeats: null }]
  const { user } = open([...pages, pdf])
  const title = await screen.findByRole('textbox', { name: 'Title of the document' })
  expect(title).toHaveValue('Eight questions')
  expect(await screen.findByText('15 / 20')).not.toHaveAttribute('data-over')
  await user.type(title, ' for you')
  expect(screen.getByText('23 / 20')).toHaveAttribute('data-over')
  expect(await screen.findByText('LinkedIn: This document has 8 pages, this channel accepts up to 5.')).toBeVisible()
  expect(screen.getByText('LinkedIn: the document')).toBeVisible()
  expect(screen.getByText('Mastodon: 3 images')).toBeVisible()
  await waitFor(() => expect(checked.at(-1)?.titles).toEqual(['', '', '', 'Eight questions for you']))
  await waitFor(() => expect(saved.at(-1)?.files?.at(-1)).toEqual({ media_id: 'pdf', alt: '', title: 'Eight questions for you', cover_id: null }))
})

test('each preview has what its network gets', async () => {
  open([...pages, pdf])
  const preview = within(screen.getByRole('region', { name: 'Preview' }))
  expect(await preview.findByText('8 pages')).toBeVisible()
  expect(preview.getAllByRole('img', { name: 'A wet street' })).toHaveLength(3)
})

test('a video has a title, an alt text and a cover', async () => {
  const { user } = open([clip])
  expect(await screen.findByRole('textbox', { name: 'Title of the video' })).toHaveValue('Rain')
  expect(screen.getByText('Cover of clip.mp4')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Alt text' }), 'A wet street')
  await waitFor(() => expect(saved.at(-1)?.files).toEqual([{ media_id: 'clip', alt: 'A wet street', title: 'Rain', cover_id: null }]))
})

test('the cover is previewed where the network shows it, and its field and the title say where', async () => {
  const video = { max_bytes: 1, min_seconds: 0, max_seconds: null, min_ratio: 0, max_ratio: null, mimes: ['video/mp4'] }
  const noCover = { ...plain, video: { ...video, shows_title: false, shows_cover: false } }
  server.use(
    http.get('*/api/channels/', () =>
      HttpResponse.json([
        { kind: 'linkedin', limits: { ...documents, video: { ...video, shows_title: true, shows_cover: true } } },
        { kind: 'mastodon', limits: noCover },
      ]),
    ),
    http.get('*/api/media/face/', () => HttpResponse.json({ ...anImage({ id: 'face', url: '/face.jpg' }), uses: [] })),
  )
  const film = { ...clip, alt: 'A street', thumbnail_url: '/frame.webp', cover_id: 'face', cover_url: '/face.jpg' }
  const { unmount } = open([film])
  expect(await screen.findByText('Cover of clip.mp4: Shown on LinkedIn.')).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Title of the video' })).toHaveAccessibleDescription('Shown on LinkedIn.')
  const shown = () =>
    within(screen.getByRole('region', { name: 'Preview' })).getAllByRole('img', { name: 'A street' }).map((image) => image.getAttribute('src'))
  await waitFor(() => expect(shown()).toEqual(['/face.jpg', '/frame.webp']))
  unmount()

  server.use(http.get('*/api/channels/', () => HttpResponse.json(['linkedin', 'mastodon'].map((kind) => ({ kind, limits: noCover })))))
  open([film])
  expect(await screen.findByText('Cover of clip.mp4: Not shown on any of the chosen networks.')).toBeVisible()
})

test('a video that a server does not take says why', async () => {
  const problem = { field: 'files.0', code: 'video_resolution_too_high', params: { width: 4096, height: 2160, limit: 8_294_400 } } as const
  const rate = { field: 'files.0', code: 'video_frame_rate_too_high', params: { found: 240, limit: 120 } } as const
  fits = [{ account_id: 'toot', channel: 'mastodon', length: 3, limit: 500, problems: [problem, rate], repeats: null }]
  open([clip])
  expect(
    await screen.findByText('Mastodon: This video has 4,096 × 2,160 pixels, this channel accepts up to 8,294,400 in total.'),
  ).toBeVisible()
  expect(screen.getByText('Mastodon: This video has 240 frames per second, this channel accepts up to 120.')).toBeVisible()
})

test('a document that is added gets the name of its file as title, cut to what networks show', async () => {
  server.use(
    http.get('*/api/media/talk/', () =>
      HttpResponse.json({ ...anImage({ id: 'talk', kind: 'document', name: 'Fenders, lights and rain.pdf', alt: '', pages: 2 }), uses: [] }),
    ),
  )
  const { user } = open([], ({ onAdd }) => (
    <button type="button" onClick={() => onAdd('talk')}>
      Add it
    </button>
  ))
  // the limits of networks are loaded by then
  await screen.findAllByText('Mara Lind')
  await user.click(screen.getByRole('button', { name: 'Add it' }))
  expect(await screen.findByRole('textbox', { name: 'Title of the document' })).toHaveValue('Fenders, lights and')
})

test('pages of one carousel become a document, too', async () => {
  const made = vi.fn()
  server.use(
    http.post('*/api/media/documents/', async ({ request }) => {
      made(await request.json())
      return HttpResponse.json(anImage({ id: 'new', kind: 'document', name: 'Eight questions', pages: 3 }), { status: 201 })
    }),
  )
  const { user } = open(pages)
  await user.click(await screen.findByRole('button', { name: 'Also as a document for LinkedIn' }))
  await waitFor(() => expect(made).toHaveBeenCalledWith({ media_ids: ['p1', 'p2', 'p3'], language: 'en' }))
  await waitFor(() => expect(saved.at(-1)?.files?.at(-1)).toMatchObject({ media_id: 'new', title: 'Eight questions' }))
})

test('images of no carousel are not offered as a document', async () => {
  open(pages.map((file) => ({ ...file, carousel: null })))
  await screen.findByRole('textbox', { name: 'Alt text of image 3' })
  expect(screen.queryByRole('button', { name: /Also as a document/ })).toBeNull()
})
