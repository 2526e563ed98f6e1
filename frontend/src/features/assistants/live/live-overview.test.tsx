import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AssistantLiveOut, RunOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { setLiveState } from '@/lib/live-state'
import { refuse } from '@/test/answers'
import { aBrand, aDelivery, aLive, anAssistant, aRetry, aRun, aRunDetail, aStep } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { LiveOverview } from './live-overview'

const server = startServer()

beforeEach(() => setLiveState({ status: 'live' }))

function open(live: AssistantLiveOut, runs: RunOut[] = []) {
  server.use(
    http.get('*/api/assistants/assistant/live/', () => HttpResponse.json(live)),
    http.get('*/api/assistants/assistant/runs/', () =>
      HttpResponse.json({ items: runs, next_cursor: null, total: runs.length, counts: {} }),
    ),
  )
  return show(
    <TimeZoneContext value="UTC">
      <LiveOverview assistantId="assistant" />
    </TimeZoneContext>,
  )
}

const occurrence = (slot: string) => ({ slot, local: slot.slice(0, 19), offset_minutes: 0, clock_change: 0, run_state: null, planned_at: null, passed_over: false })

const headline = () => screen.findByRole('heading', { level: 2, name: (_, element) => element.closest('.live-head') !== null })
const steps = () => [...document.querySelectorAll('.step-title')].map((step) => step.textContent)

test.each([
  [null, 'The network needs a new login.', 'Reconnect the account', '/account'],
  [{ id: 'website', name: 'Lindhof Journal' }, 'The website no longer accepts the login.', 'Reconnect the website', '/websites'],
] as const)('one that may publish nowhere says so while it sleeps, and what to do', async (website, why, remedy, to) => {
  const account = (name: string, state: 'connected' | 'needs_reconnecting') => ({ id: name, kind: 'linkedin', name, state }) as const
  const lost = account('Mara Lind', 'needs_reconnecting')
  const { unmount } = open(aLive({ assistant: anAssistant({ website, accounts: [lost] }) }))
  await headline()
  const head = document.querySelector('.live-head') as HTMLElement
  expect(head).toHaveTextContent(why)
  expect(within(head).getByRole('link', { name: remedy })).toHaveAttribute('href', to)
  unmount()
  open(aLive({ assistant: anAssistant({ website, accounts: [lost, account('Jonas Weber', 'connected')] }) }))
  await headline()
  expect(screen.queryByRole('link', { name: remedy })).toBeNull()
})

test.each([true, false])('that demo texts are asked about before they go to a real network is told (%s)', async (asks_about_demo) => {
  open(aLive({ assistant: anAssistant({ demo_writer: true, asks_about_demo }) }))
  await headline()
  expect(screen.queryAllByText(/Nothing is published without your approval/)).toHaveLength(asks_about_demo ? 1 : 0)
})

describe('the headline says what the assistant does', () => {
  const preparing = (kind: 'topic' | 'text' | 'image' | 'check') =>
    aRunDetail({ state: 'preparing', finished_at: null, steps: [aStep(kind, { state: 'active', finished_at: null })] })

  test.each<[string, Partial<AssistantLiveOut>]>([
    ['Next post tomorrow at 9:00', {}],
    ['Next draft tomorrow at 9:00', { assistant: anAssistant({ mode: 'draft' }) }],
    ['No further slot for a post', { assistant: anAssistant({ status: { next_slot: null, next_start: null } }) }],
    ['No slots', { assistant: anAssistant({ active: false }) }],
    [
      '2 settings are missing before the assistant can start',
      {
        assistant: anAssistant({
          active: false,
          missing: [
            { code: 'invalid_input', field: 'topic_tree_id', params: {} },
            { code: 'invalid_input', field: 'account_ids', params: {} },
          ],
        }),
      },
    ],
    ['The next slots could not be calculated', { assistant: anAssistant({ status: { phase: 'planning_failed' } }) }],
    ['The assistant starts in a moment', { assistant: anAssistant({ status: { phase: 'inactive' } }) }],
    ['The schedule has ended', { assistant: anAssistant({ status: { phase: 'finished' } }) }],
    ['Choosing the topic for 9:00', { run: aRunDetail({ state: 'preparing' }) }],
    ['Choosing the topic for 9:00', { run: preparing('topic') }],
    ['Writing the post for 9:00', { run: preparing('text') }],
    ['Writing the post for 9:00', { run: aRunDetail({ state: 'preparing', steps: [aStep('topic')] }) }],
    ['Creating the image for 9:00', { run: preparing('image') }],
    ['Checking the post for 9:00', { run: preparing('check') }],
    ['Checking the post for 9:00', { run: aRunDetail({ state: 'preparing', steps: [aStep('topic'), aStep('text')] }) }],
    [
      'Creating the image for 9:00',
      {
        assistant: anAssistant({ image_source: 'template' }),
        run: aRunDetail({ state: 'preparing', steps: [aStep('topic'), aStep('text')] }),
      },
    ],
    ['The post for 9:00 is ready', { run: aRunDetail({ state: 'ready' }) }],
    ['The post for tomorrow at 9:30 is ready', { run: aRunDetail({ state: 'ready', planned_at: '2026-11-22T09:30:00Z' }) }],
    [
      '1 of 2 channels are live',
      { run: aRunDetail({ state: 'publishing', deliveries: [aDelivery(), aDelivery({ id: 'd2', state: 'publishing' })] }) },
    ],
    ['0 of 1 channel is live', { run: aRunDetail({ state: 'publishing', deliveries: [aDelivery({ state: 'publishing' })] }) }],
    [
      'Unclear at LinkedIn: is the post online?',
      { run: aRunDetail({ state: 'unknown', deliveries: [aDelivery({ state: 'unknown' })] }) },
    ],
  ])('%s', async (text, live) => {
    open(aLive(live))
    expect(await headline()).toHaveTextContent(new RegExp(`^${text.replace('?', '\\?')}$`))
  })

  test('a day is near as the server’s clock says it, not the browser’s', async () => {
    open(aLive({ now: '2030-05-01T08:00:00Z', assistant: anAssistant({ status: { next_slot: '2030-05-02T09:00:00Z' } }) }))
    expect(await headline()).toHaveTextContent('Next post tomorrow at 9:00')
  })

  test('in German', async () => {
    await speak('de')
    open(aLive({ run: aRunDetail({ state: 'ready' }) }))
    expect(await headline()).toHaveTextContent('9:00 Uhr')
  })
})

describe('the clock', () => {
  test.each<[string, Partial<AssistantLiveOut>]>([
    ['until preparing starts tomorrow at 8:45', {}],
    ['until preparing starts at 8:45', { now: '2026-11-22T07:45:00Z' }],
    ['until the slot at 9:00', { run: aRunDetail({ state: 'ready' }) }],
    ['until the slot tomorrow at 9:30', { run: aRunDetail({ state: 'ready', planned_at: '2026-11-22T09:30:00Z' }) }],
    ['since the slot at 9:00', { now: '2026-11-21T09:00:30Z', run: aRunDetail({ state: 'publishing', deliveries: [aDelivery({ state: 'publishing' })] }) }],
    [
      'until the next attempt',
      { assistant: anAssistant({ status: { phase: 'planning_failed', retry_at: '2026-11-21T08:55:00Z' } }) },
    ],
    [
      'until the next attempt',
      { now: '2026-11-21T08:45:30Z', run: aRunDetail({ state: 'preparing', steps: [aStep('topic')], retries: [aRetry()] }) },
    ],
  ])('counts %s', async (caption, live) => {
    open(aLive(live))
    expect(await screen.findByText(caption)).toBeVisible()
  })
})

test.each([
  ['2026-11-22T06:00:30Z', /^02:44:/],
  ['2026-11-20T08:45:30Z', /^47:59:/],
  ['2026-11-18T06:00:30Z', /^4 days 02:44:/],
])('at %s the clock shows %s', async (now, shown) => {
  open(aLive({ now }))
  expect(await screen.findByRole('timer')).toHaveTextContent(shown)
})

describe('how true the picture is', () => {
  test('while it follows the server nothing is said', async () => {
    open(aLive())
    await headline()
    expect(screen.queryByText(/as of/)).toBeNull()
  })

  test('with a lost stream it says from when it is', async () => {
    setLiveState({ status: 'stale', since: new Date('2026-11-21T08:40:00Z') })
    open(aLive())
    expect(await screen.findByText('· as of 8:50')).toBeVisible()
  })

  test('where the workflow could not be asked, it says when it last spoke', async () => {
    open(aLive({ live: false }))
    expect(await screen.findByText('· as of 8:00')).toBeVisible()
  })

  test('on another day that day is named', async () => {
    open(aLive({ live: false, now: '2026-11-22T07:50:00Z' }))
    expect(await screen.findByText('· as of yesterday at 8:00')).toBeVisible()
  })

  test('a refresh that fails keeps the last picture', async () => {
    const { queryClient } = open(aLive())
    await headline()
    server.use(http.get('*/api/assistants/assistant/live/', () => refuse(500, 'internal')))
    await queryClient.invalidateQueries()
    expect(await screen.findByText('· as of 8:50')).toBeVisible()
    expect(await headline()).toHaveTextContent('Next post')
  })

  test('what never came says so, and is asked for again', async () => {
    let calls = 0
    server.use(
      http.get('*/api/assistants/assistant/live/', () => {
        calls += 1
        return calls === 1 ? refuse(500, 'internal') : HttpResponse.json(aLive())
      }),
      http.get('*/api/assistants/assistant/runs/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0, counts: {} })),
    )
    const { user } = show(<LiveOverview assistantId="assistant" />)
    expect(await screen.findByRole('alert')).toHaveTextContent('The live view could not be loaded')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await headline()).toBeVisible()
  })
})

describe('the thread', () => {
  test('of an assistant that has not run yet says when it begins', async () => {
    open(aLive({ assistant: anAssistant({ image_source: 'template' }) }))
    await headline()
    expect(steps()).toEqual([
      'Sleeping until tomorrow, 8:45',
      'Prepare: topic, text, image, checks',
      'Publish on 1 channel',
    ])
    expect(screen.getByText('The first run starts automatically at its time.')).toBeVisible()
  })

  test('of one that keeps drafts publishes nothing', async () => {
    open(aLive({ assistant: anAssistant({ mode: 'draft' }) }))
    await headline()
    expect(steps().at(-1)).toBe('Keep as a draft')
  })

  test('of a day names only the hour, until it begins and after it', async () => {
    const today = { next_start: '2026-11-21T15:45:00Z', next_slot: '2026-11-21T16:00:00Z' }
    const { unmount } = open(aLive({ assistant: anAssistant({ status: today }) }))
    await headline()
    expect(steps()[0]).toBe('Sleeping until 15:45')
    unmount()
    const run = aRunDetail({ state: 'preparing', steps: [] })
    open(aLive({ run, occurrences: [occurrence('2026-11-21T09:00:00Z'), occurrence('2026-11-21T16:00:00Z')] }))
    await headline()
    expect(steps().at(-1)).toBe('Then sleep. Next post at 16:00')
  })

  test.each<[string, string[]]>([
    ['2026-11-22T16:00:00Z', ['Then sleep. Next post tomorrow, 16:00']],
    // one that is over is no next one
    ['2026-11-21T08:49:59Z', ['Then the schedule ends']],
  ])('of a run goes on with the date %s', async (slot, then) => {
    const run = aRunDetail({ state: 'preparing', slot: '2026-11-21T08:45:00Z', steps: [] })
    open(aLive({ run, occurrences: [occurrence(slot)] }))
    await headline()
    expect(steps().slice(-1)).toEqual(then)
  })

  test('of a run of one that keeps drafts goes nowhere', async () => {
    open(aLive({ assistant: anAssistant({ mode: 'draft' }), run: aRunDetail({ state: 'preparing', steps: [] }) }))
    await headline()
    expect(steps().slice(-2)).toEqual(['Keep as a draft', 'Then the schedule ends'])
  })

  test('of dates that could not be planned says why, and when it is tried again', async () => {
    const status = { phase: 'planning_failed', reason: 'internal', retry_at: '2026-11-21T08:55:00Z' } as const
    open(aLive({ assistant: anAssistant({ status }) }))
    await headline()
    expect(steps()).toEqual(['No run yet', 'Planning is retried automatically at 8:55; no run starts until then'])
    expect(document.querySelector('.step[data-last]')).toHaveTextContent(/An error occurred/)
  })

  test('of a schedule that cannot be planned leads to where it is corrected', async () => {
    const status = { phase: 'planning_failed', reason: 'invalid_input', retry_at: '2026-11-21T08:55:00Z' } as const
    open(aLive({ assistant: anAssistant({ status }) }))
    await headline()
    expect(document.querySelector('.step[data-last]')).toHaveTextContent(/The schedule is incomplete/)
    expect(screen.getByRole('link', { name: 'Correct the schedule' })).toHaveAttribute(
      'href',
      '/assistants/assistant?tab=configuration',
    )
  })

  test('begins with the last result and leads to its post', async () => {
    open(aLive({ now: '2026-11-21T12:00:00Z', run: aRunDetail({ deliveries: [aDelivery(), aDelivery({ id: 'd2' })] }) }))
    await headline()
    expect(steps()[0]).toBe('Today, 9:00: published on 2 channels')
    expect(screen.getByText('Riding in rain · €0.0032 · 1,302 tokens')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open post' })).toHaveAttribute('href', '/social-media-posts/post')
  })

  test('of a failed run says why', async () => {
    open(aLive({ now: '2026-11-21T12:00:00Z', run: aRunDetail({ state: 'failed', reason: 'topic_tree_empty', post_id: null }) }))
    await headline()
    expect(steps()[0]).toBe('Today, 9:00: failed')
    expect(screen.queryByRole('link', { name: 'Open post' })).toBeNull()
    expect(document.querySelector('.step[data-state="failed"]')).toHaveTextContent(/tree/i)
  })

  test.each([
    [anAssistant({ active: false }), 'Activate the assistant, and the next run starts automatically'],
    [anAssistant({ status: { phase: 'finished' } }), 'Change the schedule in the configuration to continue'],
    [anAssistant({ status: { phase: 'activating' } }), 'The background service is starting the assistant'],
  ])('of one that does not sleep says what to do (%#)', async (assistant, text) => {
    open(aLive({ assistant }))
    await headline()
    expect(steps()).toEqual(['No run yet', text])
  })

  test('of a run that is prepared shows each step with what it left', async () => {
    const run = aRunDetail({
      state: 'ready',
      finished_at: null,
      first_file: { kind: 'video', thumbnail_url: '/thumbnail.webp' },
      steps: [
        aStep('topic', { facts: { path: 'Weather › Rain', strategy: 'in_order', pick_from: 'all' } }),
        aStep('text', { attempt: 2, facts: { provider: 'openai', model: 'gpt-6-luna', input_tokens: 1_000, output_tokens: 200, cost_micros: 3_200 } }),
        aStep('image', { facts: { provider: 'cards', model: 'cards', pages: 4 } }),
        aStep('check', { facts: { characters: 1_234, images: 4, documents: 1 } }),
      ],
    })
    open(aLive({ run, occurrences: [occurrence('2026-11-21T09:00:00Z'), occurrence('2026-11-22T09:00:00Z')] }))
    await headline()
    expect(steps()).toEqual([
      'Topic: Riding in rain',
      'Text written',
      'Image created',
      'All checks passed',
      'Waits for the slot at 9:00',
      'Publish on 1 channel',
      'Then sleep. Next post tomorrow, 9:00',
    ])
    for (const text of [
      'Weather › Rain · in the order of the tree · from all topics',
      'attempt 2 · gpt-6-luna · 1,200 tokens · €0.0032',
      'Carousel with 4 pages',
      '1,234 characters · 4 images · 1 document',
    ])
      expect(screen.getByText(text)).toBeVisible()
    expect(screen.getByText('Mudguards help.')).toBeVisible()
    expect(document.querySelector('.peek-art img')).toHaveAttribute('src', '/thumbnail.webp')
    expect(document.querySelector('.peek-art svg')).not.toBeNull()
  })

  test('says where no language model wrote', async () => {
    const run = aRunDetail({ state: 'ready', steps: [aStep('topic'), aStep('text', { facts: { provider: 'demo', model: 'demo' } })] })
    open(aLive({ run }))
    expect(await screen.findByText(/^Demo writer: text without a language model/)).toBeVisible()
  })

  test('of a step that failed says why and when it is tried again', async () => {
    const run = aRunDetail({
      state: 'preparing',
      finished_at: null,
      steps: [aStep('topic'), aStep('text', { state: 'active', finished_at: null })],
      retries: [aRetry({ next_try_at: '2026-11-21T08:51:30Z' })],
    })
    open(aLive({ run }))
    expect(await screen.findByText(/^next attempt in 1:(30|2\d)$/)).toBeVisible()
    expect(screen.getByText('Attempt 2 of 5')).toBeVisible()
    expect(document.querySelector('.step[data-state="retrying"]')).toHaveTextContent('Writes the text')
  })

  test('of a retry that is running counts nothing down', async () => {
    const run = aRunDetail({ state: 'preparing', finished_at: null, steps: [aStep('topic')], retries: [aRetry({ next_try_at: null, max_attempts: null })] })
    open(aLive({ run }))
    expect(await screen.findByText('Retrying now')).toBeVisible()
    expect(screen.getByText('Attempt 2')).toBeVisible()
  })

  test('of an assistant that pauses, what comes then is the pause', async () => {
    const run = aRunDetail({ state: 'preparing', finished_at: null, steps: [aStep('topic')] })
    const live = aLive({ run })
    open({ ...live, assistant: { ...live.assistant, pause: { since: '2026-11-21T08:00:00Z', until: null, reason: null } } })
    expect(await screen.findByText('Then the assistant stays paused')).toBeVisible()
  })

  test('leads from a run that waits for a login to where that is given', async () => {
    const run = aRunDetail({ state: 'preparing', finished_at: null, steps: [aStep('topic')], retries: [aRetry({ code: 'delivery_needs_reconnect', max_attempts: null })] })
    open(aLive({ run }))
    expect(await screen.findByRole('heading', { name: /^The network needs a new login\. Nothing is written until/ })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Reconnect the account' })).toHaveAttribute('href', '/account')
  })
})

describe('where it goes out', () => {
  const publishing = (...deliveries: ReturnType<typeof aDelivery>[]) =>
    aLive({ now: '2026-11-21T09:00:30Z', run: aRunDetail({ state: 'publishing', finished_at: null, steps: [aStep('topic'), aStep('text'), aStep('check')], deliveries }) })
  const strand = async (name: string) => (await screen.findByText(name)).closest('li')

  test('what is live says since when, and where to see it', async () => {
    open(publishing(aDelivery({ permalink: 'https://example.org/post' }), aDelivery({ id: 'd2', account_name: 'Lindhof', state: 'publishing', settled_at: null })))
    expect(await strand('Mara Lind')).toHaveTextContent('Live since 09:00:01')
    expect(screen.getByRole('link', { name: 'View on LinkedIn' })).toHaveAttribute('href', 'https://example.org/post')
    expect(await strand('Lindhof')).toHaveTextContent('Publishing')
  })

  test('what a person confirmed does not say since when it is live', async () => {
    open(publishing(aDelivery({ decided_at: '2026-11-21T10:00:00Z' }), aDelivery({ id: 'd2', state: 'publishing' })))
    expect(await screen.findByText(/Confirmed manually/)).toBeVisible()
  })

  test('what is tried again says how often, why, and that nothing goes out twice', async () => {
    const live = publishing(aDelivery({ state: 'retrying', settled_at: null, error_code: 'rate_limited', attempts: 2 }), aDelivery({ id: 'd2', account_name: 'Lindhof' }))
    live.run?.retries.push(aRetry({ step: 'deliver', delivery_id: 'delivery', next_try_at: '2026-11-21T09:01:00Z' }))
    open(live)
    const row = await strand('Mara Lind')
    expect(row).toHaveTextContent('Attempt 2 of 5.')
    expect(row).toHaveTextContent('Nothing was published twice.')
    expect(row).toHaveTextContent(/Retrying in 0:(30|2\d)/)
  })

  test('what failed says why; without a reason it says that, too', async () => {
    open(publishing(aDelivery({ state: 'failed', error_code: null }), aDelivery({ id: 'd2', account_name: 'Lindhof', state: 'cancelled' }), aDelivery({ id: 'd3', account_name: 'Team', state: 'publishing' })))
    expect(await strand('Mara Lind')).toHaveTextContent('The network gave no reason.')
    expect(await strand('Lindhof')).toHaveTextContent('Cancelled')
  })

  test('what is armed waits for its slot', async () => {
    const live = publishing(aDelivery({ state: 'publishing', called_at: null, settled_at: null }))
    open({ ...live, now: '2026-11-21T08:59:58Z' })
    expect(await strand('Mara Lind')).toHaveTextContent('Will be published at 9:00')
    expect(await headline()).toHaveTextContent('The post for 9:00 is ready')
  })

  describe('without an answer', () => {
    const unclear = aLive({ now: '2026-11-21T09:05:00Z', run: aRunDetail({ state: 'unknown', deliveries: [aDelivery({ state: 'unknown', settled_at: null })] }) })
    const serveDecision = (answer: () => Response) => {
      const sent: unknown[] = []
      server.use(
        http.post('*/api/social-media-posts/post/deliveries/delivery/:what/', async ({ request }) => {
          sent.push(await request.json())
          return answer()
        }),
      )
      return sent
    }

    test('an answer that is pressed twice in one moment is sent once', async () => {
      const sent = serveDecision(() => HttpResponse.json({}))
      open(unclear)
      const there = await screen.findByRole('button', { name: 'Yes, online' })
      fireEvent.click(there)
      fireEvent.click(there)
      await waitFor(() => expect(sent).not.toEqual([]))
      await waitFor(() => expect(there).toBeEnabled())
      expect(sent).toHaveLength(1)
    })

    test.each([
      ['Yes, online', 'there'],
      ['No, not online', 'not_there'],
    ])('a person says: %s', async (name, answer) => {
      const { user } = open(unclear)
      const sent = serveDecision(() => HttpResponse.json({}))
      await user.click(within(await screen.findByRole('group', { name: 'Is the post online?' })).getByRole('button', { name }))
      await waitFor(() => expect(sent).toEqual([{ answer }]))
    })

    test('an answer that could not be saved is told', async () => {
      const { user } = open(unclear)
      serveDecision(() => refuse(500, 'internal'))
      await user.click(await screen.findByRole('button', { name: 'Yes, online' }))
      expect(await screen.findByText('The answer could not be saved. An error occurred. Please try again later.')).toBeVisible()
      await waitFor(() => expect(screen.getByRole('button', { name: 'Yes, online' })).toBeEnabled())
    })
  })

  test('earlier posts without an answer stay in sight', async () => {
    open(aLive({ earlier_unclear: ['newest', 'older'] }))
    expect(await screen.findByText('2 earlier posts are unclear')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Take a look' })).toHaveAttribute('href', '/social-media-posts/newest')
  })
})

describe('beside it', () => {
  test('a change that is not in effect yet is told, but not while it starts', async () => {
    open(aLive({ assistant: anAssistant({ status: { pending_change: true } }) }))
    expect(await screen.findByText(/The change is saved and takes effect/)).toBeVisible()
  })

  test('while it starts there is no change to wait for', async () => {
    open(aLive({ assistant: anAssistant({ status: { phase: 'inactive', pending_change: true } }) }))
    await headline()
    expect(screen.queryByText(/The change is saved and takes effect/)).toBeNull()
  })

  test('what is missing is listed with the way to each', async () => {
    const missing = [{ code: 'topic_tree_empty' as const, field: 'topic_tree_id', params: {} }]
    open(aLive({ assistant: anAssistant({ active: false, missing }) }))
    const note = (await screen.findByText('Assistant cannot be activated yet')).closest('div')
    expect(within(note ?? document.body).getByRole('link')).toHaveAttribute('href', '/topics')
  })

  test('the next dates stand in the zone of the schedule, with a badge where the clocks change', async () => {
    itIs('2026-10-23T12:00:00Z')
    const occurrences = [
      { slot: '2026-10-24T07:00:00Z', local: '2026-10-24T09:00:00', offset_minutes: 120, clock_change: 0, run_state: null, planned_at: null, passed_over: false },
      { slot: '2026-10-25T08:00:00Z', local: '2026-10-25T09:00:00', offset_minutes: 60, clock_change: -60, run_state: null, planned_at: null, passed_over: false },
    ]
    open(aLive({ occurrences, assistant: anAssistant({ schedule: { time_zone: 'Europe/Berlin' } }) }))
    expect(await screen.findByText('Next 2 slots')).toBeVisible()
    const [first, second] = [...document.querySelectorAll('.occ li')]
    expect(first).toHaveTextContent('Sat 24 Oct09:00UTC+2')
    expect(second).toHaveTextContent('Sun 25 Oct09:00')
    expect(within(second as HTMLElement).getByRole('button')).toHaveTextContent(/^UTC\+2\s*\+1$/)
    expect(screen.getByText('Berlin')).toBeVisible()
  })

  test('of an inactive one they would be its dates; without any it says so', async () => {
    open(aLive({ assistant: anAssistant({ active: false }), occurrences: [occurrence('2026-11-24T07:00:00Z')] }))
    expect(await screen.findByText('These would be the assistant’s slots.')).toBeVisible()
  })

  test('without further dates it says so', async () => {
    open(aLive())
    expect(await screen.findByText('No further slots.')).toBeVisible()
  })

  test('the last runs lead to their evidence', async () => {
    open(aLive(), [
      aRun(),
      aRun({ id: 'missed', state: 'missed', reason: 'missed_outage', topic_title: null, post_id: null, cost_micros: null, input_tokens: null, output_tokens: null }),
      aRun({ id: 'none', state: 'failed', topic_title: null }),
    ])
    expect(await screen.findByRole('link', { name: 'Riding in rain' })).toHaveAttribute('href', '/assistants/assistant?tab=runs&run=run')
    expect(screen.getByRole('link', { name: 'Saturday, 21 November' }).closest('li')).toHaveTextContent(/server was off/)
    expect(screen.getByRole('link', { name: 'No topic chosen' }).closest('li')).toHaveTextContent('Failed')
  })
})

describe('what is left of the budget', () => {
  const budget = { unit: 'money', amount: 12_500_000, currency: 'USD', used: 3_000_000, estimated: 0, left: 9_500_000, until: '2026-11-30T23:00:00Z' } as const
  const inBerlin = anAssistant({ schedule: { time_zone: 'Europe/Berlin' } })
  const panel = async () => within((await screen.findByRole('heading', { name: 'Budget left' })).closest('section')!)

  test.each([
    ['money, to the month’s end where the assistant lives', budget, 'US$9.50 of US$12.50 until Tue 1 Dec'],
    ['tokens', { ...budget, unit: 'tokens', amount: 20_000, used: 500, left: 19_500 }, '19,500 of 20,000 tokens until Tue 1 Dec'],
    ['nothing', { ...budget, used: 12_500_000, left: 0 }, 'US$0.00 of US$12.50 until Tue 1 Dec Runs that exceed the budget are skipped until then.'],
    ['an estimate', { ...budget, estimated: 4_000 }, 'US$9.50 of US$12.50 until Tue 1 Dec US$0.004 of the spending is an estimate: the answers of some calls were lost, so their highest possible cost is counted.'],
  ] as const)('%s', async (_, left, text) => {
    itIs('2026-11-21T12:00:00Z')
    open(aLive({ budget_left: left, assistant: inBerlin }))
    expect((await panel()).getByText((_, element) => element?.className === 'panel-body')).toHaveTextContent(text)
  })

  test('there is none without a budget', async () => {
    open(aLive())
    await headline()
    expect(screen.queryByRole('heading', { name: 'Budget left' })).toBeNull()
  })

  test('a run that was skipped says why', async () => {
    open(aLive({ run: aRunDetail({ state: 'skipped', reason: 'budget_spent' }) }), [aRun({ state: 'skipped', reason: 'budget_spent' })])
    await waitFor(() => expect(screen.getAllByText(/this month’s budget of the assistant is not enough/)).toHaveLength(2))
    expect(screen.getByText('Skipped')).toBeVisible()
  })
})

describe('an image that cannot be had', () => {
  const withImage = (facts: Record<string, string>, state: 'done' | 'failed') =>
    open(
      aLive({
        assistant: anAssistant({ image_source: 'template' }),
        run: aRunDetail({ state: 'ready', reason: null, steps: [aStep('topic'), aStep('text'), { ...aStep('image'), state, facts }] }),
      }),
    )

  test.each([
    ['without', 'done', 'Continues without an image'],
    ['card', 'done', 'A card instead of the image'],
    ['ask', 'failed', 'Waiting for you: there is no image'],
  ] as const)('is said, with what becomes of the post: %s', async (fallback, state, said) => {
    withImage({ code: 'model_refused', fallback }, state)
    expect(await screen.findByText(said)).toBeVisible()
    expect(screen.getByText(/^The model refused to do this/)).toBeVisible()
  })

  test('is said to be needed by a network that takes no post without', async () => {
    withImage({ code: 'budget_spent', fallback: 'ask', needed_by: 'linkedin' }, 'failed')
    expect(await screen.findByText('LinkedIn does not accept posts without an image.')).toBeVisible()
  })
})

test('how texts are written is told, with the brand', async () => {
  server.use(http.get('*/api/brands/', () => HttpResponse.json({ items: [aBrand()], next_cursor: null, total: 1 })))
  open(aLive({ assistant: anAssistant({ brand_id: 'brand', text_per: 'network', second_look: 'rules' }) }))
  expect(await screen.findByRole('link', { name: 'Lindhof' })).toHaveAttribute('href', '/templates?tab=brands&brand=brand')
  expect(screen.getByText('A text for each network')).toBeVisible()
  expect(screen.getByText('Rules')).toBeVisible()
})
