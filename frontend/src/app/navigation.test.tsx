import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { Navigation } from './navigation'

const me = { id: '1', email: 'mara@lindhof.example', is_email_verified: true, display_name: 'Mara Lind', language: 'en', time_zone: 'UTC', second_factor: false }

const server = startServer(
  http.get('*/api/users/me/', () => HttpResponse.json(me)),
  http.get('*/api/users/waiting/', () => HttpResponse.json({ posts: 0, accounts: 0, websites: 0 })),
)

const waits = (posts: number, accounts: number) =>
  server.use(http.get('*/api/users/waiting/', () => HttpResponse.json({ posts, accounts, websites: 0 })))

test.each([
  ['/', 'Dashboard'],
  ['/templates/7', 'My Templates'],
  ['/social-media-posts/7', 'Posts'],
  ['/posts/7', 'Posts'],
  ['/websites', 'Posts'],
  ['/transactions', 'Subscription'],
  ['/topics', 'Topic Trees'],
])('at %s one entry is the present one: %s', (at, name) => {
  show(<Navigation />, { at })
  expect(screen.getAllByRole('link', { current: 'page' }).map((link) => link.textContent)).toEqual([name])
})

test('an address whose beginning only looks like an entry’s is none of it', () => {
  show(<Navigation />, { at: '/templates-of-others' })
  expect(screen.queryByRole('link', { current: 'page' })).toBeNull()
})

test('what waits stands at its entry, in words to those who hear it', async () => {
  waits(2, 1)
  show(<Navigation />)
  expect(await screen.findByLabelText('2 tasks are waiting for you')).toHaveTextContent('2')
  expect(screen.getByRole('link', { name: /^Posts/ })).toHaveTextContent('Posts2')
  expect(screen.getByRole('link', { name: /^Social Accounts/ })).toContainElement(screen.getByLabelText('1 task is waiting for you'))
})

test('a website that takes nothing more waits among the posts, where it is listed', async () => {
  server.use(http.get('*/api/users/waiting/', () => HttpResponse.json({ posts: 2, accounts: 0, websites: 1 })))
  show(<Navigation />)
  expect(await screen.findByLabelText('3 tasks are waiting for you')).toBeVisible()
  expect(screen.getByRole('link', { name: /^Posts/ })).toHaveTextContent('Posts3')
})

test('an assistant that has paused itself waits, too', async () => {
  server.use(http.get('*/api/users/waiting/', () => HttpResponse.json({ posts: 0, accounts: 0, websites: 0, assistants: 1 })))
  show(<Navigation />)
  expect(await screen.findByLabelText('1 task is waiting for you')).toBeVisible()
  expect(screen.getByRole('link', { name: /^Assistants/ })).toHaveTextContent('Assistants1')
})

test('nothing that waits is no number', async () => {
  waits(0, 3)
  show(<Navigation />)
  await screen.findByLabelText('3 tasks are waiting for you')
  expect(screen.getByRole('link', { name: 'Posts' })).toHaveTextContent(/^Posts$/)
})

test('who has not verified the address is asked for nothing that waits', async () => {
  const asked = vi.fn()
  server.use(
    http.get('*/api/users/me/', () => HttpResponse.json({ ...me, is_email_verified: false })),
    http.get('*/api/users/waiting/', () => {
      asked()
      return HttpResponse.json({ posts: 1, accounts: 0 })
    }),
  )
  const { queryClient } = show(<Navigation />)
  await waitFor(() => expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('success'))
  expect(asked).not.toHaveBeenCalled()
})

test('groups are lists with their names, in German too', async () => {
  await speak('de')
  show(<Navigation />)
  const names = screen.getAllByRole('list').map((list) => document.getElementById(list.getAttribute('aria-labelledby') ?? '')?.textContent)
  expect(names).toEqual([undefined, 'KI-Vorlagen', 'Social Media', 'Mediathek', 'Konto'])
})
