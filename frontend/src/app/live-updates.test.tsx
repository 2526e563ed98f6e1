import { act, render } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  listAccountsQueryKey,
  listArticlesQueryKey,
  listAssistantsQueryKey,
  listNotificationsQueryKey,
  listPostsQueryKey,
  listTemplatesQueryKey,
  listTopicTreesQueryKey,
  listWebsitesQueryKey,
  readMeQueryKey,
  readSubscriptionQueryKey,
  readWaitingQueryKey,
} from '@/api/@tanstack/react-query.gen'
import type { LiveKind } from '@/api/types.gen'
import { removeToken, saveToken } from '@/lib/token'
import { refetchKinds, useLiveUpdates } from './live-updates'

/** Query keys of the app by subject. */
const KNOWN = {
  assistants: listAssistantsQueryKey(),
  posts: listPostsQueryKey(),
  articles: listArticlesQueryKey(),
  websites: listWebsitesQueryKey(),
  accounts: listAccountsQueryKey(),
  topics: listTopicTreesQueryKey(),
  templates: listTemplatesQueryKey(),
  tryouts: [{ _id: 'tryouts', tags: ['tryouts'] }],
  suggestions: [{ _id: 'suggestions', tags: ['topic-suggestions'] }],
  media: [{ _id: 'media', tags: ['media'] }],
  overview: [{ _id: 'overview', tags: ['overview'] }],
  calendar: [{ _id: 'calendar', tags: ['calendar'] }],
  notifications: listNotificationsQueryKey(),
  subscription: readSubscriptionQueryKey(),
  draft: ['draft', 'session', 'assistant'],
} as const

type Name = keyof typeof KNOWN

let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  for (const key of Object.values(KNOWN)) queryClient.setQueryData(key, {})
})

const old = () => (Object.keys(KNOWN) as Name[]).filter((name) => queryClient.getQueryState(KNOWN[name])?.isInvalidated)
const ALL = Object.keys(KNOWN)

describe('an event makes old what tells of its kind, and nothing else', () => {
  test.each<[LiveKind, Name[]]>([
    ['assistant', ['assistants', 'overview', 'calendar']],
    ['run', ['assistants', 'articles', 'overview', 'calendar']],
    ['post', ['assistants', 'posts', 'articles', 'websites', 'overview', 'calendar']],
    ['account', ['assistants', 'websites', 'accounts', 'overview']],
    ['website', ['articles', 'websites']],
    ['topic_tree', ['topics', 'overview']],
    ['template', ['templates', 'overview']],
    ['media', ['media']],
    ['notification', ['notifications']],
    ['tryout', ['tryouts']],
    ['topic_suggestion', ['suggestions']],
    ['subscription', ['assistants', 'overview', 'calendar', 'subscription']],
  ])('%s', async (kind, names) => {
    await refetchKinds(queryClient, new Set([kind]))
    expect(old()).toEqual(names)
  })

  test('several in one go', async () => {
    await refetchKinds(queryClient, new Set<LiveKind>(['media', 'tryout']))
    expect(old()).toEqual(['tryouts', 'media'])
  })

  test('what nobody heard makes everything old', async () => {
    await refetchKinds(queryClient, new Set<LiveKind>(['media', 'all']))
    expect(old()).toEqual(ALL)
  })

  test('none makes nothing old', async () => {
    await refetchKinds(queryClient, new Set())
    expect(old()).toEqual([])
  })
})

test('what the navigation counts carries a tag that events know', () => {
  const [waiting] = readWaitingQueryKey() as unknown as [{ tags: readonly string[] }]
  expect(waiting.tags).toEqual(expect.arrayContaining(['overview', 'notifications']))
  const [me] = readMeQueryKey() as unknown as [{ tags: readonly string[] }]
  expect(me.tags).not.toContain('overview')
})

describe('while the app is open', () => {
  let streams: { token: string | null; signal: AbortSignal; send: (event: object) => void; cut: () => void }[]
  let visible: DocumentVisibilityState

  beforeEach(() => {
    streams = []
    visible = 'visible'
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
    vi.spyOn(console, 'info').mockReturnValue()
    vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible)
    vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) => {
      const signal = init?.signal ?? new AbortController().signal
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          streams.push({
            token: (request as Request).headers.get('Authorization'),
            signal,
            send: (event) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)),
            cut: () => stream.error(new TypeError('network error')),
          })
          signal.addEventListener('abort', () => stream.error(signal.reason))
        },
      })
      return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
    })
  })

  afterEach(() => {
    removeToken()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  /** Advance the timers, then wait for the streams, which need some turns of the event loop. */
  const pass = (milliseconds: number) =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(milliseconds)
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    })

  function Listening() {
    useLiveUpdates()
    return null
  }

  const open = () =>
    render(
      <QueryClientProvider client={queryClient}>
        <Listening />
      </QueryClientProvider>,
    )

  const openOnes = () => streams.filter(({ signal }) => !signal.aborted)
  const latest = () => {
    const stream = openOnes().at(-1)
    if (!stream) throw new Error('no stream is open')
    return stream
  }

  async function look(state: DocumentVisibilityState) {
    visible = state
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await pass(0)
  }

  test('a visitor listens to nothing', async () => {
    open()
    await pass(1_000)
    expect(streams).toEqual([])
  })

  test('changes of one moment are asked for together', async () => {
    saveToken('token-of-mara')
    open()
    await pass(0)
    latest().send({ kind: 'media', id: '1' })
    await pass(100)
    latest().send({ kind: 'tryout', id: '2' })
    await pass(100)
    expect(old()).toEqual([])
    await pass(50)
    expect(old()).toEqual(['tryouts', 'media'])
  })

  test('after a loss everything is looked at again', async () => {
    saveToken('token-of-mara')
    open()
    await pass(0)
    latest().cut()
    await pass(0)
    expect(old()).toEqual([])
    await pass(1_000)
    expect(old()).toEqual(ALL)
  })

  test('who logs out listens no more; who logs in then listens with their own token', async () => {
    saveToken('token-of-mara')
    open()
    await pass(0)
    act(() => removeToken())
    await pass(0)
    expect(openOnes()).toEqual([])
    act(() => saveToken('token-of-tom'))
    await pass(0)
    expect(openOnes().map(({ token }) => token)).toEqual(['Bearer token-of-tom'])
    // another session starts with new data of its own
    expect(old()).toEqual([])
  })

  test('a tab out of sight listens no more, and looks at everything again when it is seen', async () => {
    saveToken('token-of-mara')
    open()
    await pass(0)
    await look('hidden')
    await pass(1_999)
    expect(openOnes()).toHaveLength(1)
    await pass(1)
    expect(openOnes()).toHaveLength(0)
    await look('visible')
    expect(openOnes()).toHaveLength(1)
    expect(old()).toEqual(ALL)
  })

  test('a short look away changes nothing', async () => {
    saveToken('token-of-mara')
    open()
    await pass(0)
    await look('hidden')
    await pass(1_000)
    await look('visible')
    await pass(10_000)
    expect(streams).toHaveLength(1)
    expect(old()).toEqual([])
  })

  test('a page that is put aside for the back button lets its connection go', async () => {
    saveToken('token-of-mara')
    open()
    await pass(0)
    act(() => void window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
    expect(openOnes()).toHaveLength(0)
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await pass(0)
    expect(openOnes()).toHaveLength(1)
    expect(old()).toEqual(ALL)
  })

  test('a tab that is opened in the background listens once it is seen', async () => {
    saveToken('token-of-mara')
    visible = 'hidden'
    open()
    await pass(10_000)
    expect(streams).toEqual([])
    await look('visible')
    expect(openOnes()).toHaveLength(1)
    expect(old()).toEqual(ALL)
  })

  test('while no stream tells what has changed, everything is asked for every 30 s; not by a hidden tab', async () => {
    saveToken('token-of-mara')
    open()
    await pass(0)
    vi.mocked(globalThis.fetch).mockRejectedValue(new TypeError('network error'))
    latest().cut()
    await pass(29_000)
    expect(old()).toEqual([])
    await pass(1_000)
    expect(old()).toEqual(ALL)

    for (const key of Object.values(KNOWN)) queryClient.setQueryData(key, {})
    await look('hidden')
    await pass(120_000)
    expect(old()).toEqual([])
  })

  test('it ends with the app', async () => {
    saveToken('token-of-mara')
    const { unmount } = open()
    await pass(0)
    latest().send({ kind: 'media', id: '1' })
    unmount()
    await pass(1_000)
    expect(openOnes()).toEqual([])
    expect(old()).toEqual([])
  })
})
