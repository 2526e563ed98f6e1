import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { NotificationOut, NotificationPage } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { Bell, BellNotifications } from './bell'

const me = { id: '1', email: 'mara@lindhof.example', is_email_verified: true, display_name: 'Mara Lind', language: 'en', time_zone: 'UTC', second_factor: false }
const server = startServer(http.get('*/api/users/me/', () => HttpResponse.json(me)))

const nothing = { post_id: null, post_title: null, assistant_id: null, assistant_name: null, account_id: null, account_name: null, channel: null, of_article: false }
const asked: NotificationOut = { ...nothing, id: '1', kind: 'approval_needed', post_id: 'p7', post_title: 'Rain without drama', assistant_name: 'Commuter tips', created_at: '2026-11-25T09:30:00.123456Z', read_at: null }
const lost: NotificationOut = { ...nothing, id: '2', kind: 'account_reconnect', account_id: 'a1', account_name: 'Lindhof', channel: 'linkedin', created_at: '2026-11-24T16:05:00Z', read_at: null }
const failed: NotificationOut = { ...nothing, id: '3', kind: 'run_failed', assistant_id: 'b2', assistant_name: 'Hay news', created_at: '2026-11-23T16:05:00Z', read_at: '2026-11-23T17:00:00Z' }

function Both() {
  const [opened, setOpened] = useState(false)
  return (
    <TimeZoneContext value="UTC">
      <Bell opened={opened} onOpen={() => setOpened(true)} size={32} />
      <BellNotifications opened={opened} onClose={() => setOpened(false)} />
    </TimeZoneContext>
  )
}

function ring(unread: number, items: NotificationOut[] = [asked, lost, failed]) {
  const page: NotificationPage = { items, next_cursor: null, total: items.length, unread }
  server.use(
    http.get('*/api/users/waiting/', () => HttpResponse.json({ posts: 0, approvals: 0, accounts: 0, websites: 0, assistants: 0, notifications: unread })),
    http.get('*/api/notifications/', () => HttpResponse.json(page)),
  )
  itIs('2026-11-25T12:00:00Z')
  return show(<Both />)
}

const open = async (shown: ReturnType<typeof ring>) => {
  await shown.user.click(await screen.findByRole('button', { name: /^Notifications/ }))
  return within(await screen.findByRole('dialog', { name: 'Notifications' }))
}

test.each([
  ['en', 1, '1', '1 unread notification'],
  ['en', 12, '12', '12 unread notifications'],
  ['en', 100, '99+', 'More than 99 unread notifications'],
  ['de', 2, '2', '2 ungelesene Benachrichtigungen'],
] as const)('the number is seen, read out and said as it changes: %s, %i', async (language, unread, number, text) => {
  await speak(language)
  ring(unread)
  expect(await screen.findByRole('button', { name: new RegExp(`: ${text}$`) })).toHaveTextContent(number)
  expect(screen.getByRole('status')).toHaveTextContent(text)
})

test('where nothing is unread there is no number, and nothing is asked for before somebody looks', async () => {
  const list = vi.fn()
  const { queryClient } = ring(0)
  server.use(http.get('*/api/notifications/', () => (list(), HttpResponse.json({}))))
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.getByRole('button', { name: 'Notifications' })).toHaveTextContent(/^$/)
  expect(list).not.toHaveBeenCalled()
})

test('each says what it is about, when, and whether it was seen, and leads there', async () => {
  const dialog = await open(ring(2))
  const links = (await dialog.findAllByRole('listitem')).map((item) => within(item).getByRole('link'))
  expect(links.map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
    ['/social-media-posts/p7', 'Commuter tips needs your approval: Rain without dramaWed 25 Nov, 09:30'],
    ['/account', 'Lindhof on LinkedIn needs a new loginTue 24 Nov, 16:05'],
    ['/assistants/b2?tab=runs', 'Hay news could not write a postMon 23 Nov, 16:05'],
  ])
  expect(dialog.getAllByRole('img', { name: 'Unread' })).toHaveLength(2)
})

test('who follows one has seen it', async () => {
  const read = vi.fn()
  const shown = ring(2)
  server.use(http.post('*/api/notifications/:id/read/', ({ params }) => (read(params.id), new HttpResponse(null, { status: 204 }))))
  const dialog = await open(shown)
  await shown.user.click(await dialog.findByRole('link', { name: /Rain without drama/ }))
  expect(shown.address()).toBe('/social-media-posts/p7')
  await vi.waitFor(() => expect(read).toHaveBeenCalledWith('1'))
})

test('all are marked that somebody sees, none that came since', async () => {
  const body = vi.fn()
  const shown = ring(2)
  server.use(http.post('*/api/notifications/read/', async ({ request }) => (body(await request.json()), new HttpResponse(null, { status: 204 }))))
  const dialog = await open(shown)
  await shown.user.click(await dialog.findByRole('button', { name: 'Mark all as read' }))
  await vi.waitFor(() => expect(body).toHaveBeenCalledWith({ until: asked.created_at }))
})

test('who closes it is back at the bell', async () => {
  const shown = ring(2)
  await open(shown)
  await shown.user.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.getByRole('button', { name: /^Notifications/ })).toHaveFocus())
})

test('what could not be marked is told', async () => {
  const shown = ring(2)
  server.use(http.post('*/api/notifications/read/', () => refuse(503, 'unavailable')))
  const dialog = await open(shown)
  await shown.user.click(await dialog.findByRole('button', { name: 'Mark all as read' }))
  expect(await screen.findByText(/^The notification could not be marked as read\./)).toBeVisible()
})

test('nothing to tell is said, with the way to the mails', async () => {
  const dialog = await open(ring(0, []))
  expect(await dialog.findByRole('heading', { name: 'No notifications' })).toBeVisible()
  expect(dialog.getByRole('link', { name: 'Email settings' })).toHaveAttribute('href', '/account?tab=notifications')
})

test('what is about an article or a website says so, and leads there', async () => {
  const about = { of_article: true } as const
  const list = await open(
    ring(3, [
      { ...lost, ...about, account_name: 'Lindhof Journal', channel: 'wordpress' },
      { ...failed, ...about },
      { ...asked, ...about, id: '4', kind: 'removal_failed', post_title: '' },
    ]),
  )
  expect(await list.findByRole('link', { name: /^Lindhof Journal needs a new login/ })).toHaveAttribute('href', '/websites')
  expect(list.getByRole('link', { name: /^Hay news could not write an article/ })).toBeVisible()
  expect(list.getByRole('link', { name: /^Not deleted on the website: an article without a title/ })).toBeVisible()
})
