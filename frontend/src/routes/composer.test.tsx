import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { ComposeIn } from '@/api/types.gen'
import { held } from '@/test/answers'
import { aFile, anAccount, anImage, aPost } from '@/test/made'
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
