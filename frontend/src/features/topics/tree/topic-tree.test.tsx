import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { SuggestionOut, TopicOut } from '@/api/types.gen'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { applyEdit, branchOf, placeOf, type Edit, type Topics } from './tree-edits'
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
  link: '',
})

const TREE: Topics = [
  topic('r', null, 0, 'Commuting'),
  topic('w', 'r', 1, 'Weather'),
  topic('w1', 'w', 2, 'Rain'),
  topic('w2', 'w', 2, 'Wind'),
  topic('m', 'r', 1, 'Money'),
  topic('m1', 'm', 2, 'Taxes'),
]

const server = startServer()
let stored: Topics = TREE
let made = 0
let calls: string[] = []
let rounds: SuggestionOut[] = []

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
    http.get('*/api/topics/tree/suggestions/', () => HttpResponse.json(rounds)),
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
      const { notes_before, ...changes } = (await request.json()) as Partial<TopicOut> & { notes_before?: string }
      const now = stored.find(({ id }) => id === params.id)?.notes
      if (changes.notes !== undefined && ![undefined, now, changes.notes].includes(notes_before?.trim()))
        return HttpResponse.json(
          { status: 409, code: 'stale_version', detail: '', params: {}, errors: [] },
          { status: 409, headers: { 'Content-Type': 'application/problem+json' } },
        )
      changes.notes = changes.notes?.trim() ?? now
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

beforeAll(() => {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      matches: media.startsWith('(min-width'),
      media,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  )
  // the window onto the tree, which jsdom does not lay out
  document.head.append(Object.assign(document.createElement('style'), { textContent: '.tree-scroll { overflow: auto }' }))
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
})
beforeEach(() => {
  stored = TREE
  made = 0
  calls = []
  rounds = []
  serveTree()
})

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })

async function open(queryClient = client()) {
  const user = userEvent.setup({ delay: null })
  render(
    <Providers queryClient={queryClient}>
      <Notifications />
      <MemoryRouter initialEntries={['/topics?tree=tree']}>
        <Questions>
          <TopicTreePage treeId="tree" onDeleted={() => undefined} />
        </Questions>
      </MemoryRouter>
    </Providers>,
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
  // both letters at one moment: on a busy machine the second one would begin another title
  const pressed = vi.spyOn(Event.prototype, 'timeStamp', 'get').mockReturnValue(60_000)
  await user.keyboard('wi')
  pressed.mockRestore()
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

test('the Enter that ends a word of an input method goes on with the title', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{Enter}Regen')
  const field = within(tree).getByRole('textbox', { name: 'Title' })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(field).toHaveFocus()
  expect(calls).toEqual([])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(outline()).toContain('.Regen'))
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
  expect(screen.getByText('Money is already the first topic')).toBeInTheDocument()
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
  expect(screen.getByText('The root topic cannot be moved')).toBeInTheDocument()
  expect(names()).toHaveLength(6)
})

test('Ctrl Z takes back what was done last, then what was done before, and Ctrl Y does it again', async () => {
  const { user, tree } = await open()
  // Money goes, and Weather gets a wrong name
  await user.keyboard('{End}{ArrowLeft}{Delete}')
  const offer = await screen.findByRole('button', { name: 'Undo' })
  await user.keyboard('{Home}{ArrowDown}{F2}Wether{Enter} ')
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}{ArrowDown}{ArrowDown}{Alt>}{ArrowUp}{/Alt}')
  expect(names()).toEqual(['Commuting', 'Wether', 'Wind', 'Rain'])
  await user.keyboard('{Control>}z{/Control}')
  expect(names()).toEqual(['Commuting', 'Wether', 'Rain', 'Wind'])
  await user.keyboard('{Control>}z{/Control}')
  expect(row('Wether')).toBeVisible() // enabled again
  await user.keyboard('{Control>}z{/Control}')
  expect(names()).toEqual(['Commuting', 'Weather', 'Rain', 'Wind'])
  expect(current(tree)).toBe('Weather')
  expect(offer).toBeInTheDocument()
  await user.keyboard('{Control>}z{/Control}')
  expect(names()).toContain('Taxes')
  expect(current(tree)).toBe('Money')
  expect(tree).toHaveFocus()
  await waitFor(() => expect(offer).not.toBeInTheDocument())
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind .Money ..Taxes'))
  await user.keyboard('{Control>}z{/Control}')
  expect(screen.getByText('Nothing to undo')).toBeInTheDocument()
  await user.keyboard('{Control>}y{/Control}{Control>}{Shift>}z{/Shift}{/Control}')
  expect(names()).toEqual(['Commuting', 'Wether', 'Rain', 'Wind'])
  await waitFor(() => expect(outline()).toBe('Commuting .Wether ..Rain ..Wind'))
})

test('Ctrl Z also takes back what was done beside the tree, and a new topic', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{Insert}Snow{Enter}')
  await user.click(row('Wind'))
  await user.click(await screen.findByRole('switch', { name: 'Enabled' }))
  expect(row('Wind', 'disabled')).toBeVisible()
  await user.keyboard('{Control>}z{/Control}')
  expect(row('Wind')).toBeVisible()
  expect(tree).toHaveFocus()
  const title = await screen.findByRole('textbox', { name: 'Title' })
  await user.clear(title)
  await user.type(title, 'Gale{Enter}')
  expect(names()).toContain('Gale')
  // in a field the browser's own undo counts
  await user.keyboard('{Control>}z{/Control}')
  expect(names()).toContain('Gale')
  tree.focus()
  await user.keyboard('{Control>}z{/Control}')
  expect(names()).toContain('Wind')
  await user.keyboard('{Control>}z{/Control}')
  expect(names()).not.toContain('Snow')
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind .Money ..Taxes'))
})

test('the offer to undo goes to the topic that is back', async () => {
  const { user, tree } = await open()
  await user.keyboard('{ArrowDown}{Delete}')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(current(tree)).toBe('Weather')
  expect(tree).toHaveFocus()
})

test('Space disables a topic, and with it what is under it', async () => {
  const { user } = await open()
  await user.keyboard('{ArrowDown} ')
  expect(row('Weather', 'disabled')).toBeVisible()
  expect(row('Rain', 'parent disabled')).toBeVisible()
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
  // the last thing that is told is no success
  expect(await screen.findByText('Not everything was saved')).toBeVisible()
  expect(screen.queryByText('Saved')).not.toBeInTheDocument()
})

const missing = () =>
  HttpResponse.json(
    { status: 404, code: 'not_found', detail: '', params: {}, errors: [] },
    { status: 404, headers: { 'Content-Type': 'application/problem+json' } },
  )

test('a tree that another tab has deleted says so, and its lines can be kept', async () => {
  const { user } = await open()
  server.use(
    http.get('*/api/topics/tree/', missing),
    http.patch('*/api/topics/tree/topics/:id/', missing),
  )
  await user.keyboard('{ArrowDown} ')
  expect(await screen.findByText('This topic tree no longer exists')).toBeVisible()
  expect(screen.queryByRole('tree')).not.toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Show all topic trees' })).toHaveAttribute('href', '/topics')
  await user.click(screen.getByRole('button', { name: 'Copy all lines' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  expect(screen.getByLabelText('Lines').textContent).toBe(
    '- Commuting\n-- Weather\n--- Rain\n--- Wind\n-- Money\n--- Taxes\n',
  )
})

/** As another tab does it. */
const elsewhere = async (queryClient: QueryClient, edit: Edit) => {
  stored = applyEdit(stored, edit)
  await act(() => queryClient.invalidateQueries())
}

test('a title that is typed while another tab deletes its topic stays to be copied', async () => {
  const queryClient = client()
  const { user } = await open(queryClient)
  await user.keyboard('{ArrowDown}{F2}Rain and snow')
  await elsewhere(queryClient, { kind: 'remove', id: 'w' })
  expect(await screen.findByText('This topic no longer exists')).toBeVisible()
  expect(screen.getByText('Rain and snow')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Copy' })).toBeVisible()
  notifications.clean()
  await user.click(row('Taxes'))
  const notes = await screen.findByRole('textbox', { name: /Notes for the AI/ })
  await user.type(notes, 'Receipts')
  await elsewhere(queryClient, { kind: 'remove', id: 'm1' })
  expect(await screen.findByText('Receipts', { selector: '.lost-text *' })).toBeVisible()
  expect(stored[0]?.notes).toBe('')
})

test('a title that is typed for a topic whose deletion has not come here yet stays too', async () => {
  const { user } = await open()
  stored = applyEdit(stored, { kind: 'remove', id: 'w' })
  server.use(http.patch('*/api/topics/tree/topics/:id/', missing))
  await user.keyboard('{ArrowDown}{F2}Rain and snow{Enter}')
  expect(await screen.findByText('This topic no longer exists')).toBeVisible()
  expect(screen.getByText('Rain and snow', { selector: '.lost-text *' })).toBeVisible()
  await waitFor(() => expect(names()).toEqual(['Commuting', 'Money', 'Taxes']))
})

test('notes of two tabs stand side by side until a person chooses', async () => {
  const queryClient = client()
  const { user, tree } = await open(queryClient)
  await user.keyboard('{ArrowDown}')
  const notes = await screen.findByRole('textbox', { name: /Notes for the AI/ })
  await user.type(notes, 'Mine')
  await elsewhere(queryClient, { kind: 'change', id: 'w', changes: { notes: 'Theirs' } })
  expect(await screen.findByLabelText('Saved notes')).toHaveTextContent('Theirs')
  await user.tab()
  tree.focus()
  expect(notes).toHaveValue('Mine')
  expect(calls).toEqual([])
  // they are kept while another topic is looked at
  await user.click(row('Rain'))
  await user.click(row('Weather'))
  const again = await screen.findByRole('textbox', { name: /Notes for the AI/ })
  await waitFor(() => expect(again).toHaveValue('Mine'))
  await user.click(screen.getByRole('button', { name: 'Save my notes' }))
  await waitFor(() => expect(stored[1]?.notes).toBe('Mine'))
  expect(screen.queryByLabelText('Saved notes')).not.toBeInTheDocument()
  await user.type(again, ' and more')
  await elsewhere(queryClient, { kind: 'change', id: 'w', changes: { notes: 'Newest' } })
  await user.click(await screen.findByRole('button', { name: 'Use saved notes' }))
  expect(again).toHaveValue('Newest')
  expect(stored[1]?.notes).toBe('Newest')
})

test('notes that another tab saved unseen are not written over', async () => {
  const { user } = await open()
  await user.keyboard('{ArrowDown}')
  const notes = await screen.findByRole('textbox', { name: /Notes for the AI/ })
  await user.type(notes, 'Mine')
  stored = applyEdit(stored, { kind: 'change', id: 'w', changes: { notes: 'Theirs' } })
  await user.tab()
  expect(await screen.findByLabelText('Saved notes')).toHaveTextContent('Theirs')
  expect([notes.textContent, stored[1]?.notes]).toEqual(['Mine', 'Theirs'])
})

test('typing goes on while it is saved, and that is no other tab', async () => {
  const queryClient = client()
  const { user } = await open(queryClient)
  await user.keyboard('{ArrowDown}')
  const notes = await screen.findByRole('textbox', { name: /Notes for the AI/ })
  await user.type(notes, 'One ')
  await waitFor(() => expect(stored[1]?.notes).toBe('One'))
  await user.type(notes, 'two')
  await act(() => queryClient.invalidateQueries())
  expect(screen.queryByLabelText('Saved notes')).not.toBeInTheDocument()
  await user.tab()
  await waitFor(() => expect(stored[1]?.notes).toBe('One two'))
})

test('searching shows matches with what stands above them', async () => {
  const { user } = await open()
  await user.type(screen.getByRole('searchbox', { name: 'Find topics' }), 'wIN')
  // rows and count follow what is typed, each in its time; the first letters find more
  await waitFor(() => {
    expect(screen.getByText('Win', { selector: 'mark' })).toBeVisible()
    expect(screen.getByText('1 match in 6 topics')).toBeVisible()
    expect(names()).toEqual(['Commuting', 'Weather', 'Wind'])
  })
})

test('notes are saved when the field is left, and kept where the server refuses them', async () => {
  const { user, tree } = await open()
  tree.focus()
  await user.keyboard('{ArrowDown}')
  const notes = await screen.findByRole('textbox', { name: /Notes for the AI/ })
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
  expect(await screen.findByText(/is not valid here/)).toBeVisible()
  expect(notes).toHaveValue('Mention the workshop, please')
})

test('choosing another topic saves what was typed', async () => {
  const { user, tree } = await open()
  await user.click(row('Wind'))
  await user.type(await screen.findByRole('textbox', { name: /Notes for the AI/ }), 'Headwind')
  await user.click(row('Rain'))
  await waitFor(() => expect(stored[3]?.notes).toBe('Headwind'))
  expect(screen.getByRole('textbox', { name: /Notes for the AI/ })).toHaveValue('')
  expect(current(tree)).toBe('Rain')
})

const offering = (topic_id: string, titles: string[], more: Partial<SuggestionOut> = {}): SuggestionOut => ({
  id: `round-${topic_id}`,
  topic_id,
  wanted: 3,
  language: 'en',
  state: 'succeeded',
  attempt: 1,
  reason: null,
  titles: titles.map((title, index) => ({ index, title, state: 'open' })),
  provider: 'demo',
  model: 'demo',
  input_tokens: 1,
  output_tokens: 1,
  cost_micros: 0,
  currency: 'USD',
  created_at: '2026-11-21T12:00:00Z',
  finished_at: '2026-11-21T12:00:01Z',
  ...more,
})

/** As the server does it: an accepted title is the last child of its topic. */
function serveDecisions() {
  server.use(
    http.post('*/api/topics/tree/suggestions/:round/:what/', async ({ request, params }) => {
      const { index } = (await request.json()) as { index: number }
      calls.push(`${String(params.what)} ${index}`)
      const round = rounds.find(({ id }) => id === params.round)!
      if (params.what !== 'accept') return HttpResponse.json(round)
      const id = `server-${++made}`
      const siblings = stored.filter(({ parent_id }) => parent_id === round.topic_id)
      const place = { parentId: round.topic_id, afterId: siblings.at(-1)?.id ?? null }
      stored = applyEdit(stored, { kind: 'add', id, title: round.titles[index]!.title, place })
      return HttpResponse.json(stored.find((one) => one.id === id))
    }),
  )
}

const texts = () => screen.getAllByRole('treeitem').map((item) => item.getAttribute('aria-label')?.replace(', never used', ''))

test('suggestions stand in the tree behind the children of their topics, and hide with them', async () => {
  rounds = [offering('w', ['Fog', 'Heat']), offering('m1', ['Company bikes'])]
  const { user } = await open()
  await waitFor(() =>
    expect(texts()).toEqual([
      'Commuting', 'Weather', 'Rain', 'Wind', 'Suggestion: Fog', 'Suggestion: Heat',
      'Money', 'Taxes', 'Suggestion: Company bikes',
    ]),
  )
  const fog = screen.getByRole('treeitem', { name: 'Suggestion: Fog' })
  expect(fog).toHaveAttribute('aria-level', '3')
  expect(row('Taxes')).toHaveAttribute('aria-expanded', 'true')
  await user.keyboard('{ArrowDown}{ArrowLeft}')
  expect(texts()).toEqual(['Commuting', 'Weather, +2, 2 suggestions', 'Money', 'Taxes', 'Suggestion: Company bikes'])
})

test('suggestions are kept and discarded one by one by keyboard', async () => {
  rounds = [offering('w', ['Fog', 'Heat', 'Hail'])]
  serveDecisions()
  const { user, tree } = await open()
  await waitFor(() => expect(texts()).toContain('Suggestion: Fog'))
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(current(tree)).toBe('Fog')
  // beside the tree stands the topic that they are for
  expect(await screen.findByText('3 suggestions are in the tree, under this topic.')).toBeVisible()
  await user.keyboard('{Enter}')
  expect(screen.getByText('Fog was added')).toBeInTheDocument()
  expect(current(tree)).toBe('Heat')
  await user.keyboard('{Delete}')
  expect(current(tree)).toBe('Hail')
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind ..Fog .Money ..Taxes'))
  await user.keyboard('{Enter}')
  // the last one takes the person along into the tree
  expect(current(tree)).toBe('Hail')
  expect(row('Hail')).toHaveAttribute('aria-selected', 'true')
  await waitFor(() => expect(calls.toSorted()).toEqual(['accept 0', 'accept 2', 'dismiss 1']))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(calls).toContain('restore 1'))
})

test('two clicks in one moment ask, keep and import once', async () => {
  rounds = [offering('w', ['Fog', 'Heat'])]
  serveDecisions()
  server.use(
    http.post('*/api/topics/tree/topics/:id/suggestions/', ({ params }) => {
      calls.push(`ask ${String(params.id)}`)
      return HttpResponse.json(offering('r', [], { state: 'queued' }), { status: 202 })
    }),
  )
  await open()
  const keep = await screen.findByRole('button', { name: 'Keep Heat' })
  const ask = screen.getByRole('button', { name: 'Suggest subtopics' })
  act(() => {
    fireEvent.click(keep)
    fireEvent.click(keep)
    fireEvent.submit(ask.closest('form')!)
    fireEvent.submit(ask.closest('form')!)
  })
  expect(await screen.findByText('Waiting for the background service', { selector: '.suggest-state *' })).toBeVisible()
  await waitFor(() => expect(outline()).toContain('Heat'))
  expect(calls).toEqual(expect.arrayContaining(['accept 1', 'ask r']))
  expect(calls).toHaveLength(2)
})

test('a click decides too, and leaves the chosen topic as it is', async () => {
  rounds = [offering('w', ['Fog', 'Heat'])]
  serveDecisions()
  const { user, tree } = await open()
  await user.click(await screen.findByRole('button', { name: 'Keep Heat' }))
  expect(current(tree)).toBe('Commuting')
  expect(tree).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Discard Fog' }))
  await waitFor(() => expect(outline()).toBe('Commuting .Weather ..Rain ..Wind ..Heat .Money ..Taxes'))
  expect(texts()).not.toContain('Suggestion: Fog')
})

test('a round at work and one that failed say so in the tree, and the latter is asked again or put away', async () => {
  rounds = [
    offering('w', [], { state: 'running' }),
    offering('m', [], { state: 'failed', reason: 'model_unavailable', wanted: 4, language: 'de' }),
  ]
  const asked: unknown[] = []
  server.use(
    http.post('*/api/topics/tree/topics/:id/suggestions/', async ({ request, params }) => {
      asked.push([params.id, await request.json()])
      rounds = [offering('m', [], { id: 'next', state: 'queued' })]
      return HttpResponse.json(rounds[0], { status: 202 })
    }),
  )
  const { user, tree } = await open()
  expect(await screen.findByRole('treeitem', { name: 'Generating subtopics' })).toBeVisible()
  const failed = screen.getByRole('treeitem', { name: /^Failed: The model/ })
  await user.keyboard('{End}')
  expect(tree).toHaveAttribute('aria-activedescendant', failed.id)
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('treeitem', { name: 'Waiting for the background service' })).toBeVisible()
  expect(asked).toEqual([['m', { wanted: 4, language: 'de' }]])
  expect(current(tree)).toBe('Money')
})
