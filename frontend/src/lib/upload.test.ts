import { delay, http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { uploadMedia, uploadVideo } from '@/api/sdk.gen'
import { connectClient } from './api-client'
import { readToken, saveToken } from './token'
import { fetchWithProgress } from './upload'

const server = setupServer()
const address = '*/api/media/'

beforeAll(() => {
  server.listen({ onUnhandledFrame: 'error' })
  connectClient()
})
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const file = () => new File(['some bytes'], 'bike.jpg', { type: 'image/jpeg' })

const form = () => {
  const sent = new FormData()
  sent.set('file', file())
  return sent
}

const send = (onSent: (share: number) => void = () => {}, signal?: AbortSignal) =>
  uploadMedia({ body: { file: file() }, signal, fetch: fetchWithProgress(form(), onSent) })

test('the form arrives with the token, its share is told, and the answer comes back', async () => {
  saveToken('mine')
  const seen: (string | null)[] = []
  server.use(
    http.post(address, async ({ request }) => {
      seen.push(request.headers.get('Authorization'), request.headers.get('Content-Type')?.split(';')[0] ?? null)
      seen.push(await request.text())
      return HttpResponse.json({ id: '7', duplicate: false }, { status: 201 })
    }),
  )
  const onSent = vi.fn()
  const { data } = await send(onSent)
  expect(data).toMatchObject({ id: '7' })
  expect(seen.slice(0, 2)).toEqual(['Bearer mine', 'multipart/form-data'])
  expect(seen[2]).toContain('filename="bike.jpg"')
  expect(seen[2]).toContain('some bytes')
  expect(onSent).toHaveBeenLastCalledWith(1)
})

test('a video is the body of the request', async () => {
  const seen: (string | null)[] = []
  server.use(
    http.post('*/api/media/videos/', async ({ request }) => {
      seen.push(new URL(request.url).searchParams.get('name'), await request.text())
      return HttpResponse.json({ id: '8', duplicate: false }, { status: 201 })
    }),
  )
  await uploadVideo({ query: { name: 'bike.mp4' }, body: file(), fetch: fetchWithProgress(file(), () => {}) })
  expect(seen).toEqual(['bike.mp4', 'some bytes'])
})

test('a refusal is a problem with the server’s own reason', async () => {
  const problem = { type: 'about:blank', title: '', status: 422, code: 'image_truncated', detail: '', params: {}, errors: [] }
  server.use(
    http.post(address, () =>
      HttpResponse.json(problem, { status: 422, headers: { 'Content-Type': 'application/problem+json' } }),
    ),
  )
  await expect(send()).rejects.toMatchObject({ code: 'image_truncated', status: 422 })
})

test.each([401, 403])('an answer %s ends the session, as with every call', async (status) => {
  saveToken('old')
  server.use(http.post(address, () => new HttpResponse(null, { status })))
  await expect(send()).rejects.toMatchObject({ status })
  expect(readToken()).toBeNull()
})

test('a lost connection is a problem, too', async () => {
  server.use(http.post(address, () => HttpResponse.error()))
  await expect(send()).rejects.toMatchObject({ code: 'unreachable' })
})

test('it stops when it shall', async () => {
  let arrived: () => void = () => {}
  const sent = new Promise<void>((resolve) => {
    arrived = resolve
  })
  server.use(
    http.post(address, async () => {
      arrived()
      await delay('infinite')
    }),
  )
  const stop = new AbortController()
  const call = send(() => {}, stop.signal)
  await sent
  stop.abort()
  await expect(call).rejects.toMatchObject({ detail: expect.stringContaining('stopped') as string })
})

test('what was stopped before it began is never sent', async () => {
  const seen = vi.fn()
  server.use(http.post(address, seen))
  await expect(send(() => {}, AbortSignal.abort())).rejects.toBeDefined()
  expect(seen).not.toHaveBeenCalled()
})
