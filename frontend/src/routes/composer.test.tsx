import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { ComposerRoute } from './composer'
// loaded with this file: what the page loads once it stands is there at once then, however busy the machine is
import './composer-images'

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

test('an image that is dropped before the page stands is uploaded once it does', async () => {
  show(<ComposerRoute />, { at: '/social-media-posts?compose=new', path: '/social-media-posts' })
  await screen.findByRole('heading', { name: 'New post' })
  expect(document.querySelector('.images-space')).toBeInTheDocument()
  const files = [new File(['x'], 'street.png', { type: 'image/png' })]
  const drop = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer: { files, types: ['Files'] } })
  document.body.dispatchEvent(drop)
  expect(drop.defaultPrevented).toBe(true)
  expect(await screen.findByText('street.png')).toBeVisible()
  await waitFor(() => expect(sent).toEqual(['street.png']))
})
