import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readMe } from '@/api/sdk/users.gen'
import { connectClient } from './api-client'
import { earlyAnswer } from './early-requests'
import { removeToken, saveToken } from './token'

const ME = '/api/users/me/'
const server = setupServer(http.get(`*${ME}`, () => HttpResponse.json({ email: 'asked@example.org' })))

beforeAll(() => {
  server.listen({ onUnhandledFrame: 'error' })
  connectClient()
})
afterEach(() => {
  delete window.earlyRequests
  removeToken()
  vi.restoreAllMocks()
})
afterAll(() => server.close())

const answered = (email: string) => Promise.resolve(Response.json({ email }))

/** As `src/before.js` leaves it. */
const asked = (token: string, answer: Promise<Response | undefined> = answered('early@example.org')) => {
  window.earlyRequests = { token, answers: new Map([[ME, answer]]) }
}

const email = async () => (await readMe()).data?.email

test('what was asked beside the code is the answer, once', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(400)
  saveToken('mine')
  asked('mine')
  expect([await email(), await email()]).toEqual(['early@example.org', 'asked@example.org'])
})

test('what was asked for somebody else is nobody’s answer', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(400)
  asked('theirs')
  saveToken('mine')
  expect(await email()).toBe('asked@example.org')
})

test('an old answer counts no more', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(6_000)
  saveToken('mine')
  asked('mine')
  expect(await email()).toBe('asked@example.org')
})

test('what got no answer is asked again', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(400)
  saveToken('mine')
  asked('mine', Promise.resolve(undefined))
  expect(await email()).toBe('asked@example.org')
})

test('what was never asked ahead is asked now', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(400)
  saveToken('mine')
  window.earlyRequests = { token: 'mine', answers: new Map([['/api/topics/1/', answered('early@example.org')]]) }
  expect(await email()).toBe('asked@example.org')
})

test('a question that differs in what it asks is another one', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(400)
  asked('mine')
  const ask = (path: string, method = 'GET') =>
    earlyAnswer(new Request(location.origin + path, { method, headers: { Authorization: 'Bearer mine' } }))
  expect(await ask(`${ME}?page=2`)).toBeUndefined()
  expect(await ask(ME, 'DELETE')).toBeUndefined()
  expect(await ask(ME)).toBeInstanceOf(Response)
})

test('a visitor’s question takes nobody’s answer', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(400)
  asked('mine')
  expect(await earlyAnswer(new Request(location.origin + ME))).toBeUndefined()
})
