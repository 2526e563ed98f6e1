import { QueryClient } from '@tanstack/react-query'
import { RouterContextProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { loaderContext, preload } from './preloading'
import { removeToken, saveToken } from './token'

afterEach(() => removeToken())

const asking = () => ({ queryKey: ['tree'], queryFn: vi.fn(() => Promise.resolve('the tree')) })

test('a user’s page is asked for ahead, once', async () => {
  saveToken('mine')
  const queryClient = new QueryClient()
  const tree = asking()
  preload(loaderContext(queryClient), tree)
  preload(loaderContext(queryClient), tree)
  await vi.waitFor(() => expect(queryClient.getQueryData(['tree'])).toBe('the tree'))
  preload(loaderContext(queryClient), tree)
  expect(tree.queryFn).toHaveBeenCalledOnce()
})

test('nothing is asked for a visitor', () => {
  const tree = asking()
  preload(loaderContext(new QueryClient()), tree)
  expect(tree.queryFn).not.toHaveBeenCalled()
})

test('where a router has no place for data, nothing is asked', () => {
  saveToken('mine')
  const tree = asking()
  preload(new RouterContextProvider(), tree)
  expect(tree.queryFn).not.toHaveBeenCalled()
})

test('what fails ahead is left to the page, which asks again', async () => {
  saveToken('mine')
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const tree = { queryKey: ['tree'], queryFn: vi.fn(() => Promise.reject<string>(new Error('away'))) }
  preload(loaderContext(queryClient), tree)
  await vi.waitFor(() => expect(queryClient.getQueryState(['tree'])?.status).toBe('error'))
  preload(loaderContext(queryClient), tree)
  expect(tree.queryFn).toHaveBeenCalledTimes(2)
})
