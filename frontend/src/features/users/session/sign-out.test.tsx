import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { keepDraft } from '@/lib/drafts'
import { readToken, saveToken } from '@/lib/token'
import { startServer } from '@/test/server'
import { useSignOut } from './api'

const server = startServer()

test('signing out leaves nothing of what was fetched or typed, before the server has answered', async () => {
  const queryClient = new QueryClient()
  saveToken('a-token-of-mara-00000001')
  keepDraft(queryClient, 'template', 'half a sentence')
  queryClient.setQueryData(['listTemplates'], ['a template'])
  const asked: unknown[] = []
  server.use(
    http.post('*/api/auth/logout/', ({ request }) => {
      asked.push({
        by: request.headers.get('Authorization'),
        left: queryClient.getQueryCache().getAll(),
        token: readToken(),
      })
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { result } = renderHook(() => useSignOut(), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <MemoryRouter>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </MemoryRouter>
    ),
  })
  await result.current()
  expect(asked).toEqual([{ by: 'Bearer a-token-of-mara-00000001', left: [], token: null }])
})
