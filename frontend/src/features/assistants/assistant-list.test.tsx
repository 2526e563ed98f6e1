import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { AssistantOut } from '@/api/types.gen'
import { held, refuse } from '@/test/answers'
import { anAssistant, aRun } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { AssistantList } from './assistant-list'

const server = startServer()

/** The list at an address; what the server was asked for. */
function open(items: AssistantOut[], at = '/assistants', more: { next_cursor?: string } = {}) {
  const asked: Record<string, string>[] = []
  server.use(
    http.get('*/api/assistants/', ({ request }) => {
      const query = new URL(request.url).searchParams
      if (query.get('page_size') !== '1') asked.push(Object.fromEntries(query))
      const is = (name: string, value: boolean) => query.get(name) === null || query.get(name) === String(value)
      const found = items.filter((one) => is('active', one.active) && is('paused', one.pause !== null))
      return HttpResponse.json({ items: found, next_cursor: more.next_cursor ?? null, total: found.length })
    }),
  )
  return { asked, ...show(<AssistantList />, { at, path: '/assistants' }) }
}

const row = async (name: string) => (await screen.findByRole('link', { name })).closest('tr') as HTMLElement

describe('a row', () => {
  test('names the assistant, its tags, dates and channels', async () => {
    open([anAssistant({ tags: ['tips', 'rain'] })])
    const cells = await row('Cycling tips')
    expect(within(cells).getByRole('link')).toHaveAttribute('href', '/assistants/assistant')
    for (const text of ['tips', 'rain', 'Every day at 09:00', 'Active', 'No run yet']) expect(cells).toHaveTextContent(text)
    expect(within(cells).getByRole('img', { name: 'LinkedIn' })).toBeVisible()
  })

  test('shows a network once, however many accounts it has there', async () => {
    const account = { id: 'a1', kind: 'linkedin', name: 'Mara', state: 'connected' } as const
    open([anAssistant({ accounts: [account, { ...account, id: 'a2' }] })])
    expect(within(await row('Cycling tips')).getAllByRole('img')).toHaveLength(1)
  })

  test('without accounts and dates says so', async () => {
    open([anAssistant({ accounts: [], active: false, schedule: { time_slots: [] } })])
    const cells = await row('Cycling tips')
    for (const text of ['No channel', 'No schedule yet', 'No slot', 'Inactive']) expect(cells).toHaveTextContent(text)
  })

  test.each<[string, Parameters<typeof anAssistant>[0]]>([
    ['in 5 hours', {}],
    ['Complete', { open_run: aRun({ state: 'ready', slot: '2026-11-22T09:00:00Z' }) }],
    ['is being prepared now', { open_run: aRun({ state: 'preparing', slot: '2026-11-22T09:00:00Z' }) }],
    ['is being published now', { open_run: aRun({ state: 'publishing', slot: '2026-11-22T03:59:00Z' }) }],
    // its publishing step has begun, and waits for the slot
    ['Complete', { open_run: aRun({ state: 'publishing', slot: '2026-11-22T04:01:00Z' }) }],
    ['change saved, not in effect yet', { status: { pending_change: true } }],
    ['the schedule has ended', { status: { phase: 'finished', next_slot: null } }],
    ['1 thing missing', { active: false, missing: [{ code: 'invalid_input', field: 'name', params: {} }] }],
    ['drafts only', { mode: 'draft' }],
  ])('says what is most worth knowing: %s', async (text, changes) => {
    itIs('2026-11-22T04:00:00Z')
    open([anAssistant(changes)])
    expect(await row('Cycling tips')).toHaveTextContent(text)
  })

  const since = '2026-11-22T03:00:00Z'
  test.each<[string, string, AssistantOut['pause']]>([
    ['Paused', 'Paused', { since, until: null, reason: null }],
    ['Paused until tomorrow at 8:00', 'Paused', { since, until: '2026-11-23T08:00:00Z', reason: null }],
    ['PausedThe credit for the language or image model', 'Paused automatically', { since, until: null, reason: 'model_out_of_credit' }],
  ])('of one that pauses: %s', async (next, badge, pause) => {
    itIs('2026-11-22T04:00:00Z')
    // what its workflow said before it heard of the pause
    open([anAssistant({ pause, status: { next_slot: '2026-11-22T09:00:00Z' } })])
    const cells = await row('Cycling tips')
    expect(cells).toHaveTextContent(next)
    expect(cells.querySelector('.status[data-status=complete], .status[data-status=failed]')).toHaveTextContent(badge)
    expect(cells).not.toHaveTextContent('09:00, ')
  })

  test('of one that pauses still names what is prepared', async () => {
    itIs('2026-11-22T04:00:00Z')
    const open_run = aRun({ state: 'ready', slot: '2026-11-22T09:00:00Z' })
    open([anAssistant({ open_run, pause: { since, until: null, reason: null } })])
    expect(await row('Cycling tips')).toHaveTextContent('Complete')
  })

  test.each(['ready', 'waiting'] as const)('of one that paused itself names no time that is past (%s)', async (state) => {
    itIs('2026-11-22T04:00:00Z')
    const open_run = aRun({ state, slot: '2026-11-22T03:17:00Z' })
    open([anAssistant({ open_run, pause: { since, until: null, reason: 'model_out_of_credit' } })])
    const cell = (await row('Cycling tips')).querySelector('.plan-cell')
    expect(cell).toHaveTextContent(/^PausedThe credit for the language or image model/)
  })

  test('names when the prepared post goes out, not when its run was asked for', async () => {
    itIs('2026-11-22T04:00:00Z')
    open([anAssistant({ open_run: aRun({ state: 'waiting', slot: '2026-11-22T03:50:00Z', planned_at: '2026-11-23T03:50:00Z' }) })])
    expect(await row('Cycling tips')).toHaveTextContent('Mon 23 Nov, ')
  })

  test('of a post that was started manually and goes out when it is approved names no time but the deadline', async () => {
    itIs('2026-11-22T04:00:00Z')
    const waits = { state: 'waiting', by_hand: true, planned_at: '2026-11-23T03:50:00Z', decide_until: '2026-11-23T03:49:30Z' } as const
    open([anAssistant({ open_run: aRun(waits) })])
    const cell = (await row('Cycling tips')).querySelector('.plan-cell')
    expect(cell).toHaveTextContent(/^Once you approveby Mon 23 Nov, 03:49$/)
  })

  test('that is not written before an account is connected again says so', async () => {
    itIs('2026-11-22T04:00:00Z')
    const accounts = [{ id: 'account', kind: 'linkedin', name: 'Mara Lind', state: 'needs_reconnecting' }] as const
    const held = { accounts: [...accounts], open_run: aRun({ state: 'preparing', slot: '2026-11-22T09:00:00Z' }) }
    const writer = { id: 'writer', name: 'Journal', website: { id: 'website', name: 'Lindhof Journal' } }
    open([anAssistant(held), anAssistant({ ...held, ...writer })])
    expect(await row('Cycling tips')).toHaveTextContent('needs a new login')
    expect(await row('Journal')).toHaveTextContent('needs a new login')
  })

  test('of one that is being started says so', async () => {
    open([anAssistant({ status: { phase: 'activating' } })])
    expect(await row('Cycling tips')).toHaveTextContent('Activating')
  })

  test('shows the run under way rather than the last one', async () => {
    open([anAssistant({ open_run: aRun({ state: 'preparing' }), last_run: aRun({ state: 'failed' }) })])
    const cells = await row('Cycling tips')
    expect(cells).toHaveTextContent('Preparing')
    expect(cells).not.toHaveTextContent('Failed')
  })

  test('is German in German', async () => {
    await speak('de')
    open([anAssistant()])
    expect(await row('Cycling tips')).toHaveTextContent('Jeden Tag um 9:00 Uhr')
  })
})

describe('filters', () => {
  const both = [anAssistant(), anAssistant({ id: 'other', name: 'Old news', active: false })]

  test('count what they show', async () => {
    const pause = { since: '2026-11-22T03:00:00Z', until: null, reason: null }
    open([...both, anAssistant({ id: 'resting', name: 'Rests', pause })])
    await row('Cycling tips')
    expect(await screen.findByRole('button', { name: 'All 3' })).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('button', { name: 'Active 1' })).toHaveAttribute('aria-pressed', 'false')
    expect(await screen.findByRole('button', { name: 'Paused 1' })).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Inactive 1' })).toBeVisible()
    expect(screen.getByText('3 assistants')).toBeVisible()
  })

  test('stand in the address, begin at the first page, and are asked of the server', async () => {
    const { user, asked, address } = open(both, '/assistants?cursor=abc')
    await user.click(await screen.findByRole('button', { name: /^Inactive/ }))
    await waitFor(() => expect(address()).toBe('/assistants?state=inactive'))
    await waitFor(() => expect(asked.at(-1)).toEqual({ active: 'false' }))
    expect(await row('Old news')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Cycling tips' })).toBeNull())
  })

  test('come from the address, and nonsense there is none', async () => {
    const { asked } = open(both, '/assistants?state=sleeping&search=tips')
    await row('Cycling tips')
    expect(asked[0]).toEqual({ search: 'tips' })
    expect(screen.getByRole('searchbox', { name: 'Search name or tag' })).toHaveValue('tips')
  })

  test('that find nothing say what was looked for, and can be cleared', async () => {
    const { user, address } = open([], '/assistants?search=zebra')
    expect(await screen.findByRole('status')).toHaveTextContent('No assistant mentions “zebra”.')
    await user.click(screen.getByRole('link', { name: 'Clear' }))
    await waitFor(() => expect(address()).toBe('/assistants'))
  })

  test('on a state that none is in say so', async () => {
    open([anAssistant()], '/assistants?state=inactive')
    expect(await screen.findByText('No assistant has this status.')).toBeVisible()
  })

  test('search once the typing rests', async () => {
    const { user, asked, address } = open(both)
    await user.type(await screen.findByRole('searchbox'), 'news')
    await waitFor(() => expect(address()).toBe('/assistants?search=news'))
    await waitFor(() => expect(asked.filter(({ search }) => search).map(({ search }) => search)).toEqual(['news']))
  })

  test('keep their place on the next pages', async () => {
    open(both, '/assistants?state=active&cursor=abc', { next_cursor: 'def' })
    const pages = within(await screen.findByRole('navigation', { name: 'Pages' }))
    expect(pages.getByRole('link', { name: 'Newest' })).toHaveAttribute('href', '/assistants?state=active')
    expect(pages.getByRole('link', { name: 'Older' })).toHaveAttribute('href', '/assistants?state=active&cursor=def')
  })
})

test('without any there are two ways to begin', async () => {
  server.use(http.get('*/api/accounts/', () => HttpResponse.json([])))
  open([])
  expect(await screen.findByRole('heading', { name: 'No assistants yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Create an assistant' })).toHaveAttribute('href', '/assistants?new')
  expect(await screen.findByRole('link', { name: 'Connect an account first' })).toHaveAttribute('href', '/account')
})

test('who has an account is not told to connect one first', async () => {
  let answered = 0
  server.use(
    http.get('*/api/accounts/', () => {
      answered += 1
      return HttpResponse.json([{ id: 'a', kind: 'linkedin', name: 'Mara', state: 'connected' }])
    }),
  )
  open([])
  await screen.findByRole('heading', { name: 'No assistants yet' })
  await waitFor(() => expect(answered).toBe(1))
  expect(screen.queryByRole('link', { name: 'Connect an account first' })).toBeNull()
})

test('what could not be loaded says so, and is asked for again', async () => {
  let calls = 0
  server.use(
    http.get('*/api/assistants/', () => {
      calls += 1
      return calls <= 3 ? refuse(500, 'internal') : HttpResponse.json({ items: [anAssistant()], next_cursor: null, total: 1 })
    }),
  )
  const { user } = show(<AssistantList />)
  expect(await screen.findByRole('alert')).toHaveTextContent('Assistants could not be loaded')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await row('Cycling tips')).toBeVisible()
})

describe('the switch', () => {
  const sleeping = anAssistant({ active: false, status: { phase: 'inactive' } })
  const toggle = () => screen.findByRole('switch', { name: 'Active: Cycling tips' })

  test('shows the new state at once, and what the server made of it', async () => {
    const { until, letGo } = held()
    const { user } = open([sleeping])
    server.use(
      http.post('*/api/assistants/assistant/activate/', async () => {
        await until
        return HttpResponse.json({ assistant: anAssistant(), confirmed: true })
      }),
    )
    await user.click(await toggle())
    expect(await toggle()).toBeChecked()
    expect(await row('Cycling tips')).toHaveTextContent('Activating')
    expect(await toggle()).toBeEnabled()
    server.use(http.get('*/api/assistants/', () => HttpResponse.json({ items: [anAssistant()], next_cursor: null, total: 1 })))
    letGo()
    await waitFor(async () => expect(within(await row('Cycling tips')).getByText('Active')).toBeVisible())
  })

  test('goes back when the server refuses, and says why', async () => {
    const { user } = open([sleeping])
    server.use(http.post('*/api/assistants/assistant/activate/', () => refuse(500, 'internal')))
    await user.click(await toggle())
    expect(await screen.findByText(/^The status of “Cycling tips” could not be changed\. An error occurred/)).toBeVisible()
    await waitFor(async () => expect(await toggle()).not.toBeChecked())
  })

  test('of one that lacks something lists that, each with its way', async () => {
    const { user } = open([sleeping])
    server.use(
      http.post('*/api/assistants/assistant/activate/', () =>
        refuse(422, 'assistant_incomplete', { errors: [{ field: 'topic_tree_id', code: 'topic_tree_empty' }] }),
      ),
    )
    await user.click(await toggle())
    const dialog = within(await screen.findByRole('dialog', { name: 'Assistant cannot be activated yet' }))
    expect(dialog.getByRole('link')).toHaveAttribute('href', '/topics')
    await waitFor(async () => expect(await toggle()).not.toBeChecked())
    await user.click(dialog.getByRole('link'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('without a background service says that it takes effect later', async () => {
    const { user } = open([anAssistant()])
    server.use(
      http.post('*/api/assistants/assistant/deactivate/', () =>
        HttpResponse.json({ assistant: anAssistant({ active: false }), confirmed: false }),
      ),
    )
    await user.click(await toggle())
    expect(await screen.findByText('Saved. The change takes effect when the background service is back.')).toBeVisible()
  })
})
