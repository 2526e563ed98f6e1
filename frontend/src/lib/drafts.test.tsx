import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { useDraft } from './drafts'
import { removeToken, saveToken } from './token'

const MARA = 'a-token-of-mara-00000001'
const JON = 'a-token-of-jon-00000002'

beforeEach(() => removeToken())

function drafts(queryClient: QueryClient) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  )
  return renderHook(() => useDraft<string>('template'), { wrapper }).result.current
}

test('what was typed is there again for the same session', () => {
  const queryClient = new QueryClient()
  saveToken(MARA)
  drafts(queryClient).keep('half a sentence')
  expect(drafts(queryClient).read()).toBe('half a sentence')
})

test('whoever signs in next in this tab finds nothing, and leaves nothing to be found', () => {
  const queryClient = new QueryClient()
  saveToken(MARA)
  drafts(queryClient).keep('half a sentence')
  saveToken(JON)
  expect(drafts(queryClient).read()).toBeUndefined()
  drafts(queryClient).keep('of somebody else')
  saveToken(MARA)
  expect(drafts(queryClient).read()).toBe('half a sentence')
})
