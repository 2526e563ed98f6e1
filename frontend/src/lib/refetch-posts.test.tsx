import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { readPostQueryKey } from '@/api/@tanstack/react-query.gen'
import type { PostOut } from '@/api/types.gen'
import { aPost } from '@/test/made'
import { usePostChange, useRefetchPosts } from './refetch-posts'

test('a word on a post makes everything old that tells of posts, and nothing else', async () => {
  const queryClient = new QueryClient()
  const known: unknown[][] = [
    [{ _id: 'listPosts', tags: ['posts'] }],
    [{ _id: 'readLive', tags: ['assistants'] }],
    [{ _id: 'readOverview', tags: ['overview'] }],
    [{ _id: 'listTemplates', tags: ['templates'] }],
    [{ _id: 'untagged' }],
    ['draft', 'session', 'assistant-1'],
  ]
  for (const key of known) queryClient.setQueryData(key, {})
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(useRefetchPosts, { wrapper })
  await result.current()
  expect(known.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, false, false, false])
})

test('the answer to a change is the post that is shown, before it is fetched again', () => {
  const queryClient = new QueryClient()
  const queryKey = readPostQueryKey({ path: { post_id: 'post' } })
  queryClient.setQueryData(queryKey, aPost({ id: 'post', version: 4 }))
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(usePostChange, { wrapper })
  result.current.onSuccess({ post: aPost({ id: 'post', version: 5 }), confirmed: true, repeats: false })
  expect(queryClient.getQueryData<PostOut>(queryKey)?.version).toBe(5)
})
