import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { readMeQueryKey } from '@/api/@tanstack/react-query.gen'
import { hasDraftsAside, dropDrafts, watchLogOut, keepDraft, setDraftsAside, useDraft } from './drafts'
import { removeToken, saveToken } from './token'

interface Draft {
  name: string
}

let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  saveToken('token-of-mara')
})

const inApp = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

const draftOf = (name: string) => renderHook(() => useDraft<Draft>(name), { wrapper: inApp }).result.current

test('what was typed is there when the page comes again', () => {
  draftOf('assistant-1').keep({ name: 'Tips' })
  expect(draftOf('assistant-1').read()).toEqual({ name: 'Tips' })
})

test('what was not typed is not there', () => {
  expect(draftOf('assistant-1').read()).toBeUndefined()
})

test('each form has its own', () => {
  draftOf('assistant-1').keep({ name: 'Tips' })
  draftOf('assistant-12').keep({ name: 'News' })
  draftOf('assistant-1').drop()
  expect(draftOf('assistant-1').read()).toBeUndefined()
  expect(draftOf('assistant-12').read()).toEqual({ name: 'News' })
})

test('the later one counts', () => {
  const draft = draftOf('assistant-1')
  draft.keep({ name: 'Tips' })
  draft.keep({ name: 'Tips for winter' })
  expect(draft.read()).toEqual({ name: 'Tips for winter' })
})

test('another session does not find it, the same one does', () => {
  draftOf('assistant-1').keep({ name: 'Tips' })
  saveToken('token-of-tom')
  expect(draftOf('assistant-1').read()).toBeUndefined()
  saveToken('token-of-mara')
  expect(draftOf('assistant-1').read()).toEqual({ name: 'Tips' })
})

test('a visitor does not find what a user typed', () => {
  draftOf('assistant-1').keep({ name: 'Tips' })
  removeToken()
  expect(draftOf('assistant-1').read()).toBeUndefined()
})

test('it goes with the fetched data when a session ends', () => {
  draftOf('assistant-1').keep({ name: 'Tips' })
  queryClient.clear()
  expect(draftOf('assistant-1').read()).toBeUndefined()
})

test('it stays for as long as the app is open, though nothing shows it', () => {
  vi.useFakeTimers()
  try {
    draftOf('assistant-1').keep({ name: 'Tips' })
    vi.advanceTimersByTime(24 * 60 * 60_000)
    expect(draftOf('assistant-1').read()).toEqual({ name: 'Tips' })
  } finally {
    vi.useRealTimers()
  }
})

test('it can be put there for a form that is still to come', () => {
  keepDraft<Draft>(queryClient, 'assistant-new', { name: 'Tips' })
  expect(draftOf('assistant-new').read()).toEqual({ name: 'Tips' })
})

test('the same form has the same draft at each look, so that effects do not run again', () => {
  const { result, rerender } = renderHook(() => useDraft<Draft>('assistant-1'), { wrapper: inApp })
  const first = result.current
  rerender()
  expect(result.current).toBe(first)
})

const isHere = (id: string) => queryClient.setQueryData(readMeQueryKey(), { id })

/** Expire the session: the server refuses the token, and all fetched data is cleared. */
function sessionEnds() {
  removeToken()
  setDraftsAside(queryClient)
  queryClient.clear()
}

test('a session that ends in the middle of a sentence leaves it to the same person, once they are back', () => {
  isHere('mara')
  draftOf('post:new').keep({ name: 'Half a sen' })
  sessionEnds()
  expect(hasDraftsAside(queryClient)).toBe(true)
  expect(draftOf('post:new').read()).toBeUndefined()
  saveToken('another-token-of-mara')
  isHere('mara')
  expect(draftOf('post:new').read()).toEqual({ name: 'Half a sen' })
  expect(hasDraftsAside(queryClient)).toBe(false)
})

test('it goes where another person logs in instead, and does not come back', () => {
  isHere('mara')
  draftOf('post:new').keep({ name: 'Half a sen' })
  sessionEnds()
  saveToken('token-of-tom')
  isHere('tom')
  expect(draftOf('post:new').read()).toBeUndefined()
  sessionEnds()
  saveToken('another-token-of-mara')
  isHere('mara')
  expect(draftOf('post:new').read()).toBeUndefined()
})

test('a log-out takes it in every tab', async () => {
  const stop = watchLogOut(queryClient)
  isHere('mara')
  draftOf('assistant-1').keep({ name: 'Tips' })
  dropDrafts(new QueryClient())
  await vi.waitFor(() => expect(draftOf('assistant-1').read()).toBeUndefined())
  sessionEnds()
  expect(hasDraftsAside(queryClient)).toBe(false)
  stop()
})
