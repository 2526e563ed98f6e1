import { expect, test } from 'vitest'
import type { UploadOut } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'
import { UploadQueue, type Send } from './upload-queue'

interface Call {
  name: string
  signal: AbortSignal
  onSent: (share: number) => void
  answer: (image?: Partial<UploadOut>) => Promise<void>
  refuse: (code: Problem['code']) => Promise<void>
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

/** A queue whose calls are answered by the test. */
function queueOf(...names: string[]) {
  const calls: Call[] = []
  const send: Send = (file, signal, onSent) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
      calls.push({
        name: file.name,
        signal,
        onSent,
        answer: (image = {}) => {
          resolve({ id: file.name, duplicate: false, ...image } as UploadOut)
          return settled() as Promise<void>
        },
        refuse: (code) => {
          const problem: Problem = { code, status: 422, detail: '', params: {}, errors: [] }
          // the client throws problems, which are no Errors
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
          reject(problem)
          return settled() as Promise<void>
        },
      })
    })
  const queue = new UploadQueue(send)
  queue.add(names.map((name) => new File(['x'], name)))
  return {
    queue,
    calls,
    call: (name: string) => {
      const found = calls.findLast((call) => call.name === name)
      if (!found) throw new Error(`${name} was not sent`)
      return found
    },
    sent: () => calls.map((call) => call.name),
    states: () => Object.fromEntries(queue.read().map(({ name, state }) => [name, state])),
    id: (name: string) => queue.read().find((upload) => upload.name === name)?.id ?? 0,
  }
}

test('at most three at a time, in the order in which they came', async () => {
  const { queue, call, sent, states } = queueOf('a', 'b', 'c', 'd', 'e')
  expect(sent()).toEqual(['a', 'b', 'c'])
  expect(states()).toMatchObject({ c: 'sending', d: 'waiting', e: 'waiting' })
  await call('b').answer()
  expect(sent()).toEqual(['a', 'b', 'c', 'd'])
  queue.add([new File(['x'], 'f')])
  await call('a').answer()
  await call('c').answer()
  expect(sent()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(queue.read().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('of videos one at a time, while other files pass them', async () => {
  const { queue, call, id, sent, states } = queueOf('a.mp4', 'b.MOV', 'c.mp4', 'd.jpg', 'e.pdf', 'f.jpg')
  expect(sent()).toEqual(['a.mp4', 'd.jpg', 'e.pdf'])
  expect(states()).toMatchObject({ 'b.MOV': 'waiting', 'c.mp4': 'waiting', 'f.jpg': 'waiting' })
  await call('d.jpg').answer()
  expect(sent().at(-1)).toBe('f.jpg')
  // the server still checks the first one
  call('a.mp4').onSent(1)
  await call('e.pdf').answer()
  expect(states()).toMatchObject({ 'a.mp4': 'checking', 'b.MOV': 'waiting' })
  await call('a.mp4').refuse('video_unreadable')
  expect(sent().at(-1)).toBe('b.MOV')
  queue.cancel(id('b.MOV'))
  expect(sent().at(-1)).toBe('c.mp4')
})

test('progress, then the check, then the image', async () => {
  const { queue, call, states } = queueOf('a')
  call('a').onSent(0.4)
  expect(queue.read()[0]).toMatchObject({ state: 'sending', sent: 0.4 })
  call('a').onSent(1)
  expect(states()).toEqual({ a: 'checking' })
  await call('a').answer({ id: '7' })
  expect(queue.read()[0]).toMatchObject({ state: 'done', image: { id: '7' } })
})

test('what was here already is told apart', async () => {
  const { call, states } = queueOf('a')
  await call('a').answer({ duplicate: true })
  expect(states()).toEqual({ a: 'known' })
})

test('a cancelled one stops and gives its place to the next', async () => {
  const { queue, call, id, sent, states } = queueOf('a', 'b', 'c', 'd')
  call('a').onSent(0.9)
  queue.cancel(id('a'))
  expect(call('a').signal.aborted).toBe(true)
  expect(sent()).toEqual(['a', 'b', 'c', 'd'])
  await settled()
  expect(queue.read()[0]).toEqual({ id: id('a'), name: 'a', bytes: 1, state: 'cancelled', sent: 0 })
  call('a').onSent(1)
  expect(states()).toMatchObject({ a: 'cancelled' })
})

test('a cancelled one that has not started is never sent', async () => {
  const { queue, call, id, sent, states } = queueOf('a', 'b', 'c', 'd')
  queue.cancel(id('d'))
  await call('a').answer()
  expect(sent()).toEqual(['a', 'b', 'c'])
  expect(states()).toMatchObject({ d: 'cancelled' })
})

test('a failed one keeps its reason and holds up nobody; another try starts afresh', async () => {
  const { queue, call, id, sent, states } = queueOf('a', 'b', 'c', 'd')
  await call('a').refuse('image_truncated')
  expect(queue.read()[0]).toMatchObject({ state: 'failed', problem: { code: 'image_truncated' } })
  expect(sent()).toEqual(['a', 'b', 'c', 'd'])
  queue.retry(id('a'))
  expect(states()).toMatchObject({ a: 'waiting' })
  await call('b').answer()
  expect(sent()).toEqual(['a', 'b', 'c', 'd', 'a'])
  await call('a').answer()
  expect(queue.read()[0]).toMatchObject({ state: 'done', problem: undefined })
})

test('the late end of a stopped try says nothing about the next one', async () => {
  const { queue, calls, id, states } = queueOf('a')
  queue.cancel(id('a'))
  queue.retry(id('a'))
  await settled()
  expect(calls).toHaveLength(2)
  expect(states()).toEqual({ a: 'sending' })
  await calls[1]?.answer()
  expect(states()).toEqual({ a: 'done' })
})

test('a retry of what runs or is done does nothing', async () => {
  const { queue, call, id, sent } = queueOf('a')
  queue.retry(id('a'))
  await call('a').answer()
  queue.retry(id('a'))
  queue.cancel(id('a'))
  expect(sent()).toEqual(['a'])
  expect(queue.read()[0]?.state).toBe('done')
})

test('cancelling all starts nothing more', async () => {
  const { queue, sent, states } = queueOf('a', 'b', 'c', 'd', 'e')
  queue.cancelAll()
  await settled()
  expect(sent()).toEqual(['a', 'b', 'c'])
  expect(new Set(Object.values(states()))).toEqual(new Set(['cancelled']))
})

test('clearing forgets what is over and keeps what runs', async () => {
  const { queue, call, states } = queueOf('a', 'b')
  await call('a').answer()
  queue.clear()
  expect(states()).toEqual({ b: 'sending' })
  await call('b').answer()
  expect(states()).toEqual({ b: 'done' })
})
