import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { authorise, bearer, createClientConfig, endSessionIfRefused, fetchWithWait, onTokenRefused } from './api-runtime'
import { readToken, removeToken, saveToken } from './token'

const ADDRESS = `${location.origin}/api/users/me/`
const PROBLEM = { 'Content-Type': 'application/problem+json; charset=utf-8' }

beforeEach(() => removeToken())
afterEach(() => vi.restoreAllMocks())

const request = (token?: string) =>
  new Request(ADDRESS, token === undefined ? {} : { headers: { Authorization: bearer(token) } })

const answerWith = (response: Response) => vi.spyOn(globalThis, 'fetch').mockResolvedValue(response)

test('calls go to where the page came from', () => {
  expect(createClientConfig({ baseUrl: 'https://elsewhere.example', credentials: 'omit' })).toMatchObject({
    baseUrl: location.origin,
    credentials: 'omit',
  })
})

describe('the token', () => {
  test('goes with a call of a user', () => {
    saveToken('mine')
    expect(authorise(request()).headers.get('Authorization')).toBe('Bearer mine')
  })

  test('is none for a visitor', () => {
    expect(authorise(request()).headers.get('Authorization')).toBeNull()
  })

  test('of a call that names one itself stays, as with the one that logs out', () => {
    saveToken('new')
    expect(authorise(request('old')).headers.get('Authorization')).toBe('Bearer old')
  })
})

describe('a refusal', () => {
  test.each([401, 403])('%i ends the session, and the page is told', (status) => {
    saveToken('mine')
    const left = vi.fn()
    const stop = onTokenRefused(left)
    endSessionIfRefused(new Response(null, { status }), request('mine'))
    expect(readToken()).toBeNull()
    expect(left).toHaveBeenCalledOnce()
    stop()
  })

  test.each([200, 204, 404, 409, 422, 429, 500, 503])('%i is none', (status) => {
    saveToken('mine')
    const left = vi.fn()
    const stop = onTokenRefused(left)
    endSessionIfRefused(new Response(null, { status }), request('mine'))
    expect(readToken()).toBe('mine')
    expect(left).not.toHaveBeenCalled()
    stop()
  })

  test.each([
    ['an older token', 'old'],
    ['none', undefined],
  ])('of %s says nothing about the current one', (_, token) => {
    saveToken('new')
    endSessionIfRefused(new Response(null, { status: 401 }), request(token))
    expect(readToken()).toBe('new')
  })

  test('of a visitor calls nobody: a wrong password is no lost session', () => {
    const left = vi.fn()
    const stop = onTokenRefused(left)
    endSessionIfRefused(new Response(null, { status: 401 }), request())
    expect(left).not.toHaveBeenCalled()
    stop()
  })

  test('gives the answer on', () => {
    const response = new Response(null, { status: 401 })
    expect(endSessionIfRefused(response, request())).toBe(response)
  })

  test('is told to who listens now, and an older listener that goes takes nobody with it', () => {
    const [first, second] = [vi.fn(), vi.fn()]
    const stopFirst = onTokenRefused(first)
    const stopSecond = onTokenRefused(second)
    stopFirst()
    saveToken('mine')
    endSessionIfRefused(new Response(null, { status: 401 }), request('mine'))
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledOnce()
    stopSecond()
    saveToken('mine')
    endSessionIfRefused(new Response(null, { status: 401 }), request('mine'))
    expect(second).toHaveBeenCalledOnce()
  })
})

describe('too many calls', () => {
  const problem = { status: 429, code: 'rate_limited', params: { limit: 5 }, errors: [], detail: '' }

  test('the problem says how many seconds to wait, beside what it said', async () => {
    answerWith(Response.json(problem, { status: 429, headers: { ...PROBLEM, 'Retry-After': '90' } }))
    const answer = await fetchWithWait(request())
    expect(answer.status).toBe(429)
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    expect(await answer.json()).toEqual({ ...problem, params: { limit: 5, retry_after: 90 } })
  })

  test.each([
    ['no wait', { ...PROBLEM }],
    ['a wait of nothing', { ...PROBLEM, 'Retry-After': '0' }],
    ['a date, which the server never sends', { ...PROBLEM, 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' }],
  ])('stays as it is with %s', async (_, headers) => {
    const sent = answerWith(Response.json(problem, { status: 429, headers }))
    const answer = await fetchWithWait(request())
    expect(await answer.json()).toEqual(problem)
    expect(sent).toHaveBeenCalledOnce()
  })

  test('said by a gateway in its own words stays, too', async () => {
    answerWith(new Response('<html>slow down</html>', { status: 429, headers: { 'Content-Type': 'text/html', 'Retry-After': '5' } }))
    expect(await (await fetchWithWait(request())).text()).toBe('<html>slow down</html>')
  })

  test('is no other problem: a server that is being restarted says when to come back, too', async () => {
    const away = { ...problem, status: 503, code: 'internal' }
    answerWith(Response.json(away, { status: 503, headers: { ...PROBLEM, 'Retry-After': '5' } }))
    expect(await (await fetchWithWait(request())).json()).toEqual(away)
  })
})
