import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { ComposeIn, EditIn, PostOut } from '@/api/types.gen'
import { composePath } from '@/lib/compose-path'
import { held } from '@/test/answers'
import { aDelivery, aFile, anAccount, anImage, aPost } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { ComposerRoute } from './composer'

const sent: string[] = []
const server = startServer(
  http.get('*/api/accounts/', () => HttpResponse.json([])),
  http.get('*/api/channels/', () => HttpResponse.json([])),
  http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
  http.get('*/api/calendar/free/', () => HttpResponse.json({ moments: [] })),
  http.post('*/api/media/', async ({ request }) => {
    sent.push(((await request.formData()).get('file') as File).name)
    return HttpResponse.json({ type: 'about:blank', title: '', detail: '', params: {}, status: 422, code: 'image_unreadable', errors: [] }, { status: 422 })
  }),
)

test('an image that is dropped anywhere on the page is uploaded', async () => {
  show(<ComposerRoute />, { at: '/social-media-posts?compose=new', path: '/social-media-posts' })
  await screen.findByRole('button', { name: 'Choose files' })
  const files = [new File(['x'], 'street.png', { type: 'image/png' })]
  const dataTransfer = { files, types: ['Files'], items: files.map((file) => ({ kind: 'file', type: file.type, getAsFile: () => file })) }
  fireEvent.dragEnter(document.body, { dataTransfer })
  fireEvent.drop(await screen.findByText('Drop to upload'), { dataTransfer })
  expect(await screen.findByText('street.png')).toBeVisible()
  await waitFor(() => expect(sent).toEqual(['street.png']))
})

test('nothing goes out while a file is uploaded, and a draft is still saved', async () => {
  const upload = held()
  const mara = anAccount({ id: 'mara', name: 'Mara Lind' })
  const street = anImage({ id: 'street', name: 'street.png' })
  const published: unknown[] = []
  const saved: ComposeIn[] = []
  const answer = async (request: Request) => {
    const body = (await request.json()) as ComposeIn
    saved.push(body)
    return aPost({ id: 'made', status: 'draft', deliveries: [], approval: null, content: body.content ?? '', account_ids: ['mara'], files: [], version: saved.length })
  }
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([mara])),
    http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
    http.get('*/api/social-media-posts/:id/', () => HttpResponse.json(aPost({ id: 'made', files: [] }))),
    http.post('*/api/social-media-posts/fit/', () => HttpResponse.json([])),
    http.post('*/api/social-media-posts/', async ({ request }) => HttpResponse.json(await answer(request), { status: 201 })),
    http.put('*/api/social-media-posts/:id/', async ({ request }) => HttpResponse.json({ post: await answer(request), confirmed: true })),
    http.post('*/api/social-media-posts/:id/publish/', () => {
      published.push(saved.at(-1)?.files)
      return HttpResponse.json({ post: aPost({ id: 'made', status: 'complete', files: [] }), confirmed: true })
    }),
    http.get('*/api/media/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })),
    http.get('*/api/media/street/', () => HttpResponse.json({ ...street, uses: [] })),
    http.post('*/api/media/', async () => {
      await upload.until
      return HttpResponse.json({ ...street, duplicate: false }, { status: 201 })
    }),
  )
  const { user } = show(<ComposerRoute />, { at: '/social-media-posts?compose=new', path: '/social-media-posts' })
  await screen.findAllByText('Mara Lind')
  await user.type(screen.getByRole('textbox', { name: 'Text for all channels' }), 'Rain helps.')
  await user.click(await screen.findByRole('button', { name: 'Choose files' }))
  await user.click(await screen.findByRole('button', { name: 'Upload' }))
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (input) await user.upload(input, new File(['x'], 'street.png', { type: 'image/png' }))
  await user.keyboard('{Escape}')
  await screen.findByText('street.png')
  const button = (name: string) => screen.getAllByRole('button', { name })[0] as HTMLElement

  for (const name of ['Publish now', 'Schedule']) {
    await user.click(button(name))
    expect(await screen.findByRole('alert')).toHaveTextContent('A file is still being uploaded. Wait for it or cancel it.')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('region', { name: 'Uploads' })).toHaveFocus()
  }
  await user.click(button('Save draft'))
  await waitFor(() => expect(saved.at(-1)).toMatchObject({ content: 'Rain helps.' }))

  upload.letGo()
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  await user.click(button('Publish now'))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish now' }))
  await waitFor(() => expect(published).toEqual([[expect.objectContaining({ media_id: 'street' })]]))
})

/** Two posts at the server: a draft, and what is created. */
function servePosts() {
  const sent: { id: string; content: string | undefined }[] = []
  const mine = aPost({ id: 'mine', content: 'Winter', status: 'draft', deliveries: [], approval: null, files: [] })
  const posts = new Map([['mine', mine]])
  const answer = async (request: Request, id: string) => {
    const { content } = (await request.json()) as ComposeIn
    sent.push({ id, content })
    const saved = aPost({ ...mine, id, content, version: mine.version + sent.length })
    posts.set(id, saved)
    return saved
  }
  server.use(
    http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
    http.get('*/api/social-media-posts/:id/', ({ params }) => HttpResponse.json(posts.get(String(params.id)))),
    http.post('*/api/social-media-posts/fit/', () => HttpResponse.json([])),
    http.post('*/api/social-media-posts/', async ({ request }) => {
      const { id } = (await request.clone().json()) as ComposeIn
      return HttpResponse.json(await answer(request, id), { status: 201 })
    }),
    http.put('*/api/social-media-posts/:id/', async ({ request, params }) =>
      HttpResponse.json({ post: await answer(request, String(params.id)), confirmed: true }),
    ),
  )
  return sent
}
const text = () => screen.findByRole('textbox', { name: 'Text for all channels' })
const SAVED = { timeout: 5_000 } // ms: after a pause in typing

test('a new post that is begun while another one is edited is a post of its own, and stays open when it gets its id', async () => {
  const sent = servePosts()
  const { user, router, address } = show(<ComposerRoute />, { at: composePath('mine'), path: '/social-media-posts' })
  await user.type(await text(), ' is near')
  await act(() => router.navigate(composePath()))
  expect(await text()).toHaveValue('')
  await user.type(await text(), 'Rain')
  const field = await text()
  await waitFor(() => expect(sent).toEqual([{ id: expect.not.stringMatching('mine') as string, content: 'Rain' }]), SAVED)
  await waitFor(() => expect(address()).toBe(composePath(sent[0]?.id)))
  await user.type(await text(), ' helps')
  expect(await text()).toBe(field)

  // a second new post after the first one, and back to the draft with what was typed there
  await act(() => router.navigate(composePath()))
  expect(await text()).toHaveValue('')
  await act(() => router.navigate(composePath('mine')))
  expect(await text()).toHaveValue('Winter is near')
  await waitFor(() => expect(sent.at(-1)).toEqual({ id: 'mine', content: 'Winter is near' }), SAVED)
})

test('a new post that gets its id after another one was opened leaves that one alone', async () => {
  const sent = servePosts()
  const creation = held()
  server.use(
    http.post('*/api/social-media-posts/', async ({ request }) => {
      const { id, content } = (await request.json()) as ComposeIn
      await creation.until
      return HttpResponse.json(aPost({ id, content, status: 'draft', deliveries: [], approval: null, files: [] }), { status: 201 })
    }),
  )
  const { user, router, address, queryClient } = show(<ComposerRoute />, { at: composePath(), path: '/social-media-posts' })
  await user.type(await text(), 'Rain')
  await user.click(screen.getAllByRole('button', { name: 'Save draft' })[0] as HTMLElement)
  await act(() => router.navigate(composePath('mine')))
  expect(await text()).toHaveValue('Winter')
  creation.letGo()
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(address()).toBe(composePath('mine'))
  await user.type(await text(), ' is near')
  await waitFor(() => expect(sent).toEqual([{ id: 'mine', content: 'Winter is near' }]), SAVED)
})

const page = (media_id: string, number: number) =>
  aFile({ media_id, name: media_id, alt: `Alt of ${media_id}`, carousel: { number, count: 3, sequence_id: 's' } })
const pdf = aFile({ media_id: 'pdf', kind: 'document', name: 'Winter', alt: '', title: 'Winter', page_url: '/p/{page}', of_pages: true })

function openWithPages(post: Partial<PostOut>) {
  const saved: EditIn[] = []
  const kept = aPost({ id: 'mine', content: 'Winter', files: [aFile({ media_id: 'photo', alt: 'Mine' }), page('p1', 1), page('p2', 2), pdf], ...post })
  server.use(
    http.get('*/api/social-media-posts/mine/', () => HttpResponse.json(kept)),
    http.get('*/api/media/:id/', () => HttpResponse.json({ code: 'not_found', errors: [], params: {} }, { status: 404 })),
    http.post('*/api/social-media-posts/fit/', () => HttpResponse.json([])),
    http.put('*/api/social-media-posts/mine/', async ({ request }) => {
      const body = (await request.json()) as EditIn
      saved.push(body)
      return HttpResponse.json({ post: { ...kept, content: body.content, version: kept.version + 1 }, confirmed: true })
    }),
  )
  const view = show(<ComposerRoute />, { at: '/other', path: '/social-media-posts' })
  const pages = [{ media_id: 'p1', alt: 'Other' }, { media_id: 'new2', alt: 'Two' }, { media_id: 'new3', alt: 'Three' }]
  return { ...view, saved, go: () => view.router.navigate(composePath('mine'), { state: { pages } }) }
}

const PUT_FILES = [
  ['photo', 'Mine'],
  ['p1', 'Alt of p1'],
  ['new2', 'Two'],
  ['new3', 'Three'],
  ['pdf', ''],
]
const files = (body: EditIn | undefined) => body?.files?.map(({ media_id, alt }) => [media_id, alt])

test('the pages of an edited carousel take the place of those of a draft, once', async () => {
  const { saved, go, router } = openWithPages({ status: 'draft', deliveries: [], approval: null })
  await go()
  await waitFor(() => expect(files(saved[0])).toEqual(PUT_FILES))
  expect(router.state.location.state).toBeNull()
})

test('in a post that waits they are put before anything is saved, and a text that is typed there stays', async () => {
  const waiting = [aDelivery({ state: 'pending', called_at: null, settled_at: null })]
  const { saved, go, router, user } = openWithPages({ status: 'complete', deliveries: waiting })
  await router.navigate(composePath('mine'))
  await user.type(await screen.findByRole('textbox', { name: 'Text for all channels' }), ' is near')
  await user.click(await screen.findByRole('link', { name: 'Edit as new carousel' }))
  expect(router.state.location.search).toBe('?designer=carousel&page=p1&post=mine')
  await go()
  expect(await screen.findByRole('textbox', { name: 'Alt text of image 3' })).toHaveValue('Two')
  expect(saved).toEqual([])
  await user.click(screen.getAllByRole('button', { name: 'Save' })[0] as HTMLElement)
  await waitFor(() => expect(saved[0]?.content).toBe('Winter is near'))
  expect(files(saved[0])).toEqual(PUT_FILES)
})

test('the only file is removed with an undo that keeps what was typed for it, and the focus stays in its field', async () => {
  const clip = aFile({ media_id: 'clip', kind: 'video', name: 'clip.mp4', alt: 'A street', title: 'Rain', cover_id: 'face' })
  const draft = aPost({ id: 'made', source: 'person', status: 'draft', deliveries: [], approval: null, files: [clip] })
  const saved: ComposeIn['files'][] = []
  server.use(
    http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
    http.get('*/api/social-media-posts/made/', () => HttpResponse.json(draft)),
    http.get('*/api/media/:id/', ({ params }) =>
      HttpResponse.json({ ...anImage({ id: String(params.id), kind: params.id === 'clip' ? 'video' : 'image', name: 'clip.mp4', alt: '' }), uses: [] }),
    ),
    http.post('*/api/social-media-posts/fit/', () => HttpResponse.json([])),
    http.put('*/api/social-media-posts/made/', async ({ request }) => {
      const { files } = (await request.json()) as ComposeIn
      saved.push(files)
      return HttpResponse.json({ post: { ...draft, files: files?.length ? [clip] : [], version: draft.version + saved.length }, confirmed: true })
    }),
  )
  const { user } = show(<ComposerRoute />, { at: '/social-media-posts?compose=made', path: '/social-media-posts' })
  await user.type(await screen.findByRole('textbox', { name: 'Title of the video' }), ' at night')
  await user.click(await screen.findByRole('button', { name: 'Remove “clip.mp4”' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Choose files' })).toHaveFocus())
  await waitFor(() => expect(saved.at(-1)).toEqual([]))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('textbox', { name: 'Title of the video' })).toHaveValue('Rain at night')
  await waitFor(() => expect(saved.at(-1)).toEqual([{ media_id: 'clip', alt: 'A street', title: 'Rain at night', cover_id: 'face' }]))
})
