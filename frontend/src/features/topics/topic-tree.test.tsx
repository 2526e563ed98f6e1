import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import { startI18n } from '@/i18n'
import { connectClient } from '@/lib/api-client'
import { applyEdit, branchOf, placeOf, type Topics } from './tree-edits'
import { TopicTreePage } from './tree-page'

const topic = (id: string, parent_id: string | null, depth: number, title: string): TopicOut => ({
  id,
  parent_id,
  depth,
  title,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
})

const TREE: Topics = [
  topic('r', null, 0, 'Commuting'),
  topic('w', 'r', 1, 'Weather'),
  topic('w1', 'w', 2, 'Rain'),
  topic('w2', 'w', 2, 'Wind'),
  topic('m', 'r', 1, 'Money'),
  topic('m1', 'm', 2, 'Taxes'),
]

const server = setupServer()
let stored: Topics = TREE
let made = 0
let calls: string[] = []

const detail = () => ({
  id: 'tree',
  name: 'Commuting',
  description: '',
  version: 1,
  topic_count: stored.length,
  used_by: 0,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
  topics: stored,
})

/** The calls of a tree, kept in memory by the same pure functions. */
function serveTree() {
  const deleted = new Map<string, { id: string; branch: Topics; place: NonNullable<ReturnType<typeof placeOf>> }>()
  const note = (request: Request) =>
    calls.push(`${request.method} ${new URL(request.url).pathname.replace('/api/topics/tree/', '')}`)
  server.use(
    http.get('*/api/topics/tree/', () => HttpResponse.json(detail())),
    http.get('*/api/topics/tree/topics/:id/suggestions/', () => HttpResponse.json(null)),
    http.post('*/api/topics/tree/topics/', async ({ request }) => {
      note(request)
      const body = (await request.json()) as { parent_id: string; after_id: string | null; title: string }
      const id = `server-${++made}`
      const place = { parentId: body.parent_id, afterId: body.after_id }
      stored = applyEdit(stored, { kind: 'add', id, title: body.title, place })
      return HttpResponse.json(
        stored.find((one) => one.id === id),
        { status: 201 },
      )
    }),
    http.patch('*/api/topics/tree/topics/:id/', async ({ request, params }) => {
      note(request)
      const changes = (await request.json()) as Partial<TopicOut>
      stored = applyEdit(stored, { kind: 'change', id: String(params.id), changes })
      return HttpResponse.json(stored.find((one) => one.id === params.id))
    }),
    http.post('*/api/topics/tree/topics/:id/move/', async ({ request, params }) => {
      note(request)
      const body = (await request.json()) as { parent_id: string; after_id: string | null }
      const place = { parentId: body.parent_id, afterId: body.after_id }
      stored = applyEdit(stored, { kind: 'move', id: String(params.id), place })
      return HttpResponse.json(detail())
    }),
    http.delete('*/api/topics/tree/topics/:id/', ({ request, params }) => {
      note(request)
      const id = String(params.id)
      const branch = branchOf(stored, id)
      const place = placeOf(stored, id)
      if (place) deleted.set('deletion', { id, branch, place })
      stored = applyEdit(stored, { kind: 'remove', id })
      return HttpResponse.json({ deletion_id: 'deletion', count: branch.length })
    }),
    http.post('*/api/topics/tree/deletions/:id/restore/', ({ request, params }) => {
      note(request)
      const back = deleted.get(String(params.id))
      const deletion = Promise.resolve({ deletion_id: '' })
      if (back) stored = applyEdit(stored, { kind: 'restore', ...back, deletion })
      return HttpResponse.json(detail())
    }),
  )
}

beforeAll(async () => {
  server.listen({ onUnhandledFrame: 'error' })
  connectClient()
  await startI18n()
  await i18next.changeLanguage('en')
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      matches: media.startsWith('(min-width'),
      media,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  )
  Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })
  // the window onto the tree, which jsdom does not lay out
  document.head.append(Object.assign(document.createElement('style'), { textContent: '.tree-scroll { overflow: auto }' }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
})
beforeEach(() => {
  stored = TREE
  made = 0
  calls = []
  serveTree()
})
afterEach(() => {
  server.resetHandlers()
  notifications.clean()
})
afterAll(() => server.close())

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })

async function open(queryClient = client()) {
  const user = userEvent.setup({ delay: null })
  render(
    <QueryClientProvider client={queryClient}>
      <MantineProvider env="test">
        <Notifications />
        <MemoryRouter initialEntries={['/topics?tree=tree']}>
          <ModalsProvider>
            <TopicTreePage treeId="tree" onDeleted={() => undefined} />
          </ModalsProvider>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  const tree = await screen.findByRole('tree', { name: 'Topics of Commuting' })
  await user.click(row('Commuting'))
  tree.focus()
  return { user, tree }
}

const titleOf = (row: HTMLElement | null) => row?.querySelector('[data-part=title]')?.textContent
const names = () => screen.getAllByRole('treeitem').map(titleOf)
const current = (tree: HTMLElement) =>
  titleOf(document.getElementById(tree.getAttribute('aria-activedescendant') ?? ''))
/** By its title and what is said of it. */
const row = (title: string, facts = 'never used') => screen.getByRole('treeitem', { name: `${title}, ${facts}` })
const outline = () => stored.map(({ depth, title }) => '.'.repeat(depth) + title).join(' ')

test('a row says where it stands', async () => {
  await open()
  const rain = row('Rain')
  expect(rain).toHaveAttribute('aria-level', '3')
  expect(rain).toHaveAttribute('aria-posinset', '1')
  expect(rain).toHaveAttribute('aria-setsize', '2')
  expect(rain).not.toHaveAttribute('aria-expanded')
  expect(row('Weather')).toHaveAttribute('aria-expanded', 'true')
})

test('arrows, Home, End and letters go through the tree, left and right close and open it', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(current(tree)).toBe('Rain')
  await user.keyboard('{End}')
  expect(current(tree)).toBe('Taxes')
  await user.keyboard('{ArrowLeft}')
  expect(current(tree)).toBe('Money')
  await user.keyboard('{ArrowLeft}')
  expect(names()).not.toContain('Taxes')
  await user.keyboard('{Home}')
  expect(current(tree)).toBe('Commuting')
  await user.keyboard('wi')
  expect(current(tree)).toBe('Wind')
  await user.keyboard('{End}*')
  expect(names()).toContain('Taxes')
})

test('Enter renames in place, Escape leaves it as it was', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(within(tree).getByRole('textbox', { name: 'Title' })).toHaveFocus()
  await user.keyboard('Any weather{Enter}')
  expect(current(tree)).toBe('Any weather')
  expect(tree).toHaveFocus()
  await waitFor(() => expect(outline()).toContain('.Any weather'))
  await user.keyboard('{F2}Something else{Escape}')
  expect(current(tree)).toBe('Any weather')
  expect(calls).toEqual(['PATCH topics/w/'])
})

test('new topics are added behind and under one another without waiting for the server', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{ArrowDown}{Insert}')
  await user.keyboard('Snow{Control>}{Shift>}{Enter}{/Shift}{/Control}First frost{Control>}{Enter}{/Control}Slush{Enter}')
  expect(current(tree)).toBe('Slush')
  expect(tree).toHaveFocus()
  await waitFor(() =>
    expect(outline()).toBe('Commuting .Weather ..Rain ..Snow ...First frost ...Slush ..Wind .Money ..Taxes'),
  )
  expect(await screen.findByText('Saved')).toBeVisible()
  // the row kept its place and its key when the server named it
  expect(current(tree)).toBe('Slush')
  await user.keyboard('{Shift>}{Insert}{/Shift}{Escape}')
  expect(tree).toHaveFocus()
  expect(names()).toHaveLength(9)
})

test('Alt and arrows move a branch, one after the other in their order, and say where it is', async () => {
  const { user } = await open()
  await user.keyboard('{End}{ArrowLeft}{Alt>}{ArrowUp}{/Alt}')
  expect(names()).toEqual(['Commuting', 'Money', 'Taxes', 'Weather', 'Rain', 'Wind'])
  expect(screen.getByText('Money: now 1 of 2 under Commuting')).toBeInTheDocument()
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(screen.getByText('Money is already the first')).toBeInTheDocument()
  await user.keyboard('{Alt>}{ArrowDown}{ArrowRight}{/Alt}')
  expect(row('Money')).toHaveAttribute('aria-level', '3')
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind ..Money ...Taxes'))
  expect(calls).toEqual(Array(3).fill('POST topics/m/move/'))
  await user.keyboard('{Alt>}{ArrowLeft}{/Alt}')
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind .Money ..Taxes'))
})

test('Delete takes a branch away, and it comes back by the toast or by Ctrl Z', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{Delete}')
  expect(names()).toEqual(['Commuting', 'Money', 'Taxes'])
  expect(current(tree)).toBe('Money')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(names()).toHaveLength(6)
  await waitFor(() => expect(calls).toEqual(['DELETE topics/w/', 'POST deletions/deletion/restore/']))
  tree.focus()
  await user.keyboard('{Delete}{Control>}z{/Control}')
  expect(names()).toHaveLength(6)
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind .Money ..Taxes'))
  await user.keyboard('{Home}{Delete}')
  expect(screen.getByText('The root stays where it is')).toBeInTheDocument()
  expect(names()).toHaveLength(6)
})

test('Space disables a topic, and with it what is under it', async () => {
  const { user } = await open()
  await user.keyboard('{ArrowDown} ')
  expect(row('Weather', 'disabled')).toBeVisible()
  expect(row('Rain', 'disabled above')).toBeVisible()
  await waitFor(() => expect(stored[1]?.enabled).toBe(false))
})

test('everything is in the menu of a row too', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{Shift>}{F10}{/Shift}')
  const menu = await screen.findByRole('menu')
  expect(within(menu).getAllByRole('menuitem').map((item) => item.textContent)).toHaveLength(14)
  await user.click(within(menu).getByRole('menuitem', { name: /Move down/ }))
  await waitFor(() => expect(outline()).toBe('Commuting .Money ..Taxes .Weather ..Rain ..Wind'))
  expect(tree).toHaveFocus()
})

test('Move to… finds the topic under which it goes, never one below itself', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Actions: Weather' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Move to…' }))
  const dialog = await screen.findByRole('dialog')
  const options = () => within(dialog).getAllByRole('option').map((option) => option.firstChild?.textContent)
  await waitFor(() => expect(options()).toEqual(['Commuting', 'Money', 'Taxes']))
  await user.type(within(dialog).getByRole('combobox'), 'tax{Enter}')
  await waitFor(() => expect(outline()).toBe('Commuting .Money ..Taxes ...Weather ....Rain ....Wind'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind .Money ..Taxes'))
})

test('what the server refuses is taken back, and says why', async () => {
  server.use(
    http.post('*/api/topics/tree/topics/:id/move/', () =>
      HttpResponse.json(
        { status: 422, code: 'topic_inside_itself', detail: '', params: {}, errors: [] },
        { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    ),
  )
  const { user } = await open()
  await user.keyboard('{ArrowDown}{Alt>}{ArrowDown}{/Alt}')
  expect(await screen.findByText('Not changed: Weather')).toBeVisible()
  expect(screen.getByText(/cannot be moved below itself/)).toBeVisible()
  await waitFor(() => expect(names()[1]).toBe('Weather'))
})

test('searching shows matches with what stands above them', async () => {
  const { user } = await open()
  await user.type(screen.getByRole('searchbox', { name: 'Find topics' }), 'wIN')
  await waitFor(() => expect(names()).toEqual(['Commuting', 'Weather', 'Wind']))
  expect(screen.getByText('1 match in 6 topics')).toBeVisible()
  expect(screen.getByText('Win', { selector: 'mark' })).toBeVisible()
})

test('notes are saved when the field is left, and kept where the server refuses them', async () => {
  const { user, tree } = await open()
  tree.focus()
  await user.keyboard('{ArrowDown}')
  const notes = await screen.findByRole('textbox', { name: /Notes for the writer/ })
  await user.type(notes, 'Mention the workshop')
  await user.tab()
  await waitFor(() => expect(stored[1]?.notes).toBe('Mention the workshop'))
  server.use(
    http.patch('*/api/topics/tree/topics/:id/', () =>
      HttpResponse.json(
        { status: 422, code: 'invalid_input', detail: '', params: {}, errors: [] },
        { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    ),
  )
  await user.type(notes, ', please')
  await user.tab()
  expect(await screen.findByText(/does not fit here/)).toBeVisible()
  expect(notes).toHaveValue('Mention the workshop, please')
})

test('choosing another topic saves what was typed', async () => {
  const { user, tree } = await open()
  await user.click(row('Wind'))
  await user.type(await screen.findByRole('textbox', { name: /Notes for the writer/ }), 'Headwind')
  await user.click(row('Rain'))
  await waitFor(() => expect(stored[3]?.notes).toBe('Headwind'))
  expect(screen.getByRole('textbox', { name: /Notes for the writer/ })).toHaveValue('')
  expect(current(tree)).toBe('Rain')
})
