import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anAsked, aPost } from '@/test/made'
import { newQueryClient } from '@/test/screen'
import { startServer } from '@/test/server'
import { useHeldDecision } from './use-held-decision'

startServer(http.post('*/api/social-media-posts/:id/decision/', () => HttpResponse.json({ post: aPost(), confirmed: true })))

function held(deadline: string) {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent: string[] = []
  const queryClient = newQueryClient()
  const { result, unmount } = renderHook(
    () => useHeldDecision({ onSend: ({ question }) => sent.push(question.post.id), onSaved: () => undefined, onRefused: () => undefined }),
    { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> },
  )
  const decision = (id: string) => ({
    question: anAsked({
      post: aPost({
        id,
        approval: { state: 'waiting', at_deadline: 'hold', deadline_at: deadline, decided_at: null, by_deadline: false, remark: '', rewrite_error: null, at_once: false },
      }),
    }),
    approved: true,
    remark: '',
  })
  const hold = (id: string): number => {
    let heldFor = -1
    act(() => {
      heldFor = result.current.hold(decision(id))
    })
    return heldFor
  }
  const pass = (ms: number): void => {
    act(() => {
      vi.advanceTimersByTime(ms)
    })
  }
  return { result, unmount, sent, hold, pass }
}

test('an answer waits for ten seconds', () => {
  const { hold, pass, sent } = held('2026-11-21T19:00:00Z')
  expect(hold('rain')).toBe(10_000)
  pass(9_999)
  expect(sent).toEqual([])
  pass(1)
  expect(sent).toEqual(['rain'])
})

test('what is taken back is never sent', () => {
  const { hold, pass, result, sent, unmount } = held('2026-11-21T19:00:00Z')
  hold('rain')
  expect(result.current.takeBack()?.question.post.id).toBe('rain')
  pass(20_000)
  unmount()
  expect(sent).toEqual([])
})

test('a near deadline comes first', () => {
  const { hold, pass, sent } = held('2026-11-21T12:00:08Z')
  expect(hold('rain')).toBe(3_000)
  pass(3_000)
  expect(sent).toEqual(['rain'])
})

test('a deadline of now leaves no time to take it back', () => {
  const { hold, sent } = held('2026-11-21T12:00:02Z')
  expect(hold('rain')).toBe(0)
  expect(sent).toEqual(['rain'])
})

test('whoever goes elsewhere in the app has answered', () => {
  const { hold, sent, unmount } = held('2026-11-21T19:00:00Z')
  hold('rain')
  unmount()
  expect(sent).toEqual(['rain'])
})

test('so has who hides the page', () => {
  const { hold, sent } = held('2026-11-21T19:00:00Z')
  hold('rain')
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(sent).toEqual(['rain'])
})
