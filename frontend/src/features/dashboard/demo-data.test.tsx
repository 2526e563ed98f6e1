import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { DemoDataOut } from '@/api/types.gen'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { DemoDataNote, FirstPosts } from './demo-data'

const ABSENT: DemoDataOut = {
  state: 'absent',
  publishes: true,
  pays: false,
  assistants: 0,
  posts: 0,
  templates: 0,
  topic_trees: 0,
  pictures: 0,
  accounts: 0,
  kept: [],
}
const PRESENT: DemoDataOut = { ...ABSENT, state: 'present', assistants: 2, templates: 4, topic_trees: 2, pictures: 2, accounts: 2 }

const server = startServer()
let data: DemoDataOut

beforeEach(() => {
  server.use(
    http.get('*/api/users/me/demo-data/', () => HttpResponse.json(data)),
    http.post('*/api/users/me/demo-data/', () => {
      data = PRESENT
      return HttpResponse.json(data, { status: 201 })
    }),
    http.delete('*/api/users/me/demo-data/', () => {
      data = ABSENT
      return new HttpResponse(null, { status: 204 })
    }),
  )
})

function show(known: DemoDataOut, offered = true) {
  data = known
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <Providers queryClient={queryClient}>
      <Notifications />
      <DemoDataNote />
      <FirstPosts offered={offered} />
    </Providers>,
  )
  return userEvent.setup({ delay: null })
}

test('one press brings it, another one and a confirmation take it away', async () => {
  const user = show(ABSENT)
  expect(await screen.findByText(/a simulated LinkedIn on this server/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Add demo data' }))
  expect(await screen.findByText('The demo data was added. Open an assistant and choose “Run now” to watch a post being published.')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Add demo data' })).toBeNull())
  data = { ...PRESENT, posts: 3, pictures: 5 }
  await user.click(screen.getByRole('button', { name: 'Remove demo data' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove the demo data?' })
  await waitFor(() => expect(dialog).toHaveTextContent('2 assistants3 posts4 templates2 topic trees5 images2 simulated accounts'))
  expect(dialog).toHaveTextContent('Demo items that you have changed or use elsewhere are kept and become yours.')
  const [, confirm] = screen.getAllByRole('button', { name: 'Remove demo data', hidden: true })
  await user.click(confirm!)
  expect(await screen.findByText('The demo data was removed.')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Add demo data' }))
  expect(await screen.findByRole('button', { name: 'Remove demo data' })).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('what stays is named', async () => {
  const user = show({ ...PRESENT, templates: 3, kept: [{ kind: 'template', id: 'a', name: 'Practical tip' }] })
  await user.click(await screen.findByRole('button', { name: 'Remove demo data' }))
  expect(await screen.findByText('Template: Practical tip')).toBeVisible()
})

test.each([
  [{ publishes: false }, /Nothing is published\./],
  [{ pays: true }, /On weekdays.*Model fees apply/],
])('it says what it will do and cost: %o', async (more, words) => {
  show({ ...ABSENT, ...more })
  expect(await screen.findByText(words)).toBeVisible()
})

test('who has an assistant of their own is offered none', async () => {
  show(ABSENT, false)
  expect(await screen.findByText('No posts yet')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Add demo data' })).toBeNull()
})

test('what was interrupted can be added again, and a refusal is told', async () => {
  server.use(
    http.post('*/api/users/me/demo-data/', () =>
      HttpResponse.json({ status: 409, code: 'generation_in_progress', detail: '', params: {}, errors: [] }, { status: 409 }),
    ),
  )
  const user = show({ ...PRESENT, state: 'incomplete' })
  await user.click(await screen.findByRole('button', { name: 'Add demo data again' }))
  expect(await screen.findByText(/could not be added\. The process is already running\./)).toBeVisible()
})

test('a removal that fails is told where it was asked for', async () => {
  server.use(
    http.delete('*/api/users/me/demo-data/', () =>
      HttpResponse.json({ status: 503, code: 'temporal_unavailable', detail: '', params: {}, errors: [] }, { status: 503 }),
    ),
  )
  const user = show(PRESENT)
  await user.click(await screen.findByRole('button', { name: 'Remove demo data' }))
  const [, confirm] = await screen.findAllByRole('button', { name: 'Remove demo data', hidden: true })
  await user.click(confirm!)
  expect(await screen.findByText(/The demo data could not be removed\./)).toBeVisible()
})
