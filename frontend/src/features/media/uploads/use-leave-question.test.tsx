import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createBrowserRouter, Link, RouterProvider, useSearchParams, type RouteObject } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { saveToken } from '@/lib/token'
import { Questions } from '@/test/questions'
import { newQueryClient, Providers } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { useLeaveQuestion } from './use-leave-question'

beforeAll(startAllTexts)
beforeEach(() => saveToken('mine'))
afterEach(() => history.replaceState(null, '', '/'))

/** Leaving asks, as long as the box is checked. */
function Editor() {
  const [unsaved, setUnsaved] = useState(true)
  const [, setSearch] = useSearchParams()
  useLeaveQuestion(unsaved, { title: 'Leave?', text: 'It ends.', action: 'Leave' })
  return (
    <>
      <input type="checkbox" checked={unsaved} onChange={() => setUnsaved(!unsaved)} />
      <Link to="/list">List</Link>
      <button onClick={() => setSearch({ tab: 'two' })}>Other tab</button>
    </>
  )
}

const PAGES: RouteObject[] = [
  { path: '/list', element: 'the list' },
  { path: '/editor', Component: Editor },
]

/** In the browser’s own history, which tells of a step some time after it was made. */
function open(at: string, pages = PAGES) {
  history.pushState(null, '', at)
  const router = createBrowserRouter(pages)
  render(
    <Providers queryClient={newQueryClient()}>
      <Questions>
        <RouterProvider router={router} />
      </Questions>
    </Providers>,
  )
  return { router, user: userEvent.setup() }
}

test('a link away asks first: staying changes nothing, leaving leads there', async () => {
  const { router, user } = open('/editor')
  await user.click(screen.getByRole('button', { name: 'Other tab' }))
  await waitFor(() => expect(location.search).toBe('?tab=two'))
  await user.click(screen.getByRole('link', { name: 'List' }))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(location.pathname).toBe('/editor')
  await user.click(screen.getByRole('link', { name: 'List' }))
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('the list')).toBeVisible()
  expect(location.pathname).toBe('/list')
  expect(router.state.historyAction).toBe('PUSH')
})

test('Back asks first, too, and the address stays true meanwhile', async () => {
  const { router, user } = open('/list')
  await act(() => router.navigate('/editor'))
  act(() => history.back())
  const question = await screen.findByRole('dialog', { name: 'Leave?' })
  await waitFor(() => expect(location.pathname).toBe('/editor'))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(question).not.toBeInTheDocument())

  act(() => history.back())
  await user.click(await screen.findByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('the list')).toBeVisible()
  expect(location.pathname).toBe('/list')
  expect(router.state.historyAction).toBe('POP')
})

test('what is saved is left without a question', async () => {
  const { user } = open('/editor')
  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('link', { name: 'List' }))
  expect(await screen.findByText('the list')).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['/posts?compose=new', '/posts', true],
  ['/posts?compose=rain', '/posts?compose=snow', true],
  ['/articles/rain?edit=text', '/articles/rain', true],
  ['/articles?new=site', '/articles', true],
  ['/articles?new=site&id=rain', '/articles?new=site', true],
  ['/posts?compose=new', '/posts?compose=rain', true],
  ['/posts?tab=one', '/posts?tab=two', false],
])('from %s to %s another page is opened: %s', async (from, to, asks) => {
  const { router } = open(from, [{ path: '*', Component: Editor }])
  await screen.findByRole('checkbox')
  await act(() => router.navigate(to))
  if (asks) expect(await screen.findByRole('dialog', { name: 'Leave?' })).toBeVisible()
  else expect(screen.queryByRole('dialog')).toBeNull()
  expect(location.pathname + location.search).toBe(asks ? from : to)
})

test.each([
  ['/posts?compose=new', '/posts?compose=rain'],
  ['/articles?new=site', '/articles?new=site&id=rain'],
])('from %s to %s a new item gets its id', async (from, to) => {
  const { router } = open(from, [{ path: '*', Component: Editor }])
  await screen.findByRole('checkbox')
  await act(() => router.navigate(to, { replace: true }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(location.pathname + location.search).toBe(to)
})
