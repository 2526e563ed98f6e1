import { Drawer } from '@mantine/core'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CalendarOut, CalendarPostOut, CalendarRunOut, QuestionOut, PlannedSlotOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { withTags } from '@/lib/query-tags'
import { held, refuse } from '@/test/answers'
import { anAssistant, aPost } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { CalendarView, type PostDrawerProps } from './calendar-view'

const server = startServer(
  http.get('*/api/assistants/', () => HttpResponse.json({ items: [anAssistant({ id: '01a2105b-d0cc-7db2-8588-7e9dd9ac05eb' })], next_cursor: null, total: 1 })),
)

const post = (changes: Partial<CalendarPostOut> = {}): CalendarPostOut => ({
  id: 'post',
  assistant_id: 'assistant',
  assistant_name: 'Cycling tips',
  source: 'assistant',
  status: 'complete',
  is_article: false,
  title: 'Mudguards help.',
  planned_at: '2026-11-25T08:00:00Z',
  deliveries: [{ channel: 'linkedin', state: 'pending', called_at: null, error_code: null, removal: null }],
  channels: ['linkedin'],
  approval: null,
  acknowledged_at: null,
  first_file: null,
  version: 3,
  fixed: null,
  ...changes,
})

test.each([
  [7, 2, '+5'],
  [3, 3, null],
] as const)('an entry of %s networks shows %s icons beside its text', async (number, icons, more) => {
  const channels = (['linkedin', 'facebook', 'instagram', 'threads', 'mastodon', 'bluesky', 'linkedin_pages'] as const).slice(0, number)
  open({ posts: [post({ channels: [...channels] })] })
  const name = await screen.findByText('Mudguards help.')
  const shown = name.parentElement?.querySelector('.channels')
  expect(shown?.querySelectorAll('svg')).toHaveLength(icons)
  expect(shown?.textContent).toBe(more ?? '')
})

const asked = (changes: Partial<QuestionOut> = {}): QuestionOut => ({
  state: 'waiting',
  at_deadline: 'hold',
  deadline_at: '2026-11-25T07:55:00Z',
  at_once: false,
  ...changes,
})

const run = (changes: Partial<CalendarRunOut> = {}): CalendarRunOut => ({
  id: 'run',
  assistant_id: 'assistant',
  assistant_name: 'Cycling tips',
  slot: '2026-11-23T08:00:00Z',
  state: 'missed',
  reason: 'missed_outage',
  topic_title: null,
  needs_login: false,
  ...changes,
})

const planned = (changes: Partial<PlannedSlotOut> = {}): PlannedSlotOut => ({
  assistant_id: 'assistant',
  assistant_name: 'Cycling tips',
  slot: '2026-11-26T08:00:00Z',
  time_zone: 'America/New_York',
  mode: 'draft',
  channels: ['linkedin'],
  is_next: true,
  others: 0,
  last: null,
  ...changes,
})

/** In place of that of posts, which a route puts in. */
function Beside({ opened, postId, onClose }: PostDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title={`Post ${postId}`}>
      <button type="button">Something to do</button>
    </Drawer>
  )
}

interface Opened {
  at?: string
  zone?: string
}

function open(found: Partial<CalendarOut>, { at = '/calendar?view=week', zone = 'Europe/Berlin' }: Opened = {}) {
  const asked: URLSearchParams[] = []
  const answer = { time_zone: zone, posts: [], runs: [], planned: [], left_out: [], more: [], ...found }
  server.use(
    http.get('*/api/calendar/', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json(answer)
    }),
  )
  itIs('2026-11-24T12:00:00Z')
  const page = (
    <TimeZoneContext value={zone}>
      <CalendarView PostDrawer={Beside} />
    </TimeZoneContext>
  )
  return { asked, answer, ...show(page, { at, path: '/calendar' }) }
}

/** What the server was asked to move, and its answer. */
function moving(answer: (body: { planned_at: string; version: number }) => Response | Promise<Response>) {
  const bodies: { planned_at: string; version: number }[] = []
  server.use(
    http.post('*/api/social-media-posts/post/move/', async ({ request }) => {
      const body = (await request.json()) as { planned_at: string; version: number }
      bodies.push(body)
      return answer(body)
    }),
  )
  return bodies
}

const moved = ({ planned_at, version }: { planned_at: string; version: number }) =>
  HttpResponse.json({ post: aPost({ status: 'complete', planned_at, version: version + 1 }), confirmed: true })

const entry = async (name: RegExp) => await screen.findByRole('link', { name })

describe('an entry', () => {
  test.each<[Partial<CalendarPostOut>, RegExp]>([
    [{}, /^09:00\s*Complete · scheduled\s*Mudguards help\.\s*LinkedIn$/],
    [{ status: 'draft', approval: asked() }, /^09:00\s*Your turn/],
    [{ status: 'draft' }, /^09:00\s*Draft/],
    [{ status: 'published', deliveries: [{ channel: 'linkedin', state: 'published', called_at: '2026-11-25T08:00:00Z', error_code: null, removal: null }] }, /^09:00\s*Published/],
    [{ status: 'failed', deliveries: [{ channel: 'linkedin', state: 'failed', called_at: null, error_code: 'delivery_refused', removal: null }] }, /^09:00\s*Failed/],
    [{ deliveries: [{ channel: 'linkedin', state: 'unknown', called_at: '2026-11-25T08:00:00Z', error_code: 'delivery_unknown', removal: null }] }, /^09:00\s*Unclear/],
    [{ status: 'draft', deliveries: [{ channel: 'linkedin', state: 'cancelled', called_at: null, error_code: 'missed_outage', removal: null }] }, /^09:00\s*Missed/],
    [{ title: '' }, /No text yet\s*LinkedIn$/],
  ])('of a post says its time and how it stands, and opens it (%#)', async (changes, name) => {
    open({ posts: [post(changes)] })
    expect(await entry(name)).toHaveAttribute('href', '/social-media-posts/post')
  })

  test.each<[Partial<CalendarRunOut>, RegExp]>([
    [{}, /^09:00\s*Missed\s*Cycling tips$/],
    [{ state: 'failed', reason: 'model_refused', topic_title: 'Rain' }, /^09:00\s*Failed\s*Rain$/],
    [{ state: 'preparing', reason: null }, /^09:00\s*Being written/],
    [{ state: 'skipped', reason: 'skipped_by_hand' }, /^09:00\s*Skipped/],
  ])('of a run without a post opens the run (%#)', async (changes, name) => {
    open({ runs: [run(changes)] })
    expect(await entry(name)).toHaveAttribute('href', '/assistants/assistant?tab=runs&run=run')
  })

  test.each(['waiting', 'rewritten'] as const)('that goes out once it is approved has no time but that of the decision, and others have both (%s)', async (state) => {
    open({
      posts: [
        post({ status: 'draft', approval: asked({ state, at_once: true }), planned_at: '2026-11-25T07:56:00Z' }),
        post({ id: 'other', title: 'Chains rust.', status: 'draft', approval: asked(), planned_at: '2026-11-26T08:00:00Z' }),
      ],
    })
    expect(await entry(state === 'waiting' ? /^by 08:55\s*Your turn/ : /^by 08:55/)).toBeVisible()
    expect(await entry(/^09:00\s*Your turn\s*Chains rust/)).toBeVisible()
  })

  test('of the agenda has the same times', async () => {
    const question = { at_once: true, deadline_at: '2026-11-25T07:55:00Z' }
    open({ posts: [post({ status: 'draft', approval: asked(question) }), post({ id: 'other' })] }, { at: '/calendar?view=agenda' })
    const day = within(await screen.findByRole('region', { name: 'Wed 25 Nov' }))
    expect(day.getAllByRole('listitem').map((row) => row.querySelector('time')?.textContent)).toEqual(['by 08:55', '09:00'])
  })

  test('of an article is moved as one', async () => {
    const { user } = open({ posts: [post({ is_article: true, channels: ['wordpress'] })] })
    await user.click(await screen.findByRole('button', { name: 'Move to…: Mudguards help.' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Move this article' }))
    expect(dialog.getByRole('button', { name: 'Move article' })).toBeVisible()
  })

  test.each([
    ['image', 0],
    ['document', 1],
    ['video', 1],
  ] as const)('shows its first file, with a mark where it is no image: %s', async (kind, marks) => {
    const { container } = open({ posts: [post({ first_file: { kind, thumbnail_url: '/thumbnail.webp' } })] })
    await entry(/Mudguards/)
    expect(container.querySelector('.cev img')).toHaveAttribute('src', '/thumbnail.webp')
    expect(container.querySelectorAll('.cev-thumb svg')).toHaveLength(marks)
  })

  test('stands at the time of the user, and the tip has that of the schedule', async () => {
    open({ planned: [planned()] }, { zone: 'Asia/Tokyo' })
    const slot = await screen.findByRole('button', { name: /^17:00\s*Slot\s*Cycling tips\s*LinkedIn$/ })
    expect(slot.closest('[title]')).toHaveAttribute('title', expect.stringContaining('03:00 in America/New_York'))
  })

  test('stands for all of its assistant and hour where these are many', async () => {
    const minutes = Array.from({ length: 20 }, (_, minute) => planned({ slot: `2026-11-25T08:${String(minute + 10)}:00Z` }))
    open({ planned: minutes })
    const slot = await screen.findByRole('button', { name: /^09:10\s*Slot\s*Cycling tips\s*LinkedIn · 19 more until 09:29$/ })
    expect(slot.closest('[title]')).toHaveAttribute('title', expect.stringContaining('19 more until 09:29'))
    // where the words do not fit
    expect(within(slot).getByText('+19')).toHaveAttribute('aria-hidden', 'true')
    expect(screen.getAllByRole('button', { name: /Cycling tips/ })).toHaveLength(1)
  })

  test('stands for all posts of its hour that are equally far where these would crowd a column, and leads to them', async () => {
    const posts = Array.from({ length: 6 }, (_, minute) => post({ id: `post ${minute}`, planned_at: `2026-11-25T08:${String(minute + 10)}:00Z` }))
    const { user, answer, queryClient } = open({ posts: [...posts, post({ id: 'alone', title: 'Wash it.', status: 'draft', planned_at: '2026-11-25T08:30:00Z' })] })
    expect(await entry(/^09:30\s*Draft\s*Wash it\.\s*LinkedIn$/)).toBeVisible()
    expect(screen.queryByRole('link', { name: /Mudguards/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Move .*Mudguards/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: /^09:10\s*Complete · scheduled\s*Mudguards help\. · 5 more until 09:15$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'From Wed 25 Nov, 09:10' }))
    expect(dialog.getAllByRole('link', { name: /Mudguards/ })).toHaveLength(6)
    expect(dialog.getAllByRole('listitem').map((item) => item.querySelector('time')?.textContent)).toEqual(
      ['09:10', '09:11', '09:12', '09:13', '09:14', '09:15', '09:30'],
    )
    // once nothing is left in that hour there is nothing to show
    answer.posts = []
    await act(() => queryClient.invalidateQueries(withTags('calendar')))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('of a moment that a week has no room for stands for the others of its status, whoever made them', async () => {
    const own = Array.from({ length: 5 }, (_, n) => planned({ assistant_id: `assistant ${n}`, assistant_name: `Tips ${n}`, slot: '2026-11-25T08:00:00Z' }))
    const { user } = open({ planned: own, posts: [post({ planned_at: '2026-11-25T08:00:00Z' }), post({ id: 'other', status: 'draft', planned_at: '2026-11-25T08:20:00Z' })] })
    expect(await entry(/^09:00\s*Complete · scheduled/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: /^09:00\s*Various\s*Tips 0 · 5 more until 09:20$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'From Wed 25 Nov, 09:00' }))
    await user.click(dialog.getByRole('button', { name: 'Tips 3' }))
    expect(await screen.findByRole('dialog', { name: 'Slot for a post' })).toHaveTextContent('Tips 3')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^From/ })).toBeNull())
  })

  test('is German for Germans', async () => {
    await speak('de')
    open({ posts: [post({ status: 'failed', deliveries: [] })] })
    expect(await entry(/^09:00\s*Fehlgeschlagen/)).toBeVisible()
    expect(screen.getByText('Fehler')).toBeVisible()
  })

  test('has a point after the number of a day for Germans, in a week and in the agenda', async () => {
    await speak('de')
    const week = open({ posts: [post()] })
    expect(await screen.findByText('Mi. 25.')).toBeVisible()
    week.unmount()
    open({ posts: [post()] }, { at: '/calendar?view=agenda&date=2026-11-25' })
    expect(await screen.findByText('Mi. 25. Nov.')).toBeVisible()
  })
})

describe('what is opened', () => {
  test('is a post beside the calendar, with an address of its own; Escape leads back to its entry', async () => {
    const { user, address } = open({ posts: [post()] })
    await user.click(await entry(/Mudguards/))
    expect(await screen.findByRole('dialog', { name: 'Post post' })).toBeVisible()
    expect(address()).toBe('/calendar?view=week&entry=post')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(address()).toBe('/calendar?view=week')
    await waitFor(() => expect(screen.getByRole('link', { name: /Mudguards/ })).toHaveFocus())
  })

  test('is what a link names, a post of another period too', async () => {
    const id = '01a2105b-d0cc-7db2-8588-7e9dd9ac05eb'
    open({ posts: [post()] }, { at: `/calendar?view=week&entry=${id}` })
    expect(await screen.findByRole('dialog', { name: `Post ${id}` })).toBeVisible()
  })

  test('is a slot of an assistant in the same way', async () => {
    const { user, address } = open({ planned: [planned()] }, { at: '/calendar?view=agenda' })
    await user.click(await screen.findByRole('button', { name: 'Cycling tips' }))
    expect(await screen.findByRole('dialog', { name: 'Slot for a post' })).toBeVisible()
    expect(address()).toMatch(/^\/calendar\?view=agenda&entry=assistant\+2026-11-26T08/)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cycling tips' })).toHaveFocus())
  })

  test('with a key held down is the page of the post, as for every link', async () => {
    const { address } = open({ posts: [post()] })
    const link = await entry(/Mudguards/)
    fireEvent.click(link, { ctrlKey: true })
    expect(address()).toBe('/calendar?view=week')
    expect(link).toHaveAttribute('href', '/social-media-posts/post')
  })
})

describe('where the browser’s clocks change and the user’s do not', () => {
  test.each([
    ['America/New_York', '2027-03-14T02:30'],
    ['Europe/Berlin', '2027-03-28T02:30'],
    ['Europe/Berlin', '2027-10-31T12:00'],
    ['Africa/Cairo', '2027-04-30T00:30'],
    ['Australia/Lord_Howe', '2027-10-03T02:15'],
    ['America/Santiago', '2027-09-05T00:30'],
  ])('an entry stands in the row of its time (%s, %s)', async (browser, wall) => {
    vi.stubEnv('TZ', browser)
    onTestFinished(() => void vi.unstubAllEnvs())
    const [day = '', time = ''] = wall.split('T')
    open({ posts: [post({ planned_at: `${wall}:00Z` })] }, { zone: 'UTC', at: `/calendar?view=day&date=${day}` })
    const shown = await entry(new RegExp(`^${time}`))
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const top = Number.parseFloat(shown.closest<HTMLElement>('.rbc-event')!.style.top)
    expect(top).toBeCloseTo(((hours * 60 + minutes) / (24 * 60)) * 100, 1)
    expect([...document.querySelectorAll('.rbc-time-gutter .rbc-label')].map((label) => label.textContent)).toEqual(
      Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`),
    )
  })
})

describe('the period', () => {
  test('is asked for in days of the user’s zone', async () => {
    const { asked } = open({}, { at: '/calendar?view=week&date=2026-10-22' })
    await waitFor(() => expect(asked).toHaveLength(1))
    // of the week's end on clocks have changed
    expect(Object.fromEntries(asked[0]!)).toEqual({ from: '2026-10-18T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' })
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/19\s*–\s*25 October 2026/)
  })

  test('is a month without a word', async () => {
    const { asked } = open({}, { at: '/calendar' })
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(screen.getByRole('heading', { level: 1, name: 'November 2026' })).toBeVisible()
    const days = (await screen.findAllByRole('columnheader')).map((day) => day.textContent)
    expect([days[0], days[6]]).toEqual(['Mon', 'Sun'])
  })

  test('steps, jumps and changes in the address', async () => {
    const { user, address, asked } = open({}, { at: '/calendar?view=week&date=2026-10-22' })
    // two questions on their way at once may arrive in any order
    await waitFor(() => expect(asked).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: 'Next week' }))
    expect(address()).toBe('/calendar?view=week&date=2026-10-29')
    await waitFor(() => expect(asked.at(-1)?.get('from')).toBe('2026-10-25T23:00:00.000Z'))
    await user.click(screen.getByRole('radio', { name: 'Month' }))
    await user.click(screen.getByRole('button', { name: 'Previous month' }))
    expect(address()).toBe('/calendar?view=month&date=2026-09-01')
    await user.click(screen.getByRole('button', { name: 'Today' }))
    expect(address()).toBe('/calendar?view=month')
  })

  test('a day of the month opens as a day', async () => {
    const { user, address, router } = open({ posts: [post()] }, { at: '/calendar' })
    await user.click(await screen.findByRole('button', { name: 'Open Wednesday 25 November' }))
    expect(address()).toBe('/calendar?view=day&date=2026-11-25')
    await waitFor(() => expect(screen.getByRole('link', { name: /Mudguards/ })).toBeVisible())
    // and the way back leads to the month
    await act(() => router.navigate(-1))
    expect(address()).toBe('/calendar')
  })

  test('names what is left out and when clocks change', async () => {
    const left = { day: '2026-10-23', reason: 'holiday' as const, holiday: 'Some day', assistant_names: ['Cycling tips', 'Facts'] }
    open({ left_out: [left], posts: [post({ planned_at: '2026-10-23T08:00:00Z' })] }, { at: '/calendar?view=agenda&date=2026-10-22' })
    expect(await screen.findByText('Skipped by Cycling tips and Facts: Some day')).toBeVisible()
    expect(screen.getByText('Clocks change by 60 minutes')).toBeVisible()
  })

  test('says once what is so of several days', async () => {
    const left = (day: string) => ({ day, reason: 'date' as const, holiday: '', assistant_names: ['Facts'] })
    open({ left_out: ['2026-11-26', '2026-11-27', '2026-11-29'].map(left), posts: [post()] }, { at: '/calendar?view=agenda' })
    expect(await screen.findByText('Skipped by Facts')).toHaveTextContent('Thu 26 Nov, Fri 27 Nov and Sun 29 Nov: Skipped by Facts')
  })

  test('strikes a day that all leave out, and names who alone does', async () => {
    const left = (day: string) => ({ day, reason: 'date' as const, holiday: '', assistant_names: ['Facts'] })
    open({ left_out: [left('2026-11-26'), left('2026-11-25')], posts: [post()] }, { at: '/calendar' })
    await entry(/Mudguards/)
    const [alone, all] = [25, 26].map((day) => screen.getByRole('button', { name: new RegExp(`^Open \\w+ ${day} November`) }))
    expect(all?.dataset.leftOut).toBe('true')
    expect(all?.parentElement).toHaveTextContent('26SkippedSkipped by Facts')
    expect(alone?.dataset.leftOut).toBeUndefined()
    expect(alone?.parentElement).toHaveTextContent('25FactsSkipped by Facts')
  })

  test.each(['week', 'agenda'])('that is cut says how many more there are, of each day too: %s', async (view) => {
    const { user, address } = open({ posts: [post()], more: [{ day: '2026-11-25', count: 1200 }, { day: '2026-11-26', count: 3 }] }, { at: `/calendar?view=${view}&date=2026-11-25` })
    expect(await screen.findByText('1,203 entries are not shown.')).toBeVisible()
    expect(screen.getByText(/shorter period/)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: /\+1,200 more$/ }))
    expect(address()).toBe('/calendar?view=day&date=2026-11-25')
  })

  test('of a month is no less for it: a day says how many more it has', async () => {
    open({ posts: [post()], more: [{ day: '2026-11-25', count: 1200 }] }, { at: '/calendar' })
    await entry(/Mudguards/)
    expect(screen.queryByText('1,200 entries are not shown.')).toBeNull()
  })

  test('that is cut within a day has no shorter one', async () => {
    open({ posts: [post()], more: [{ day: '2026-10-21', count: 1 }] }, { at: '/calendar?view=day&date=2026-10-21' })
    expect(await screen.findByText('1 entry is not shown.')).toBeVisible()
    expect(screen.getByText('Only the first entries are shown. Choose a filter.')).toBeVisible()
  })
})

describe('filters', () => {
  test('are asked of the server as the address has them', async () => {
    const { asked } = open({ posts: [post()] }, { at: '/calendar?view=week&status=failed&channel=linkedin&assistant=01a2105b-d0cc-7db2-8588-7e9dd9ac05eb' })
    await entry(/Mudguards/)
    expect(Object.fromEntries(asked[0]!)).toMatchObject({ status: 'failed', channel: 'linkedin', assistant_id: '01a2105b-d0cc-7db2-8588-7e9dd9ac05eb' })
    expect(screen.getByRole('combobox', { name: 'Status' })).toHaveValue('Failed')
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Assistant' })).toHaveValue('Cycling tips'))
  })

  test('leave out what is only planned', async () => {
    const { user, address, asked } = open({ posts: [post()] })
    await entry(/Mudguards/)
    await user.click(screen.getByRole('button', { name: 'Show slots' }))
    expect(address()).toBe('/calendar?view=week&planned=hidden')
    await waitFor(() => expect(asked.at(-1)?.getAll('status')).toEqual(['draft', 'waiting', 'complete', 'held', 'published', 'unknown', 'failed', 'missed', 'skipped']))
  })

  test('are in a drawer on a phone, which tells how many entries fit', async () => {
    const screenIs = vi.spyOn(window, 'matchMedia').mockImplementation((media) => Object.assign(new EventTarget(), { matches: media.includes('max-width'), media }) as MediaQueryList)
    onTestFinished(() => void screenIs.mockRestore())
    const { user, address } = open({ posts: [post()], runs: [run()], planned: [planned()] }, { at: '/calendar?view=agenda&status=failed' })
    await entry(/Mudguards/)
    expect(screen.queryByRole('combobox')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Filters (1)' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Filter the calendar' }))
    expect(drawer.getByRole('combobox', { name: 'Status' })).toHaveValue('Failed')
    // of one status all is shown, and nothing else
    expect(drawer.getByRole('button', { name: 'Show slots' })).toBeDisabled()
    await user.click(drawer.getByRole('button', { name: 'Clear filters' }))
    expect(address()).toBe('/calendar?view=agenda')
    await user.click(drawer.getByRole('button', { name: 'Show slots' }))
    expect(address()).toBe('/calendar?view=agenda&planned=hidden')
    await user.click(await drawer.findByRole('button', { name: 'Show 3 entries' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('that find nothing can be cleared', async () => {
    const { user, address } = open({}, { at: '/calendar?view=agenda&status=missed' })
    expect(await screen.findByText('Nothing in this period fits the filters.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(address()).toBe('/calendar?view=agenda')
    expect(await screen.findByRole('heading', { name: 'This period has no posts and no slots' })).toBeVisible()
  })
})

describe('moving', () => {
  test('by keys keeps the time over a change of the clocks', async () => {
    const bodies = moving(moved)
    const { user } = open({ posts: [post({ planned_at: '2026-10-24T07:00:00Z' })] }, { at: '/calendar?date=2026-10-24' })
    const shown = await entry(/^09:00/)
    act(() => shown.focus())
    await user.keyboard('{Alt>}{ArrowRight}{/Alt}')
    expect(await screen.findByText('Moved to Sun 25 Oct, 09:00.')).toBeVisible()
    expect(bodies).toEqual([{ version: 3, planned_at: '2026-10-25T08:00:00.000Z' }])
  })

  test('in a week by a quarter of an hour', async () => {
    const bodies = moving(moved)
    const { user, answer } = open({ posts: [post()] })
    const shown = await entry(/^09:00/)
    answer.posts = [post({ planned_at: '2026-11-25T07:45:00Z', version: 4 })]
    act(() => shown.focus())
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    await waitFor(() => expect(bodies).toEqual([{ version: 3, planned_at: '2026-11-25T07:45:00.000Z' }]))
    await waitFor(() => expect(screen.getByRole('link', { name: /^08:45/ })).toHaveFocus())
  })

  test('by a quarter of an hour passes the hour that clocks leave out', async () => {
    const bodies = moving(moved)
    const { user } = open({ posts: [post({ planned_at: '2027-03-28T01:00:00Z' })] }, { at: '/calendar?view=day&date=2027-03-28' })
    const shown = await entry(/^03:00/)
    act(() => shown.focus())
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    await waitFor(() => expect(bodies).toEqual([{ version: 3, planned_at: '2027-03-28T00:45:00.000Z' }]))
  })

  test('to the time that it has moves nothing, of an hour that comes twice as well', async () => {
    const bodies = moving(moved)
    const { user } = open({ posts: [post({ planned_at: '2027-10-31T01:30:00Z' })] }, { at: '/calendar?view=day&date=2027-10-31' })
    const shown = await entry(/^02:30/)
    act(() => shown.focus())
    await user.keyboard('m')
    const dialog = within(await screen.findByRole('dialog', { name: 'Move this post' }))
    await user.click(dialog.getByRole('button', { name: 'Move post' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodies).toEqual([])
  })

  test('of what goes out once it is approved gives it a time for good', async () => {
    const bodies = moving(moved)
    const question = { at_once: true, deadline_at: '2026-11-25T07:55:00Z' }
    const { user } = open({ posts: [post({ status: 'draft', approval: asked(question) })] })
    const shown = await entry(/^by 08:55/)
    act(() => shown.focus())
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(await screen.findByText(/^Moved to/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('by M with a date, and back again', async () => {
    const bodies = moving(moved)
    const { user, answer } = open({ posts: [post()] })
    const shown = await entry(/^09:00/)
    act(() => shown.focus())
    await user.keyboard('m')
    const dialog = within(await screen.findByRole('dialog', { name: 'Move this post' }))
    const field = dialog.getByLabelText(/Date and time/)
    expect(field).toHaveValue('2026-11-25T09:00')
    await user.clear(field)
    await user.type(field, '2026-11-23T09:00')
    expect(dialog.getByText('This time is in the past. Choose a later one.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Move post' })).toBeDisabled()
    await user.clear(field)
    await user.type(field, '2026-11-27T18:30')
    await user.keyboard('{Escape}')
    expect(field).toHaveValue('2026-11-27T18:30')
    answer.posts = [post({ planned_at: '2026-11-27T17:30:00Z', version: 4 })]
    await user.click(dialog.getByRole('button', { name: 'Move post' }))
    expect(await entry(/^18:30/)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(bodies.at(-1)).toEqual({ version: 4, planned_at: '2026-11-25T08:00:00.000Z' }))
  })

  test('of what is past begins an hour from now, without a complaint', async () => {
    const bodies = moving(moved)
    const { user } = open({ posts: [post({ planned_at: '2026-11-23T08:00:00Z' })] })
    const shown = await entry(/^09:00/)
    act(() => shown.focus())
    await user.keyboard('m')
    const dialog = within(await screen.findByRole('dialog', { name: 'Move this post' }))
    expect(dialog.getByLabelText(/Date and time/)).toHaveValue('2026-11-24T14:00')
    expect(dialog.queryByText('This time is in the past. Choose a later one.')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Move post' }))
    await waitFor(() => expect(bodies).toEqual([{ version: 3, planned_at: '2026-11-24T13:00:00.000Z' }]))
  })

  test('shows it at its new place at once, and at the old one where the server refuses', async () => {
    const answer = held()
    moving(async () => {
      await answer.until
      return refuse(409, 'post_going_out')
    })
    const { user } = open({ posts: [post()] })
    const shown = await entry(/^09:00/)
    act(() => shown.focus())
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(await entry(/^09:15/)).toBeVisible()
    answer.letGo()
    const why = 'Not moved. Publishing has already started, so changes are no longer possible.'
    expect(await screen.findByText(why)).toBeVisible()
    expect(await entry(/^09:00/)).toBeVisible()
  })

  test('again before the answer goes on from where it then is, to the last place asked for', async () => {
    const held = new Map<string, () => void>()
    const bodies = moving(async (body) => {
      await new Promise<void>((resolve) => held.set(body.planned_at, resolve))
      return moved(body)
    })
    const { user } = open({ posts: [post()] })
    ;(await entry(/^09:00/)).focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await entry(/^09:15/)
    await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}')
    await waitFor(() => {
      expect(held.size).toBe(1)
    })
    for (const release of held.values()) release()
    await waitFor(() => {
      expect(bodies).toHaveLength(2)
    })
    expect(bodies[1]).toEqual({ planned_at: '2026-11-25T08:30:00.000Z', version: (bodies[0]?.version ?? 0) + 1 })
    for (const release of held.values()) release()
    await entry(/^09:30/)
  })

  test('by M goes on from what was answered while the dialog was open', async () => {
    let release = () => {}
    const bodies = moving(async (body) => {
      if (bodies.length === 1) await new Promise<void>((resolve) => (release = resolve))
      answer.posts = [post({ planned_at: body.planned_at, version: body.version + 1 })]
      return moved(body)
    })
    const { user, answer } = open({ posts: [post()] })
    ;(await entry(/^09:00/)).focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    ;(await entry(/^09:15/)).focus()
    await user.keyboard('m')
    const dialog = await screen.findByRole('dialog')
    release()
    await screen.findByText(/^Moved to/)
    fireEvent.change(within(dialog).getByLabelText(/Date and time/), { target: { value: '2026-11-25T14:30' } })
    await user.click(within(dialog).getByRole('button', { name: 'Move post' }))
    await waitFor(() => {
      expect(bodies).toHaveLength(2)
    })
    expect(bodies[1]?.version).toBe((bodies[0]?.version ?? 0) + 1)
  })

  test('without a network leaves it where it was', async () => {
    moving(() => HttpResponse.error())
    const { user } = open({ posts: [post()] })
    const shown = await entry(/^09:00/)
    act(() => shown.focus())
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(await screen.findByText(/^Not moved\. ./)).toBeVisible()
    expect(await entry(/^09:00/)).toBeVisible()
  })

  test('is not asked of what cannot be moved', async () => {
    const bodies = moving(moved)
    const { user } = open({ posts: [post({ fixed: 'post_ended', status: 'published' })] })
    const shown = await entry(/^09:00/)
    expect(screen.queryByRole('button', { name: /^Move to/ })).toBeNull()
    act(() => shown.focus())
    await user.keyboard('m{Alt>}{ArrowDown}{/Alt}')
    expect((await screen.findAllByText('Moving is not possible. Publishing is no longer scheduled.')).length).toBeGreaterThan(0)
    expect(bodies).toEqual([])
  })
})

describe('a slot to come', () => {
  test('is skipped, and that taken back', async () => {
    const skipped: unknown[] = []
    server.use(
      http.post('*/api/assistants/assistant/:act/', async ({ request, params }) => {
        skipped.push([params.act, await request.json()])
        return HttpResponse.json({ slot: '2026-11-26T08:00:00Z', undo_until: '2026-11-26T07:45:00Z' })
      }),
    )
    const { user } = open({ planned: [planned()] })
    await user.click(await screen.findByRole('button', { name: /^09:00\s*Slot/ }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Slot for a post' }))
    expect(drawer.getByText('Thu 26 Nov, 03:00 in America/New_York')).toBeVisible()
    expect(drawer.getByRole('link', { name: 'Open assistant' })).toHaveAttribute('href', '/assistants/assistant')
    await user.click(drawer.getByRole('button', { name: 'Skip this slot' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const slot = { slot: '2026-11-26T08:00:00Z' }
    await waitFor(() => expect(skipped).toEqual([['skip', slot], ['unskip', slot]]))
  })

  test('that is not the next says why it cannot be skipped, and another post can be written', async () => {
    const asked: unknown[] = []
    server.use(
      http.post('*/api/assistants/assistant/run/', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json({ run_id: 'new' })
      }),
    )
    const { user } = open({ planned: [planned({ is_next: false })] })
    await user.click(await screen.findByRole('button', { name: /^09:00\s*Slot/ }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Slot for a post' }))
    expect(drawer.getByRole('button', { name: 'Skip this slot' })).toBeDisabled()
    expect(drawer.getByText('You can only skip the next post of an assistant.')).toBeVisible()
    await user.click(drawer.getByRole('button', { name: 'Run now' }))
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(await screen.findByText('“Cycling tips” has started a run.')).toBeVisible()
  })

  test('that a person left out can be taken back', async () => {
    let taken = 0
    server.use(
      http.post('*/api/assistants/assistant/unskip/', () => {
        taken += 1
        return HttpResponse.json({ slot: '2026-11-26T08:00:00Z', undo_until: null })
      }),
    )
    const { user } = open({ runs: [run({ state: 'skipped', reason: 'skipped_by_hand', slot: '2026-11-26T08:00:00Z' })] })
    await user.click(await screen.findByRole('button', { name: /^09:00\s*Skipped/ }))
    await user.click(await screen.findByRole('button', { name: 'Undo skipping' }))
    await waitFor(() => expect(taken).toBe(1))
  })
})

test('what could not be loaded says so, and is asked for again', async () => {
  const { user } = open({ posts: [post()] })
  await entry(/Mudguards/)
  let calls = 0
  server.use(
    http.get('*/api/calendar/', () => {
      calls += 1
      return refuse(500, 'internal')
    }),
  )
  await user.click(screen.getByRole('button', { name: 'Next week' }))
  expect(await screen.findByRole('heading', { name: 'The calendar could not be loaded' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(calls).toBe(2))
})

test('what is told of live is asked for again', async () => {
  const { answer, queryClient } = open({ posts: [post()] })
  await entry(/Complete/)
  answer.posts = [post({ status: 'published', deliveries: [] })]
  await act(() => queryClient.invalidateQueries(withTags('calendar')))
  expect(await entry(/Published/)).toBeVisible()
})
