import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AssistantLiveOut, AssistantOut, RunState } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { setLiveState } from '@/lib/live-state'
import { refuse } from '@/test/answers'
import { aLive, anAssistant, aRun, aRunDetail } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { LiveOverview } from './live-overview'

const server = startServer()
const SLOT = '2026-11-22T09:00:00Z'
const NOW = '2026-11-21T08:50:00Z'

beforeEach(() => setLiveState({ status: 'live' }))

interface Asked {
  deed: string
  body: unknown
  query: string
}

/** The live page and what it asked for; `answers` by the last part of the address. */
function open(live: AssistantLiveOut, answers: Record<string, () => Response> = {}) {
  itIs(NOW)
  const asked: Asked[] = []
  server.use(
    http.get('*/api/assistants/assistant/live/', () => HttpResponse.json(live)),
    http.get('*/api/assistants/assistant/runs/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0, counts: {} })),
    http.post('*/api/assistants/assistant/:deed/', async ({ request, params }) => {
      const text = await request.text()
      const deed = String(params.deed)
      asked.push({ deed, body: text ? JSON.parse(text) : null, query: new URL(request.url).search })
      return answers[deed]?.() ?? HttpResponse.json({ assistant: live.assistant, confirmed: true })
    }),
  )
  const shown = show(
    <TimeZoneContext value="UTC">
      <LiveOverview assistantId="assistant" />
    </TimeZoneContext>,
  )
  return { ...shown, asked }
}

const pausedBy = (changes: Partial<NonNullable<AssistantOut['pause']>> = {}) =>
  anAssistant({
    pause: { since: '2026-11-21T08:00:00Z', until: null, reason: null, ...changes },
    status: { phase: 'paused', next_slot: null, next_start: null },
  })
const button = (name: string | RegExp) => screen.findByRole('button', { name })

describe('what a pause says', () => {
  test.each<[string, string, AssistantOut]>([
    ['Paused', 'No run starts until you resume the assistant; slots during the pause are skipped', pausedBy()],
    [
      'Paused until tomorrow at 8:00',
      'The assistant continues automatically tomorrow at 8:00; slots during the pause are skipped',
      pausedBy({ until: '2026-11-22T08:00:00Z' }),
    ],
    [
      'Paused automatically: This account needs a new login at the network',
      'Fix the issue above, then resume the assistant',
      pausedBy({ reason: 'delivery_needs_reconnect' }),
    ],
  ])('%s', async (sentence, step, assistant) => {
    open(aLive({ assistant }))
    const head = await screen.findByRole('heading', { level: 2, name: (_, element) => element.closest('.live-head') !== null })
    expect(head.textContent?.startsWith(sentence.slice(0, 16))).toBe(true)
    if (!assistant.pause?.reason) expect(head).toHaveTextContent(sentence)
    expect(screen.getByText(step)).toBeVisible()
    expect(screen.getByText('There are no slots until you resume the assistant.')).toBeVisible()
  })

  test('since the subscription has ended: that, and where it goes on', async () => {
    const assistant = pausedBy({ reason: 'subscription_ended' })
    const params = { limit: 'active_assistants', allowed: 1, used: 1, subscribed: 0 }
    const { user } = open(aLive({ assistant }), { resume: () => refuse(402, 'subscription_required', { params }) })
    expect(await screen.findByText('Paused: The subscription has ended.')).toBeVisible()
    expect(screen.getByText(/^Nothing is deleted\./)).toBeVisible()
    expect(screen.getByRole('link', { name: 'See subscription' })).toHaveAttribute('href', '/subscription')
    await user.click(await button('Resume'))
    const toast = (await screen.findByText(/one assistant can be active at a time/)).closest('[role=alert]') as HTMLElement
    expect(within(toast).getByRole('link', { name: 'See subscription' })).toHaveAttribute('href', '/subscription')
  })

  test('since the subscription has ended is said beside a run that still goes out, too', async () => {
    open(aLive({ assistant: pausedBy({ reason: 'subscription_ended' }), run: aRunDetail({ state: 'ready', finished_at: null }) }))
    expect(await screen.findByText(/^Paused: The subscription has ended\. Nothing is deleted/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'See subscription' })).toBeVisible()
  })

  test('one that is resumed and has not said so yet goes on in a moment', async () => {
    open(aLive({ assistant: anAssistant({ status: { phase: 'paused' } }) }))
    expect(await screen.findByText('The assistant continues in a moment')).toBeVisible()
  })

  test('in German', async () => {
    await speak('de')
    open(aLive({ assistant: pausedBy({ until: '2026-11-22T08:00:00Z' }) }))
    expect(await screen.findByText('Pausiert bis morgen um 8:00 Uhr')).toBeVisible()
    expect(await button('Fortsetzen')).toBeVisible()
  })
})

describe('pausing', () => {
  test.each<[RegExp, string | null]>([
    [/For 1 hour/, '2026-11-21T09:50:00'],
    [/Until tomorrow, 8:00/, '2026-11-22T08:00:00'],
    [/For a week/, '2026-11-28T08:50:00'],
    [/Until I resume/, null],
  ])('%s, by keyboard', async (choice, until) => {
    const { user, asked } = open(aLive())
    const pause = await button('Pause Cycling tips')
    pause.focus()
    await user.keyboard('{Enter}')
    const item = await screen.findByRole('menuitem', { name: choice })
    item.focus()
    await user.keyboard('{Enter}')
    expect(await screen.findByText('“Cycling tips” is paused.')).toBeVisible()
    expect(asked).toHaveLength(1)
    const { until: asked_until } = asked[0]?.body as { until: string | null }
    expect(asked_until?.slice(0, 19) ?? null).toBe(until)
    expect(asked[0]).toMatchObject({ deed: 'pause', query: '?prepared=publish' })
  })

  test('until a date on the clock of the assistant, which has to come', async () => {
    const { user, asked } = open(aLive({ assistant: anAssistant({ schedule: { time_zone: 'Europe/Berlin' } }) }))
    await user.click(await button('Pause Cycling tips'))
    await user.click(await screen.findByRole('menuitem', { name: 'Until a date…' }))
    const dialog = await screen.findByRole('dialog', { name: 'Pause until' })
    const day = within(dialog).getByLabelText('Day')
    await user.clear(day)
    await user.type(day, '2026-11-20')
    await user.click(within(dialog).getByRole('button', { name: 'Pause assistant' }))
    expect(within(dialog).getByText('Choose a time in the future, at most 366 days ahead.')).toBeVisible()
    await user.clear(day)
    await user.type(day, '2026-12-24')
    expect(within(dialog).getByLabelText('Time in Berlin')).toHaveValue('08:00')
    await user.click(within(dialog).getByRole('button', { name: 'Pause assistant' }))
    await waitFor(() => expect(asked).toEqual([{ deed: 'pause', body: { until: '2026-12-24T07:00:00.000Z' }, query: '?prepared=publish' }]))
  })

  test('asks what becomes of what is prepared', async () => {
    const open_run = aRun({ state: 'ready', slot: SLOT })
    const { user, asked } = open(aLive({ assistant: anAssistant({ open_run }), run: aRunDetail(open_run) }))
    await user.click(await button('Pause Cycling tips'))
    await user.click(await screen.findByRole('menuitem', { name: 'Until I resume' }))
    const dialog = await screen.findByRole('dialog', { name: 'Pause “Cycling tips”?' })
    expect(asked).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Pause, don’t publish' }))
    await waitFor(() => expect(asked).toEqual([{ deed: 'pause', body: { until: null }, query: '?prepared=cancel' }]))
  })

  test('says where it takes effect later, and why it failed', async () => {
    const later = { pause: () => HttpResponse.json({ assistant: anAssistant(), confirmed: false }) }
    const { user, unmount } = open(aLive(), later)
    await user.click(await button('Pause Cycling tips'))
    await user.click(await screen.findByRole('menuitem', { name: 'For 1 hour' }))
    expect(await screen.findByText('Saved. The change takes effect when the background service is back.')).toBeVisible()
    unmount()
    const again = open(aLive(), { pause: () => refuse(409, 'assistant_inactive') })
    await again.user.click(await button('Pause Cycling tips'))
    await again.user.click(await screen.findByRole('menuitem', { name: 'For 1 hour' }))
    expect(await screen.findByText('“Cycling tips” could not be paused. The assistant is not active.')).toBeVisible()
  })

  test('is ended by hand', async () => {
    const { user, asked } = open(aLive({ assistant: pausedBy() }))
    await user.click(await button('Resume'))
    expect(await screen.findByText('“Cycling tips” was resumed.')).toBeVisible()
    expect(asked.map(({ deed }) => deed)).toEqual(['resume'])
  })
})

test('one that is not active has nothing to steer', async () => {
  open(aLive({ assistant: anAssistant({ active: false }) }))
  await screen.findByText('No slots')
  expect(screen.queryByRole('group', { name: 'Controls of this assistant' })).toBeNull()
})

describe('run now', () => {
  test('asks first, and asks the server for the same run until it is told', async () => {
    let away = true
    const run = () => (away ? refuse(503, 'temporal_unavailable') : HttpResponse.json({ run_id: 'run' }))
    const { user, asked } = open(aLive(), { run })
    for (const told of [/The run could not be started\./, /“Cycling tips” has started a run\./]) {
      await user.click(await button('Run now'))
      const dialog = await screen.findByRole('dialog', { name: 'Publish a post now?' })
      expect(dialog).toHaveTextContent('publishes it on LinkedIn as soon as it is ready')
      await user.click(within(dialog).getByRole('button', { name: 'Write and publish now' }))
      expect(await screen.findByText(told)).toBeVisible()
      away = false
    }
    const ids = asked.map(({ body }) => (body as { request_id: string }).request_id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('of one that keeps drafts is done at once, also in a pause', async () => {
    const assistant = { ...pausedBy(), mode: 'draft' as const }
    const { user, asked } = open(aLive({ assistant }), { run: () => HttpResponse.json({ run_id: 'run' }) })
    await user.click(await button('Run now'))
    expect(await screen.findByText('“Cycling tips” has started a run.')).toBeVisible()
    expect(asked.map(({ deed }) => deed)).toEqual(['run'])
  })
})

describe('skip next', () => {
  test('names the slot that was shown, and can be taken back', async () => {
    const answers = {
      skip: () => HttpResponse.json({ slot: SLOT, undo_until: '2026-11-22T08:45:00Z' }),
      unskip: () => HttpResponse.json({ slot: SLOT, undo_until: null }),
    }
    const { user, asked } = open(aLive({ next_slot: SLOT }), answers)
    await user.click(await button('Skip next'))
    expect(await screen.findByText('Skipped: Sun 22 Nov, 09:00.')).toBeVisible()
    await user.click(await button('Undo'))
    expect(await screen.findByText('No longer skipped: Sun 22 Nov, 09:00.')).toBeVisible()
    expect(asked).toEqual([
      { deed: 'skip', body: { slot: SLOT }, query: '' },
      { deed: 'unskip', body: { slot: SLOT }, query: '' },
    ])
  })

  test('of a prepared one asks first, and offers no way back', async () => {
    const open_run = aRun({ state: 'ready', slot: SLOT })
    const live = aLive({ next_slot: SLOT, assistant: anAssistant({ open_run }), run: aRunDetail(open_run) })
    const { user, asked } = open(live, { skip: () => HttpResponse.json({ slot: SLOT, undo_until: null }) })
    await user.click(await button('Skip next'))
    const dialog = await screen.findByRole('dialog', { name: 'Skip the post for Sun 22 Nov, 09:00?' })
    expect(asked).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Skip post' }))
    expect(await screen.findByText('Skipped: Sun 22 Nov, 09:00.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test.each([
    ['skip_not_next', 409, 'Nothing was skipped. Another post is next now. Check which one, then skip it.'],
    ['run_armed', 409, /^Nothing was skipped\. ./],
    ['temporal_unavailable', 503, /^Nothing was skipped\. ./],
  ])('says that nothing was skipped: %s', async (code, status, said) => {
    const { user } = open(aLive({ next_slot: SLOT }), { skip: () => refuse(status, code) })
    await user.click(await button('Skip next'))
    expect(await screen.findByText(said)).toBeVisible()
  })

  test('is not there where nothing comes', async () => {
    open(aLive({ next_slot: null }))
    expect(await button('Run now')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Skip next' })).toBeNull()
  })

  test('shows what is left out among the dates', async () => {
    const one = (slot: string, run_state: RunState | null = null, planned_at: string | null = null) => ({
      slot, local: slot.slice(0, 19), offset_minutes: 0, clock_change: 0, run_state, planned_at, passed_over: run_state !== null,
    })
    open(aLive({ occurrences: [
      one(SLOT, 'skipped'),
      one('2026-11-23T09:00:00Z', 'published', '2026-11-21T11:01:00Z'),
      one('2026-11-24T09:00:00Z', 'ready', '2026-11-25T12:00:00Z'),
      one('2026-11-25T09:00:00Z'),
    ] }))
    await screen.findByText('Next 4 slots')
    const rows = [...document.querySelectorAll('.occ li')]
    expect(rows.map((row) => row.querySelector('.occ-passed')?.textContent)).toEqual([
      'skipped', 'published', 'moved to Wed 25 Nov, 12:00', undefined,
    ])
    expect(rows.map((row) => row.hasAttribute('data-first'))).toEqual([false, false, false, true])
  })
})
