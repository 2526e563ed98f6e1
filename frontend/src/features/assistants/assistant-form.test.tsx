import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AssistantIn, AssistantOut } from '@/api/types.gen'
import { sessionName } from '@/lib/token'
import { startServer } from '@/test/server'
import { AssistantForm, draftName } from './assistant-form'

const made = (name: string, version: number): AssistantOut => ({
  id: 'assistant',
  name,
  tags: [],
  mode: 'draft',
  language: 'en',
  accounts: [],
  image_source: 'none',
  image_template: null,
  lead_minutes: 15,
  last_run: null,
  missing: [],
  open_run: null,
  pick_from: 'leaves',
  schedule: {
    frequency: 'weekly',
    time_zone: 'Europe/Berlin',
    time_slots: [],
    days_of_week: [],
    days_of_month: [],
    month_end: 'last_day',
    every_days: null,
    start_date: null,
    end_date: null,
    cron: null,
  },
  status: {
    phase: 'inactive',
    applied_version: 1,
    as_of: '2026-11-20T12:00:00Z',
    next_slot: null,
    next_start: null,
    pending_change: false,
  },
  strategy: 'least_recent',
  template: null,
  topic_tree_id: null,
  topic_tree_name: null,
  active: false,
  variables: {},
  version,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
})

const assistant = made('Tips', 1)

const server = startServer()
const page = () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })
let sent: AssistantIn[]
let letGo: () => void
let readKept: (id: string | null) => unknown

beforeEach(() => {
  sent = []
  const held = new Promise<void>((go) => (letGo = go))
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([])),
    http.get('*/api/channels/', () => HttpResponse.json([])),
    http.get('*/api/topics/', page),
    http.get('*/api/templates/', page),
    http.post('*/api/schedules/preview/', () => HttpResponse.json({ errors: [], occurrences: [] })),
    http.put('*/api/assistants/assistant/', async ({ request }) => {
      sent.push((await request.json()) as AssistantIn)
      await held
      return HttpResponse.json({ assistant: made(sent[0]!.name, 2), confirmed: true })
    }),
    http.post('*/api/assistants/', async ({ request }) => {
      sent.push((await request.json()) as AssistantIn)
      await held
      return HttpResponse.json(made(sent[0]!.name, 1), { status: 201 })
    }),
  )
})


function show(of: AssistantOut | null) {
  const onSaved = vi.fn()
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  readKept = (id) => queryClient.getQueryData(['draft', sessionName(), draftName(id)])
  render(
    <QueryClientProvider client={queryClient}>
      <MantineProvider env="test">
        <Notifications />
        <MemoryRouter>
          <AssistantForm assistant={of} onSaved={onSaved} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { user: userEvent.setup({ delay: null }), onSaved }
}

test('what is typed while it is being saved stays, over the new version', async () => {
  const { user, onSaved } = show(assistant)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.type(name, ' for winter')
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(sent).toHaveLength(1))
  await user.type(name, ' days')
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(name).toHaveValue('Tips for winter days')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
  expect(readKept('assistant')).toMatchObject({ values: { name: 'Tips for winter days' }, version: 2 })
})

test('a new one is made once, and what is typed meanwhile is kept for its form', async () => {
  const { user, onSaved } = show(null)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.type(name, 'Tips')
  const form = name.closest('form')!
  fireEvent.submit(form)
  fireEvent.submit(form)
  await waitFor(() => expect(sent).toHaveLength(1))
  await user.type(name, ' for winter')
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(sent).toHaveLength(1)
  expect(readKept('assistant')).toMatchObject({ values: { name: 'Tips for winter' }, version: 1 })
  expect(readKept(null)).toBeUndefined()
})

/** One of each, as after the steps before. */
function withOneOfEach() {
  server.use(
    http.get('*/api/accounts/', () =>
      HttpResponse.json([{ id: 'account', kind: 'linkedin', name: 'Mara Lind', state: 'connected' }]),
    ),
    http.get('*/api/topics/', () =>
      HttpResponse.json({ items: [{ id: 'tree', name: 'Commuting', topic_count: 3 }], next_cursor: null, total: 1 }),
    ),
    http.get('*/api/templates/', ({ request }) => {
      const texts = new URL(request.url).searchParams.get('type') === 'text'
      const items = texts ? [{ id: 'template', version_id: 'version', name: 'Practical tip', version: 1 }] : []
      return HttpResponse.json({ items, next_cursor: null, total: items.length })
    }),
    http.post('*/api/templates/preview/', () => HttpResponse.json({ variables: [], reserved: [], errors: [], needs: [], longest: 0, limit: 100_000 })),
    http.post('*/api/templates/*/check/', () => HttpResponse.json({ variables: [], reserved: [], errors: [], needs: [] })),
  )
}

test('where there is one of each, a new one is complete at once and goes on to work', async () => {
  withOneOfEach()
  const { user, onSaved } = show(null)
  await user.click(await screen.findByRole('button', { name: 'Save and activate' }))
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(expect.anything(), true))
  expect(sent[0]).toMatchObject({
    name: 'Commuting',
    topic_tree_id: 'tree',
    template_version_id: 'version',
    account_ids: ['account'],
    schedule: { frequency: 'weekly', days_of_week: [1, 2, 3, 4, 5], time_slots: ['09:00'] },
  })
})

test('what is not complete is saved only, and saving it does not activate', async () => {
  const { user, onSaved } = show(null)
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Tips')
  expect(screen.queryByRole('button', { name: 'Save and activate' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save assistant' }))
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(expect.anything(), false))
})
