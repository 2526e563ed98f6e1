import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEvent, LiveListener, LiveState } from './live'
import { shareLive } from './shared-live'

/** The streams that a server has open, by the tab that holds them. */
class Streams {
  readonly open = new Map<string, LiveListener>()

  connect(tab: string, listener: LiveListener) {
    this.open.set(tab, listener)
    listener.onState({ status: 'connecting' })
    return () => this.open.delete(tab)
  }

  get holder(): string {
    const [only, ...others] = this.open.keys()
    expect(others, 'streams beside the one').toEqual([])
    return only ?? 'nobody'
  }

  live = () => this.only().onState({ status: 'live' })
  send = (kind: LiveEvent['kind']) => this.only().onEvent({ kind, id: '1' })
  only(): LiveListener {
    const listener = this.open.get(this.holder)
    if (!listener) throw new Error('no stream is open')
    return listener
  }
}

let streams: Streams
let tabs: (() => void)[]
let session = 0

/** A tab of a browser: real locks, real channels, and a stream that the test speaks on. */
function openTab(name: string, { locks = true, user = 'user', returning = false } = {}) {
  const events: LiveEvent[] = []
  const states: LiveState[] = []
  const onGap = vi.fn()
  const leave = shareLive(
    {
      name: `${user}-${session}`,
      connect: (listener) => streams.connect(name, listener),
      locks: locks ? navigator.locks : undefined,
      returning,
    },
    { onEvent: (event) => events.push(event), onState: (state) => states.push(state), onGap },
  )
  tabs.push(leave)
  return { events, states, onGap, leave, kinds: () => events.map(({ kind }) => kind) }
}

beforeEach(() => {
  // the locks and channels of Node need its immediates
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  streams = new Streams()
  tabs = []
  session += 1
})

afterEach(() => {
  for (const leave of tabs) leave()
  vi.useRealTimers()
})

/** Until it holds: what goes between tabs takes some turns of the loop. */
async function eventually(claim: () => void) {
  for (let turn = 0; ; turn += 1) {
    try {
      claim()
      return
    } catch (error) {
      if (turn === 500) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

test('eight tabs have one stream, and all hear what it says', async () => {
  const all = Array.from({ length: 8 }, (_, index) => openTab(`tab ${index}`))
  await eventually(() => expect(streams.holder).toBe('tab 0'))
  streams.live()
  streams.send('post')
  for (const tab of all) {
    await eventually(() => expect(tab.events).toEqual([{ kind: 'post', id: '1' }]))
    expect(tab.states.at(-1)).toEqual({ status: 'live' })
    // nobody was away
    expect(tab.onGap).not.toHaveBeenCalled()
  }
})

test('a tab that comes later learns how things stand', async () => {
  openTab('first')
  await eventually(() => expect(streams.holder).toBe('first'))
  const since = new Date()
  streams.only().onState({ status: 'stale', since })
  const late = openTab('late')
  await eventually(() => expect(late.states).toEqual([{ status: 'stale', since }]))
})

test('when the tab with the stream closes, the next takes it at once, and all look again', async () => {
  const first = openTab('first')
  await eventually(() => expect(streams.holder).toBe('first'))
  streams.live()
  const [second, third] = [openTab('second'), openTab('third')]
  await eventually(() => expect(third.states.at(-1)).toEqual({ status: 'live' }))
  first.leave()
  await eventually(() => expect(streams.holder).toBe('second'))
  // until its stream stands nothing is missed for good, and nothing flickers
  expect(second.onGap).not.toHaveBeenCalled()
  expect(second.states.at(-1)).toEqual({ status: 'live' })
  streams.live()
  streams.send('run')
  await eventually(() => expect(third.kinds()).toEqual(['run']))
  expect(second.kinds()).toEqual(['run'])
  expect(second.onGap).toHaveBeenCalledOnce()
  expect(third.onGap).toHaveBeenCalledOnce()
  expect(first.onGap).not.toHaveBeenCalled()
})

test('the others see when the stream is lost, and look again when it is back', async () => {
  openTab('first')
  const second = openTab('second')
  await eventually(() => expect(streams.holder).toBe('first'))
  streams.live()
  const since = new Date()
  streams.only().onState({ status: 'stale', since })
  await eventually(() => expect(second.states.at(-1)).toEqual({ status: 'stale', since }))
  streams.live()
  streams.only().onGap()
  await eventually(() => expect(second.onGap).toHaveBeenCalledOnce())
  expect(second.states.at(-1)).toEqual({ status: 'live' })
})

test('a tab that says nothing any more loses the stream to another', async () => {
  // it got the lock, and its timers stand still
  const held = navigator.locks.request(`user-${session}`, () => new Promise(() => {}))
  const stolen = held.catch((error: unknown) => error)
  const tab = openTab('waking')
  await vi.advanceTimersByTimeAsync(29_000)
  expect(tab.states).toEqual([])
  await vi.advanceTimersByTimeAsync(6_000)
  expect(tab.states[0]?.status).toBe('stale')
  await eventually(() => expect(streams.holder).toBe('waking'))
  await expect(stolen).resolves.toMatchObject({ name: 'AbortError' })
  streams.live()
  expect(tab.states.at(-1)).toEqual({ status: 'live' })
})

test('whose stream was taken closes it, follows, and looks again', async () => {
  const first = openTab('first')
  await eventually(() => expect(streams.holder).toBe('first'))
  streams.live()
  let done = () => {}
  const thief = new Promise<void>((resolve) => (done = resolve))
  void navigator.locks.request(`user-${session}`, { steal: true }, () => thief)
  await eventually(() => expect(streams.open.size).toBe(0))
  done()
  await eventually(() => expect(streams.holder).toBe('first'))
  streams.live()
  expect(first.onGap).toHaveBeenCalledOnce()
})

test('a holder that lives says so while nothing happens', async () => {
  openTab('first')
  const second = openTab('second')
  await eventually(() => expect(streams.holder).toBe('first'))
  streams.live()
  for (let beat = 1; beat <= 9; beat += 1) {
    await vi.advanceTimersByTimeAsync(10_000)
    await eventually(() => expect(second.states.length).toBeGreaterThanOrEqual(beat))
  }
  expect(streams.holder).toBe('first')
  expect(second.states.map(({ status }) => status)).not.toContain('stale')
})

test('a tab that was away looks again once, as soon as events come', async () => {
  const alone = openTab('alone', { returning: true })
  await eventually(() => expect(streams.holder).toBe('alone'))
  expect(alone.onGap).not.toHaveBeenCalled()
  streams.live()
  const second = openTab('second', { returning: true })
  await eventually(() => expect(second.onGap).toHaveBeenCalledOnce())
  expect(alone.onGap).toHaveBeenCalledOnce()
})

test('tabs of another session hear nothing of it', async () => {
  const mine = openTab('mine')
  await eventually(() => expect(streams.holder).toBe('mine'))
  streams.live()
  const theirs = openTab('theirs', { user: 'other' })
  await eventually(() => expect(streams.open.size).toBe(2))
  streams.open.get('mine')?.onEvent({ kind: 'post', id: '1' })
  streams.open.get('theirs')?.onEvent({ kind: 'media', id: '1' })
  expect(mine.kinds()).toEqual(['post'])
  expect(theirs.kinds()).toEqual(['media'])
})

test('without locks each tab has a stream of its own', () => {
  const first = openTab('first', { locks: false, returning: true })
  openTab('second', { locks: false })
  expect([...streams.open.keys()]).toEqual(['first', 'second'])
  streams.open.get('first')?.onState({ status: 'live' })
  expect(first.onGap).toHaveBeenCalledOnce()
  first.leave()
  expect([...streams.open.keys()]).toEqual(['second'])
})
