import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { preload } from './preloading'
import { removeToken, saveToken } from './token'

afterEach(() => removeToken())

const asking = () => ({ queryKey: ['tree'], queryFn: vi.fn(() => Promise.resolve('the tree')) })

test('a user’s page is asked for ahead, once', async () => {
  saveToken('mine')
  const queryClient = new QueryClient()
  const tree = asking()
  preload(queryClient, tree)
  preload(queryClient, tree)
  await vi.waitFor(() => expect(queryClient.getQueryData(['tree'])).toBe('the tree'))
  preload(queryClient, tree)
  expect(tree.queryFn).toHaveBeenCalledOnce()
})

test('nothing is asked for a visitor', () => {
  const tree = asking()
  preload(new QueryClient(), tree)
  expect(tree.queryFn).not.toHaveBeenCalled()
})

test('where a router has no place for data, nothing is asked', () => {
  saveToken('mine')
  const tree = asking()
  preload(undefined, tree)
  expect(tree.queryFn).not.toHaveBeenCalled()
})

test('what fails ahead is left to the page, which asks again', async () => {
  saveToken('mine')
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const tree = { queryKey: ['tree'], queryFn: vi.fn(() => Promise.reject<string>(new Error('away'))) }
  preload(queryClient, tree)
  await vi.waitFor(() => expect(queryClient.getQueryState(['tree'])?.status).toBe('error'))
  preload(queryClient, tree)
  expect(tree.queryFn).toHaveBeenCalledTimes(2)
})
