import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, useNavigate } from 'react-router'
import { expect, test } from 'vitest'
import { useRecentPages, useRememberPages } from './recent-pages'

function open() {
  const queryClient = new QueryClient()
  document.title = 'Dashboard · Postloom'
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{children}</MemoryRouter>
    </QueryClientProvider>
  )
  const { result, rerender } = renderHook(
    () => {
      useRememberPages()
      return { recent: useRecentPages(), navigate: useNavigate() }
    },
    { wrapper },
  )
  return {
    queryClient,
    /** Reads the pages like the command menu when it is opened. */
    recent: () => {
      rerender()
      return result.current.recent.map(({ path, title }) => `${title} ${path}`)
    },
    /** Sets the title once it is shown, like each page. */
    goTo: (path: string, title: string) => {
      act(() => void result.current.navigate(path))
      document.title = `${title} · Postloom`
    },
  }
}

test('the pages before this one, the newest first', () => {
  const { goTo, recent } = open()
  goTo('/topics', 'Topic Trees')
  goTo('/assistants/7', 'Cycling tips')
  expect(recent()).toEqual(['Topic Trees /topics', 'Dashboard /'])
})

test('a page that was open twice is there once, as it was last', () => {
  const { goTo, recent } = open()
  goTo('/assistants/7', 'Cycling tips')
  goTo('/topics', 'Topic Trees')
  goTo('/assistants/7?tab=runs', 'Cycling tips')
  goTo('/media-gallery', 'Gallery')
  expect(recent()).toEqual(['Cycling tips /assistants/7?tab=runs', 'Topic Trees /topics', 'Dashboard /'])
})

test('the page that is open is not one of them', () => {
  const { goTo, recent } = open()
  goTo('/topics', 'Topic Trees')
  goTo('/', 'Dashboard')
  expect(recent()).toEqual(['Topic Trees /topics'])
})

test('they are five at most', () => {
  const { goTo, recent } = open()
  for (let page = 1; page <= 9; page += 1) goTo(`/templates/${page}`, `Template ${page}`)
  expect(recent()).toEqual([8, 7, 6, 5, 4].map((page) => `Template ${page} /templates/${page}`))
})

test('they go with what was fetched', () => {
  const { queryClient, goTo, recent } = open()
  goTo('/topics', 'Topic Trees')
  queryClient.clear()
  goTo('/assistants', 'Assistants')
  expect(recent()).toEqual(['Topic Trees /topics'])
})
