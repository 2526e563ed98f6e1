import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectLive, type LiveEvent, type LiveState } from './live'
import { readToken, saveToken } from './token'

/** A server whose streams the test writes to. */
class Streams {
  readonly requests: Request[] = []
  private writers: ReadableStreamDefaultController<Uint8Array>[] = []
  private refusals: Response[] = []

  fetch(request: Request, signal: AbortSignal): Response {
    this.requests.push(request)
    const refusal = this.refusals.shift()
    if (refusal) return refusal
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.writers.push(controller)
        signal.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }

  refuseNext(response: Response) {
    this.refusals.push(response)
  }

  async send(text: string) {
    await pass(0) // until the last connection is open
    this.writers.at(-1)?.enqueue(new TextEncoder().encode(text))
    await pass(0)
  }

  async end() {
    this.writers.at(-1)?.close()
    await pass(0)
  }

  async cut() {
    this.writers.at(-1)?.error(new TypeError('network error'))
    await pass(0)
  }
}

/** Advance the timers, then wait for the streams, which use no timers but need some turns of the event loop. */
async function pass(milliseconds: number) {
  await vi.advanceTimersByTimeAsync(milliseconds)
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

let close: (() => void) | undefined

function listen() {
  const events: LiveEvent[] = []
  const states: LiveState[] = []
  const onGap = vi.fn()
  close = connectLive('mine', { onEvent: (event) => events.push(event), onState: (state) => states.push(state), onGap })
  return { events, states, onGap }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.spyOn(console, 'info').mockReturnValue()
  saveToken('mine')
})

afterEach(() => {
  close?.()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function serve(): Streams {
  const streams = new Streams()
  vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) =>
    Promise.resolve(streams.fetch(request as Request, init?.signal as AbortSignal)),
  )
  return streams
}

test('events arrive over a stream that carries the token', async () => {
  const server = serve()
  const { events, states } = listen()
  await server.send('data: {"kind":"post","id":"7"}\n\n')
  await server.send('event: alive\ndata: {}\n\nevent: changed\r\nda')
  await server.send('ta: {"kind":"all","id":null}\r\n\r')
  await server.send('\n')
  expect(events).toEqual([
    { kind: 'post', id: '7' },
    { kind: 'all', id: null },
  ])
  expect(states.map(({ status }) => status)).toEqual(['connecting', 'live'])
  expect(server.requests[0]?.headers.get('Authorization')).toBe('Bearer mine')
})

test('of a kind that this tab does not know, everything may have changed', async () => {
  const server = serve()
  const { events } = listen()
  await server.send('data: {"kind":"invention","id":"7"}\n\n')
  expect(events).toEqual([{ kind: 'all', id: '7' }])
})

test('a lost stream is stale since its last sign, comes back by itself, and reports the gap', async () => {
  const server = serve()
  const { events, states, onGap } = listen()
  await pass(10_000)
  const heard = new Date()
  await server.send(': still here\n\n')
  await pass(5_000)
  await server.cut()
  expect(states.at(-1)).toEqual({ status: 'stale', since: heard })
  expect(onGap).not.toHaveBeenCalled()

  await pass(1_000)
  expect(states.at(-1)).toEqual({ status: 'live' })
  expect(onGap).toHaveBeenCalledOnce()
  await server.send('data: {"kind":"run","id":"1"}\n\n')
  expect(events).toEqual([{ kind: 'run', id: '1' }])
})

test('silence for three heartbeats counts as lost', async () => {
  serve()
  const { states } = listen()
  await pass(29_000)
  expect(states.at(-1)?.status).toBe('live')
  await pass(1_000)
  expect(states.at(-1)?.status).toBe('stale')
})

test('a stream that says nothing after one that said nothing is not live before its first word', async () => {
  const server = serve()
  const { states, onGap } = listen()
  await pass(30_000) // held back by a proxy, say
  await pass(1_000)
  expect(server.requests).toHaveLength(2)
  expect(states.at(-1)?.status).toBe('stale')
  expect(onGap).not.toHaveBeenCalled()
  await server.send('event: alive\ndata: {}\n\n')
  expect(states.at(-1)?.status).toBe('live')
  expect(onGap).toHaveBeenCalledOnce()
})

test('it waits longer after each failure, at most 30 s', async () => {
  const server = serve()
  for (let index = 0; index < 9; index += 1) server.refuseNext(new Response(null, { status: 502 }))
  listen()
  const tries: number[] = []
  for (let second = 0; second <= 95; second += 1) {
    await pass(second === 0 ? 0 : 1_000)
    while (tries.length < server.requests.length) tries.push(second)
  }
  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 61, 91])
})

test('a refused token ends the session and the stream', async () => {
  const server = serve()
  server.refuseNext(new Response(null, { status: 401 }))
  listen()
  await pass(60_000)
  expect(server.requests).toHaveLength(1)
  expect(readToken()).toBeNull()
})

test('a forbidden stream ends for good, too', async () => {
  const server = serve()
  server.refuseNext(new Response(null, { status: 403 }))
  const { states } = listen()
  await pass(60_000)
  expect(server.requests).toHaveLength(1)
  expect(states.map(({ status }) => status)).toEqual(['connecting'])
})

test('a stream that the server ends is begun again, after the shortest wait', async () => {
  const server = serve()
  const { states } = listen()
  await server.send('data: {"kind":"posts","id":"7"}\n\n')
  await server.end()
  expect(states.at(-1)?.status).toBe('stale')
  await pass(999)
  expect(server.requests).toHaveLength(1)
  await pass(1)
  expect(server.requests).toHaveLength(2)
  expect(states.at(-1)?.status).toBe('live')
})

test('after a success the waits are short again', async () => {
  const server = serve()
  for (let index = 0; index < 3; index += 1) server.refuseNext(new Response(null, { status: 502 }))
  listen()
  await pass(1_000)
  await pass(2_000)
  await pass(4_000)
  expect(server.requests).toHaveLength(4)
  await server.cut()
  await pass(1_000)
  expect(server.requests).toHaveLength(5)
})

test.each(['no JSON', '[]', '{"kind":"posts"}', 'null'])('what is no event (%s) counts as a broken stream', async (data) => {
  const server = serve()
  const { events, states } = listen()
  await server.send(`data: ${data}\n\n`)
  expect(events).toEqual([])
  expect(states.at(-1)?.status).toBe('stale')
  await pass(1_000)
  await server.send('data: {"kind":"run","id":"1"}\n\n')
  expect(events).toEqual([{ kind: 'run', id: '1' }])
})

test('an event whose object has no id is one of its kind', async () => {
  const server = serve()
  const { events } = listen()
  await server.send('data: {"kind":"account","id":7}\n\n')
  expect(events).toEqual([{ kind: 'account', id: null }])
})

test('any sign of life counts, not only events', async () => {
  const server = serve()
  const { states } = listen()
  await server.send('event: alive\ndata: {}\n\n')
  for (let beat = 0; beat < 6; beat += 1) {
    await pass(20_000)
    await server.send('event: alive\ndata: {}\n\n')
  }
  expect(states.at(-1)?.status).toBe('live')
  expect(server.requests).toHaveLength(1)
})

test('closed, it says nothing and asks no more', async () => {
  const server = serve()
  const { events, states } = listen()
  await server.send('data: {"kind":"posts","id":"7"}\n\n')
  close?.()
  await pass(120_000)
  expect(server.requests).toHaveLength(1)
  expect(events).toHaveLength(1)
  expect(states.at(-1)?.status).toBe('live')
})

test('closed while it waits for its next try, it does not try', async () => {
  const server = serve()
  server.refuseNext(new Response(null, { status: 502 }))
  listen()
  await pass(500)
  close?.()
  await pass(60_000)
  expect(server.requests).toHaveLength(1)
})
