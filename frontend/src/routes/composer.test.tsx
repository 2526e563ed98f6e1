import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { ComposerRoute } from './composer'

const sent: string[] = []
startServer(
  http.get('*/api/accounts/', () => HttpResponse.json([])),
  http.get('*/api/channels/', () => HttpResponse.json([])),
  http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
  http.get('*/api/calendar/free/', () => HttpResponse.json([])),
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
