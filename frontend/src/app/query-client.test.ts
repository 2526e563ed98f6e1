import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Problem } from '@/lib/problems'
import { createQueryClient } from './query-client'

const problem = (status: number): Problem => ({ status, code: status === 0 ? 'unreachable' : 'internal', detail: '', params: {}, errors: [] })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a call that fails', () => {
  /** Return how often the call was made so far, after each of these waits. */
  async function callsWith(status: number) {
    const call = vi.fn<() => Promise<string>>().mockRejectedValue(problem(status))
    const result = createQueryClient()
      .fetchQuery({ queryKey: ['posts'], queryFn: call, retry: createQueryClient().getDefaultOptions().queries?.retry })
      .catch(() => 'failed')
    const calls: number[] = []
    for (const seconds of [0, 4.9, 0.2, 5, 60]) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
      calls.push(call.mock.calls.length)
    }
    expect(await result).toBe('failed')
    return calls
  }

  test.each([0, 500, 502, 503])('with %i is made again after 5 s, twice', async (status) => {
    expect(await callsWith(status)).toEqual([1, 1, 2, 3, 3])
  })

  test.each([400, 401, 403, 404, 409, 422, 429])('with %i is not made again: it stays wrong', async (status) => {
    expect(await callsWith(status)).toEqual([1, 1, 1, 1, 1])
  })
})

test('what was fetched counts for 2 s', async () => {
  const call = vi.fn(() => Promise.resolve('posts'))
  const queryClient = createQueryClient()
  const look = () => new QueryObserver(queryClient, { queryKey: ['posts'], queryFn: call }).subscribe(() => {})
  const leave = [look()]
  await vi.advanceTimersByTimeAsync(1_900)
  leave.push(look())
  await vi.advanceTimersByTimeAsync(0)
  expect(call).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(200)
  leave.push(look())
  await vi.advanceTimersByTimeAsync(0)
  expect(call).toHaveBeenCalledTimes(2)
  for (const stop of leave) stop()
})
