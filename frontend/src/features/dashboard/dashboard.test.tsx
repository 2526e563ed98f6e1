import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountStatsOut, DayOut, NextOccurrenceOut, NextPostOut, PostOut, SetupStateOut, SetupStep } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aDelivery, aPost } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { Dashboard } from './dashboard'
import { NextStep, NextStepBar } from './next-step'

const server = startServer()

const NOW = '2026-11-21T08:00:00Z' // Saturday
const nothing = { draft: 0, complete: 0, published: 0, failed: 0, unknown: 0 }

const aDay = (day: string, changes: Partial<DayOut> = {}): DayOut => ({
  day,
  posts: nothing,
  articles: nothing,
  input_tokens: 0,
  output_tokens: 0,
  cost_micros: 0,
  cost_known: true,
  ...changes,
})

const stats = (changes: Partial<AccountStatsOut> = {}): AccountStatsOut => ({
  accounts_to_reconnect: [],
  cost_known: true,
  cost_micros: 0,
  currency: 'EUR',
  days: [aDay('2026-11-20'), aDay('2026-11-21')],
  failed_deliveries: 0,
  input_tokens: 0,
  left_out_runs: [],
  paused_assistants: [],
  next_occurrences: [],
  next_posts: [],
  open_approvals: 0,
  output_tokens: 0,
  posts_by_channel: [],
  posts_by_status: { ...nothing, published: 3 },
  articles_by_status: nothing,
  published_deliveries: 3,
  published_posts: 3,
  published_posts_before: 3,
  success_rate: 1,
  time_zone: 'UTC',
  unknown_deliveries: 0,
  unplanned_assistants: [],
  ...changes,
})

const leftOut = (id: string, missed: number, skipped: number) => ({ assistant_id: id, name: `Assistant ${id}`, missed, skipped })

const coming = (slot: string, changes: Partial<NextOccurrenceOut> = {}): NextOccurrenceOut => ({
  assistant_id: 'assistant',
  assistant_name: 'Cycling tips',
  channels: ['linkedin'],
  clock_change: 0,
  mode: 'automatic',
  prepared: null,
  needs_login: false,
  slot,
  ...changes,
})

const onItsOwn = (planned_at: string, changes: Partial<NextPostOut> = {}): NextPostOut => ({
  id: planned_at,
  title: 'By hand',
  is_article: false,
  channels: ['facebook'],
  needs_login: false,
  held: false,
  asks: false,
  needs_approval: false,
  first_file: null,
  planned_at,
  ...changes,
})

const STEPS: SetupStep[] = ['verify_email', 'connect_account', 'create_template', 'create_topic_tree', 'create_assistant', 'activate_assistant']
const setup = (...done: SetupStep[]): SetupStateOut => ({
  complete: done.length === STEPS.length,
  steps: STEPS.map((key) => ({ key, done: done.includes(key) })),
})

beforeEach(() => {
  server.use(http.get('*/api/channels/', () => HttpResponse.json([])))
})

function serve({ of = {}, posts = [], steps = setup(...STEPS) }: { of?: Partial<AccountStatsOut>; posts?: PostOut[]; steps?: SetupStateOut } = {}) {
  server.use(
    http.get('*/api/users/account_stats/', () => HttpResponse.json(stats(of))),
    http.get('*/api/users/account_setup_state/', () => HttpResponse.json(steps)),
    http.get('*/api/social-media-posts/', () => HttpResponse.json({ items: posts, next_cursor: null, total: posts.length })),
  )
}

function open(given: Parameters<typeof serve>[0] = {}) {
  itIs(NOW)
  serve(given)
  return show(
    <TimeZoneContext value="UTC">
      <Dashboard />
    </TimeZoneContext>,
  )
}

const loaded = () => screen.findByRole('link', { name: 'New assistant' })
const headline = async () => {
  await loaded()
  return screen.getByRole('heading', { level: 1 }).textContent
}
const tile = (label: string) => screen.getAllByText(label).map((found) => found.closest('.tile')).find(Boolean)

describe('the headline', () => {
  test.each<[string, NextOccurrenceOut[]]>([
    ['Next post today at 16:30 on LinkedIn.', [coming('2026-11-21T16:30:00Z')]],
    ['Next post tomorrow at 9:00 on LinkedIn and Facebook.', [coming('2026-11-22T09:00:00Z', { channels: ['linkedin', 'facebook'] })]],
    ['Next draft Tuesday at 9:00.', [coming('2026-11-24T09:00:00Z', { mode: 'draft' })]],
    ['Next article today at 16:30 on WordPress.', [coming('2026-11-21T16:30:00Z', { channels: ['wordpress'] })]],
    ['Next post today at 16:30.', [coming('2026-11-21T16:30:00Z', { channels: [] })]],
    // what is held until somebody logs in again goes out at no time
    ['Next post today at 18:00 on LinkedIn.', [coming('2026-11-21T16:30:00Z', { needs_login: true }), coming('2026-11-21T18:00:00Z')]],
    ['Nothing is scheduled.', []],
    // the newest answer is from before it
    ['Next post today at 16:30 on LinkedIn.', [coming('2026-11-21T07:59:00Z'), coming('2026-11-21T16:30:00Z')]],
  ])('%s (%#)', async (text, next_occurrences) => {
    open({ of: { next_occurrences } })
    expect(await headline()).toBe(text)
  })

  test.each<[string, Partial<AccountStatsOut>]>([
    ['Next post today at 12:00 on Facebook.', { next_posts: [onItsOwn('2026-11-21T12:00:00Z')], next_occurrences: [coming('2026-11-21T16:30:00Z')] }],
    ['Next post today at 16:30 on LinkedIn.', { next_posts: [onItsOwn('2026-11-21T18:00:00Z')], next_occurrences: [coming('2026-11-21T16:30:00Z')] }],
    ['Next post tomorrow at 9:00 on Facebook.', { next_posts: [onItsOwn('2026-11-21T18:00:00Z', { needs_login: true, held: true }), onItsOwn('2026-11-22T09:00:00Z')] }],
    ['Next post today at 18:00 on Facebook.', { next_posts: [onItsOwn('2026-11-21T18:00:00Z', { needs_login: true })] }],
    ['Next post today at 18:00 on Facebook, if you approve it.', { next_posts: [onItsOwn('2026-11-21T18:00:00Z', { asks: true, needs_approval: true })] }],
    ['Next post today at 18:00 on Facebook.', { next_posts: [onItsOwn('2026-11-21T18:00:00Z', { asks: true })] }],
    ['Next article today at 18:00 on WordPress.', { next_posts: [onItsOwn('2026-11-21T18:00:00Z', { channels: ['wordpress'], is_article: true })] }],
  ])('knows posts with a time of their own: %s (%#)', async (text, of) => {
    open({ of })
    expect(await headline()).toBe(text)
  })

  test('says how much waits, small numbers in words', async () => {
    const unclear = (id: string) => aPost({ id, deliveries: [aDelivery({ id: `d-${id}`, state: 'unknown' })] })
    open({ posts: [unclear('a'), unclear('b')] })
    expect(await headline()).toBe('Nothing is scheduled. Two tasks are waiting for you.')
  })

  test('says of one that it is one', async () => {
    open({ of: { accounts_to_reconnect: [{ id: 'a', channel: 'linkedin', name: 'Mara Lind' }] } })
    expect(await headline()).toBe('Nothing is scheduled. One task is waiting for you.')
  })

  test('speaks German', async () => {
    await speak('de')
    itIs(NOW)
    serve({ of: { next_occurrences: [coming('2026-11-21T16:30:00Z')] } })
    show(
      <TimeZoneContext value="UTC">
        <Dashboard />
      </TimeZoneContext>,
    )
    expect(await screen.findByText(/16:30 Uhr/, { selector: 'h1' })).toHaveTextContent(/heute/i)
  })
})

describe('the figures', () => {
  test.each<[string, string, Partial<AccountStatsOut>]>([
    ['Published, 30 days', '3as many as before', {}],
    ['Published, 30 days', '1,2001,197 more than before', { published_posts: 1_200 }],
    ['Published, 30 days', '12 fewer than before', { published_posts: 1 }],
    ['Published, 30 days', '0nothing yet', { published_posts: 0, published_posts_before: 0 }],
    ['Success rate, 30 days', '100%all 3 published', {}],
    ['Success rate, 30 days', '100%1 of 1 published', { published_deliveries: 1 }],
    ['Success rate, 30 days', '98.4%1 of 4 failed · 2 slots missed', { success_rate: 0.984, failed_deliveries: 1, left_out_runs: [leftOut('a', 2, 0)] }],
    ['Success rate, 30 days', '98.4%1 of 4 failed · 3 runs skipped', { success_rate: 0.984, failed_deliveries: 1, left_out_runs: [leftOut('a', 0, 3)] }],
    ['Success rate, 30 days', '–nothing published yet', { success_rate: null, published_deliveries: 0 }],
    ['Success rate, 30 days', '–1 unclear', { success_rate: null, published_deliveries: 0, unknown_deliveries: 1 }],
    ['Success rate, 30 days', '100%3 published · 1 unclear', { unknown_deliveries: 1 }],
    ['Waiting for you', '0nothing is waiting for you', {}],
    ['Complete · scheduled', '0and no drafts', {}],
    ['Complete · scheduled', '2and 1 draft', { posts_by_status: { ...nothing, complete: 2, draft: 1 } }],
    ['Spent, 30 days', '€1.501,234 tokens', { input_tokens: 1_000, output_tokens: 234, cost_micros: 1_500_000 }],
    ['Spent, 30 days', '–1,234 tokens · cost unknown', { input_tokens: 1_000, output_tokens: 234, cost_micros: null, cost_known: false }],
    ['Spent, 30 days', '€1.501,234 tokens · some costs unknown', { input_tokens: 1_000, output_tokens: 234, cost_micros: 1_500_000, cost_known: false }],
  ])('%s: %s', async (label, text, of) => {
    open({ of })
    await loaded()
    expect(tile(label)).toHaveTextContent(label + text, { normalizeWhitespace: true })
  })

  test('lead to what they count, where that is a list', async () => {
    open({ of: { posts_by_status: { ...nothing, published: 3, complete: 2, draft: 1 } } })
    await loaded()
    expect(screen.getByRole('link', { name: 'Published, 30 days: 3' })).toHaveAttribute(
      'href',
      '/social-media-posts?state=live&from=2026-11-20&to=2026-11-21&articles=too',
    )
    expect(screen.getByRole('link', { name: 'Complete · scheduled: 2' })).toHaveAttribute('href', '/social-media-posts?status=complete&articles=too')
    expect(screen.getByRole('link', { name: 'and 1 draft' })).toHaveAttribute('href', '/social-media-posts?status=draft&articles=too')
  })

  test('lead to the part of the page that lists what they count', async () => {
    const spent = aDay('2026-11-21', { input_tokens: 100, output_tokens: 20, cost_micros: 90_000 })
    open({
      of: {
        days: [aDay('2026-11-20'), spent],
        input_tokens: 100,
        cost_micros: 90_000,
        accounts_to_reconnect: [{ id: 'account', channel: 'linkedin', name: 'Mara Lind' }],
        unplanned_assistants: [{ id: 'hay', name: 'Hay news', reason: 'internal', retry_at: null }],
      },
    })
    await loaded()
    const target = screen.getByRole('link', { name: 'Waiting for you: 2' }).getAttribute('href') ?? ''
    expect(document.querySelector(target)).toHaveTextContent('The slots of Hay news could not be calculated')
    const cost = screen.getByRole('link', { name: /^Spent, 30 days/ })
    expect(cost).toHaveAttribute('href', '/transactions?period=thirtyDays')
  })

  test('of what failed and what is unclear lead to just these of the same days', async () => {
    const days = [aDay('2026-11-20', { posts: { ...nothing, failed: 1, unknown: 1 } }), aDay('2026-11-21', { posts: { ...nothing, failed: 1 } })]
    open({ of: { days, success_rate: 0.5, failed_deliveries: 3, unknown_deliveries: 1 } })
    await loaded()
    expect(tile('Success rate, 30 days')).toHaveTextContent('50%2 posts failed · 1 unclear')
    const failed = '/social-media-posts?status=failed&from=2026-11-20&to=2026-11-21&articles=too'
    expect(screen.getByRole('link', { name: 'Success rate, 30 days: 50%' })).toHaveAttribute('href', failed)
    expect(screen.getByRole('link', { name: '2 posts failed' })).toHaveAttribute('href', failed)
    expect(screen.getByRole('link', { name: '1 unclear' })).toHaveAttribute(
      'href',
      '/social-media-posts?state=unknown&from=2026-11-20&to=2026-11-21&articles=too',
    )
  })

  test('count articles with the posts, and say of what they are', async () => {
    const days = [aDay('2026-11-20', { posts: { ...nothing, failed: 3 }, articles: { ...nothing, failed: 3 } }), aDay('2026-11-21', { posts: { ...nothing, published: 2 } })]
    const unclear = { ...nothing, unknown: 2 }
    const waiting = ['a', 'b'].map((id) => aPost({ id, is_article: true, deliveries: [aDelivery({ id: `d-${id}`, state: 'unknown', channel: 'wordpress' })] }))
    open({ posts: waiting, of: { days, success_rate: 0.5, failed_deliveries: 3, posts_by_status: unclear, articles_by_status: unclear } })
    await loaded()
    expect(screen.getByRole('link', { name: '3 articles failed' })).toHaveAttribute(
      'href',
      '/social-media-posts?status=failed&from=2026-11-20&to=2026-11-21&articles=too',
    )
    expect(screen.getByText('5 posts and articles in two weeks, 3 failed')).toBeVisible()
    expect(screen.getByText('It is unclear whether 2 articles were published')).toBeVisible()
    expect(screen.getByText('Check each website once, then answer for all articles.')).toBeVisible()
  })

  test('of missed and skipped dates lead to the runs of the assistants that left them out', async () => {
    open({ of: { left_out_runs: [leftOut('a', 2, 0), leftOut('b', 1, 0), leftOut('c', 1, 4), leftOut('d', 1, 0)] } })
    await loaded()
    expect(tile('Success rate, 30 days')).toHaveTextContent(
      '5 slots missed (Assistant a 2, Assistant b 1, Assistant c 1, 1 other) · 4 runs skipped',
    )
    expect(screen.getByRole('link', { name: 'Assistant b' })).toHaveAttribute('href', '/assistants/b?tab=runs&state=missed&from=2026-11-20&to=2026-11-21&by=itself')
    expect(screen.getByRole('link', { name: '1 other' })).toHaveAttribute('href', '/assistants')
    expect(screen.getByRole('link', { name: '4 runs skipped' })).toHaveAttribute('href', '/assistants/c?tab=runs&state=skipped&from=2026-11-20&to=2026-11-21&by=itself')
  })

  test('lead nowhere where the list has others too', async () => {
    open({ of: { posts_by_status: { ...nothing, complete: 2, unknown: 1 } } })
    await loaded()
    expect(tile('Complete · scheduled')).toHaveTextContent('2')
    expect(screen.queryByRole('link', { name: /Complete · scheduled/ })).toBeNull()
  })
})

describe('charts', () => {
  const days = [aDay('2026-11-20', { posts: { ...nothing, published: 2, failed: 1 } }), aDay('2026-11-21', { posts: { ...nothing, published: 1 } })]

  test('say in a sentence what they show', async () => {
    open({ of: { days } })
    await loaded()
    expect(screen.getByText('4 posts in two weeks, 1 failed')).toBeVisible()
    expect(screen.getByRole('img', { name: /^Posts over 2 days: Published: 3, Failed: 1\. Most on Fri 20 Nov: 3\.$/ })).toBeVisible()
  })

  test('are tables on demand, newest day first, without empty days', async () => {
    const { user } = open({ of: { days: [aDay('2026-11-19'), ...days] } })
    await loaded()
    await user.click(screen.getByRole('button', { name: 'As a table' }))
    const table = within(screen.getByRole('region', { name: '4 posts in two weeks, 1 failed' }))
    expect(table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ['Day', 'Published', 'Failed'],
      ['Sat 21 Nov', '1', '0'],
      ['Fri 20 Nov', '2', '1'],
    ])
    expect(screen.getByRole('button', { name: 'As a chart' })).toHaveAttribute('aria-expanded', 'true')
  })

  test('without any posts say so', async () => {
    open()
    await loaded()
    expect(screen.getByText('Nothing was due in these days.')).toBeVisible()
  })

  test('of spending are there only where a model was called', async () => {
    open()
    await loaded()
    expect(screen.queryByText(/^Tokens and cost/)).toBeNull()
  })

  test('of spending say what is not known', async () => {
    const spent = aDay('2026-11-21', { input_tokens: 100, output_tokens: 20, cost_micros: null, cost_known: false })
    const { user } = open({ of: { days: [aDay('2026-11-20'), spent], cost_known: false, input_tokens: 100, cost_micros: null } })
    await loaded()
    expect(screen.getByText('Tokens and cost, 2 days')).toBeVisible()
    expect(screen.getByText('Calls with unknown tokens or cost are not included.')).toBeVisible()
    expect(screen.getByRole('img', { name: /Cost: unknown/ })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'As a table' }))
    expect(screen.getByRole('row', { name: 'Sat 21 Nov 100 20 unknown' })).toBeVisible()
  })
})

describe('what comes next', () => {
  test('names a day once, and what is prepared for a date', async () => {
    open({
      of: {
        next_occurrences: [
          coming('2026-11-21T16:30:00Z', { prepared: { topic_title: 'Riding in rain', post_id: 'post', first_file: null, asks: true, needs_approval: true } }),
          coming('2026-11-21T18:00:00Z', { prepared: { topic_title: 'Snow', post_id: null, first_file: null, asks: false, needs_approval: false } }),
          coming('2026-11-22T09:00:00Z', { clock_change: -60 }),
        ],
      },
    })
    await loaded()
    const days = [...document.querySelectorAll('.next .next-d:not(.vh)')].map((day) => day.textContent)
    expect(days).toEqual(['Today', '', 'Sun 22 Nov'])
    expect(screen.getByRole('link', { name: 'Riding in rain' })).toHaveAttribute('href', '/social-media-posts/post')
    expect(screen.getByText('Snow')).toBeVisible()
    expect(screen.getAllByRole('img', { name: 'Waiting for your approval' })).toHaveLength(1)
    expect(screen.queryByRole('link', { name: 'Snow' })).toBeNull()
    expect(screen.getByRole('img', { name: 'Clock change before this' })).toBeVisible()
  })

  test.each([
    ['image', 0],
    ['document', 1],
    ['video', 1],
  ] as const)('shows the first file, with a mark where it is no image: %s', async (kind, marks) => {
    const first_file = { kind, thumbnail_url: '/thumbnail.webp' }
    const prepared = { topic_title: 'Rain', post_id: 'post', first_file, asks: false, needs_approval: false }
    const next_posts = [onItsOwn('2026-11-21T16:30:00Z', { first_file })]
    open({ of: { next_posts, next_occurrences: [coming('2026-11-21T18:00:00Z', { prepared })] } })
    await loaded()
    expect(document.querySelectorAll('.next img[src="/thumbnail.webp"]')).toHaveLength(2)
    expect(document.querySelectorAll('.next-picture svg')).toHaveLength(2 * marks)
  })

  test('shows the soonest of both, posts by their text', async () => {
    open({
      of: {
        next_occurrences: ['21T16:30', '22T09:00', '23T09:00', '24T09:00', '25T09:00'].map((slot) => coming(`2026-11-${slot}:00Z`)),
        next_posts: [
          onItsOwn('2026-11-21T12:00:00Z', { id: 'a', title: 'Riding in rain' }),
          onItsOwn('2026-11-22T12:00:00Z', { id: 'b', title: '', needs_login: true, held: true }),
          onItsOwn('2026-11-26T12:00:00Z', { id: 'c', title: 'Much later' }),
        ],
      },
    })
    await loaded()
    const rows = [...document.querySelectorAll('.next li')].map((row) => row.textContent)
    expect(rows).toEqual([
      'Today12:00Riding in rain',
      'Today16:30Cycling tips',
      'Sun 22 Nov09:00Cycling tips',
      'Sun 22 Nov12:00Without textHeld: an account needs a new login',
      'Mon 23 Nov09:00Cycling tips',
    ])
    expect(screen.getByRole('link', { name: 'Riding in rain' })).toHaveAttribute('href', '/social-media-posts/a')
  })

  test('leads to writing one by hand', async () => {
    open()
    await loaded()
    expect(screen.getByRole('link', { name: 'Write a post' })).toHaveAttribute('href', '/social-media-posts?compose=new')
  })

  test('without any dates says how they come', async () => {
    open()
    await loaded()
    expect(screen.getByText(/^Nothing is scheduled\. Scheduled posts and the slots/)).toBeVisible()
  })
})

describe('the channels', () => {
  const linkedin = { channel: 'linkedin', posts: 4, published: 3, failed: 1 } as const

  test('are compared where there are several', async () => {
    open({ of: { posts_by_channel: [linkedin, { channel: 'facebook', posts: 1, published: 0, failed: 0 }, { channel: 'instagram', posts: 0, published: 0, failed: 0 }] } })
    await loaded()
    expect(screen.getByText('3 publications in 30 days · 1 failed')).toBeVisible()
    expect(screen.getByText('nothing in 30 days')).toBeVisible()
    expect(screen.queryByText('Instagram')).toBeNull()
  })

  test('are nothing to compare where there is one', async () => {
    open({ of: { posts_by_channel: [linkedin] } })
    await loaded()
    expect(screen.queryByText('By channel')).toBeNull()
  })
})

describe('the first start', () => {
  const none = { posts_by_status: nothing }

  test('shows the way to the first post in place of empty charts', async () => {
    open({ of: none, steps: setup('verify_email') })
    await loaded()
    expect(screen.getByText('1 of 6 steps done')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Connect an account' })).toHaveAttribute('href', '/account')
    expect(screen.getByRole('link', { name: 'Choose a template' })).toHaveAttribute('href', '/marketplace?type=text')
    expect(screen.getByText('No posts yet')).toBeVisible()
    expect(screen.queryByText(/posts in two weeks/)).toBeNull()
    expect(screen.queryByText('All posts')).toBeNull()
  })

  test('ends with the trial, where one can be had', async () => {
    const steps = setup(...STEPS)
    open({ of: none, steps: { complete: false, steps: [...steps.steps, { key: 'start_trial', done: false }] } })
    await loaded()
    expect(screen.getByText('6 of 7 steps done')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Start the free trial' })).toHaveAttribute('href', '/subscription')
  })

  test('is over when all is done', async () => {
    open()
    await loaded()
    expect(screen.queryByText(/steps done/)).toBeNull()
  })
})

describe('what cannot be loaded', () => {
  test('is told, and only that is asked for again', async () => {
    itIs(NOW)
    serve()
    const asked = { stats: 0, setup: 0 }
    server.use(
      http.get('*/api/users/account_stats/', () => {
        asked.stats += 1
        return asked.stats === 1 ? refuse(500, 'internal') : HttpResponse.json(stats())
      }),
      http.get('*/api/users/account_setup_state/', () => {
        asked.setup += 1
        return HttpResponse.json(setup(...STEPS))
      }),
    )
    const { user } = show(<Dashboard />)
    expect(await screen.findByRole('alert')).toHaveTextContent('The dashboard could not be loaded')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await loaded()
    expect(asked).toEqual({ stats: 2, setup: 1 })
  })
})

test('an assistant that pauses is named beside the dates, one that paused itself also waits', async () => {
  const paused_assistants = [
    { id: 'tips', name: 'Cycling tips', until: '2026-11-23T08:00:00Z', reason: null },
    { id: 'news', name: 'Shop news', until: null, reason: 'model_out_of_credit' as const },
  ]
  open({ of: { paused_assistants } })
  await loaded()
  const pauses = [...document.querySelectorAll('.next-paused li')].map((row) => row.textContent)
  expect(pauses[0]).toMatch(/^Cycling tipspaused until .* at 8:00$/)
  expect(pauses[1]).toBe('Shop newspaused')
  expect(screen.getByText('Shop news was paused automatically')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Open assistant: Shop news' })).toHaveAttribute('href', '/assistants/news')
  expect(screen.queryByText('Cycling tips was paused automatically')).toBeNull()
  expect(await headline()).toBe('Nothing is scheduled. One task is waiting for you.')
})

describe('what pauses since the subscription has ended', () => {
  const pausing = (...names: string[]) =>
    names.map((name) => ({ id: name, name, until: null, reason: 'subscription_ended' as const }))

  test('is named where it is one', async () => {
    open({ of: { paused_assistants: pausing('Shop news') } })
    await loaded()
    expect(screen.getByText('Shop news is paused')).toBeVisible()
    expect(screen.getByText('The subscription has ended.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open assistant: Shop news' })).toHaveAttribute('href', '/assistants/Shop%20news')
    expect([...document.querySelectorAll('.next-paused li')].map((row) => row.textContent)).toEqual(['Shop newspaused'])
  })

  test('is one line that leads to their list where there are several, beside those with reasons of their own', async () => {
    const news = { id: 'news', name: 'Shop news', until: null, reason: 'model_out_of_credit' as const }
    open({ of: { paused_assistants: [...pausing('One', 'Two', 'Three'), news] } })
    await loaded()
    expect(screen.getByText('3 assistants are paused')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Open assistants' })).toHaveAttribute('href', '/assistants')
    expect(screen.queryByText('One is paused')).toBeNull()
    expect(screen.getByText('Shop news was paused automatically')).toBeVisible()
    expect([...document.querySelectorAll('.next-paused li')].map((row) => row.textContent)).toEqual([
      '3 assistantspaused',
      'Shop newspaused',
    ])
    expect(await headline()).toBe('Nothing is scheduled. Two tasks are waiting for you.')
  })
})

describe('an account that needs a new login', () => {
  const disconnected = { of: { accounts_to_reconnect: [{ id: 'a', channel: 'linkedin', name: 'Mara Lind' } as const] } }

  test('whose login could not be started says so, and can be tried again', async () => {
    const started = vi.fn(() => refuse(503, 'internal'))
    server.use(http.post('*/api/accounts/connect/linkedin/', started))
    const { user } = open(disconnected)
    await loaded()
    const button = screen.getByRole('button', { name: 'Reconnect: Mara Lind' })
    await user.click(button)
    expect(await screen.findByText(/^The new login could not be started\./)).toBeVisible()
    await waitFor(() => expect(button).toBeEnabled())
  })
})

describe('the way on after a step', () => {
  test.each<[string, SetupStateOut, boolean, string | null]>([
    ['the next one', setup('verify_email', 'connect_account'), false, '/marketplace?type=text'],
    ['none when all is done', setup(...STEPS), false, null],
    ['another assistant when all is done', setup(...STEPS), true, '/assistants?new'],
  ])('leads to %s', async (_, steps, orNew, href) => {
    const answered = vi.fn(() => HttpResponse.json(steps))
    server.use(http.get('*/api/users/account_setup_state/', answered))
    show(<NextStep orNew={orNew} />)
    await waitFor(() => expect(answered).toHaveBeenCalled())
    if (href) expect(await screen.findByRole('link')).toHaveAttribute('href', href)
    else expect(screen.queryByRole('link')).toBeNull()
  })

  test('stands over the page of a step that is done', async () => {
    server.use(http.get('*/api/users/account_setup_state/', () => HttpResponse.json(setup('connect_account'))))
    show(<NextStepBar after="connect_account" />)
    expect(await screen.findByRole('complementary', { name: 'Next step' })).toHaveTextContent('Next step: Verify your email')
  })

  test('does not stand over the page of one that is not', async () => {
    const answered = vi.fn(() => HttpResponse.json(setup('verify_email')))
    server.use(http.get('*/api/users/account_setup_state/', answered))
    const { queryClient } = show(<NextStepBar after="connect_account" />)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(answered).toHaveBeenCalled()
    expect(screen.queryByRole('complementary')).toBeNull()
  })
})
