import { afterEach, describe, expect, test, vi } from 'vitest'
import { Mode, RunState, type CalendarOut, type CalendarPostOut } from '@/api/types.gen'
import { agendaDays, asDrawn, entriesOf, lanesIn, numberIn, numberOf, toWall, withoutDense } from './entries'

const found: CalendarOut = {
  time_zone: 'UTC',
  posts: [],
  runs: [],
  planned: Array.from({ length: 90 }, (_, n) => ({
    assistant_id: `assistant ${n % 9}`,
    assistant_name: `Tips ${n % 9}`,
    slot: `2026-11-25T${n < 45 ? '09' : '10'}:${String(n % 45).padStart(2, '0')}:00Z`,
    time_zone: 'UTC',
    mode: Mode.DRAFT,
    channels: [],
    is_next: false,
    others: n === 89 ? 3 : 0,
    last: n === 89 ? '2026-11-25T10:59:00Z' : null,
  })),
  left_out: [],
  more: [{ day: '2026-11-25', count: 4 }],
}

test.each([lanesIn('agenda', false), lanesIn('day', false), lanesIn('week', true)])('every view has as many entries, however many of them stand for others (%s lanes)', (lanes) => {
  const drawn = withoutDense(entriesOf(found, 'UTC', ''), lanes)
  expect(numberIn(drawn)).toBe(93)
  expect(numberOf(found)).toBe(97)
  if (!lanes) return
  expect(drawn).toHaveLength(2)
  expect(drawn[1]?.others).toEqual({ count: 47, last: '2026-11-25T10:59:00Z', mixed: true })
})

test('what stands for several that stand differently has the status of none of them', () => {
  const run = (state: RunState, minute: number) => ({
    id: `${state} ${minute}`,
    assistant_id: 'assistant',
    assistant_name: 'Tips',
    slot: `2026-11-25T09:${String(minute).padStart(2, '0')}:00Z`,
    state,
    reason: null,
    topic_title: null, needs_login: false,
  })
  const states = [RunState.MISSED, RunState.MISSED, RunState.SKIPPED, RunState.FAILED, RunState.PREPARING]
  const drawn = withoutDense(entriesOf({ ...found, planned: [], more: [], runs: states.map(run) }, 'UTC', ''), 3)
  expect(drawn.map(({ others }) => [others?.count, others?.various])).toEqual([
    [1, undefined],
    [undefined, undefined],
    [1, true],
  ])
})

describe('the agenda', () => {
  const post = (at: string, changes: Partial<CalendarPostOut> = {}): CalendarPostOut => ({
    id: `post ${at}`,
    assistant_id: 'assistant',
    assistant_name: 'Tips',
    source: 'assistant',
    status: 'complete',
    is_article: false,
    title: 'Mudguards help.',
    planned_at: at,
    deliveries: [],
    channels: ['linkedin'],
    approval: null,
    acknowledged_at: null,
    first_file: null,
    version: 1,
    fixed: null,
    ...changes,
  })
  const days = (posts: CalendarPostOut[], now = '2026-11-20T12:00:00Z', unread = new Map<string, number>()) =>
    agendaDays(entriesOf({ ...found, posts, planned: [], more: [] }, 'UTC', ''), unread, new Date(now))

  test('has a bounded number of rows for 2,000 entries, and tells of all of them', () => {
    const minutes = Array.from({ length: 2000 }, (_, n) => post(new Date(Date.UTC(2026, 10, 21) + n * 5 * 60_000).toISOString()))
    const agenda = days(minutes)
    expect(agenda.map(({ day }) => day)).toEqual(['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'])
    expect(Math.max(...agenda.map(({ rows }) => rows.length))).toBe(8)
    expect(agenda[0]?.rows[0]?.others).toEqual({ count: 11, last: '2026-11-21T00:55:00.000Z' })
    expect(agenda.reduce((sum, { rows, more }) => sum + numberIn(rows) + more, 0)).toBe(2000)
  })

  test('folds what is alike alone: another assistant and another status have rows of their own', () => {
    const alike = [0, 1, 2, 3, 4].map((minute) => post(`2026-11-21T09:0${minute}:00Z`))
    const others = [post('2026-11-21T09:30:00Z', { assistant_id: 'other' }), post('2026-11-21T09:40:00Z', { status: 'published' })]
    expect(days([...alike, ...others])[0]?.rows.map((row) => row.others?.count)).toEqual([4, undefined, undefined])
  })

  test('begins a busy day with what is still to come', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => post(`2026-11-21T${String(hour).padStart(2, '0')}:00:00Z`))
    const first = (now: string) => days(hours, now)[0]?.rows[0]?.at
    expect(first('2026-11-21T10:50:00Z')).toBe('2026-11-21T11:00:00Z')
    expect(first('2026-11-21T22:50:00Z')).toBe('2026-11-21T16:00:00Z')
    expect(first('2026-11-20T10:50:00Z')).toBe('2026-11-21T00:00:00Z')
  })

  test('names a day of which nothing was read', () => {
    expect(days([], undefined, new Map([['2026-11-21', 5]]))).toEqual([{ day: '2026-11-21', rows: [], more: 5 }])
  })
})

describe('a time is drawn as the clocks of the user’s zone show it, whatever the browser’s zone', () => {
  afterEach(() => void vi.unstubAllEnvs())

  test.each([
    ['Europe/Berlin', '2027-03-28'],
    ['America/New_York', '2027-03-14'],
    ['Australia/Lord_Howe', '2027-10-03'],
    ['Africa/Cairo', '2027-04-30'],
    ['America/Santiago', '2027-09-05'],
    ['Europe/Berlin', '2027-10-31'],
  ])('%s, %s', (browser, day) => {
    vi.stubEnv('TZ', browser)
    const midnight = Date.parse(`${day}T00:00Z`)
    // the browser has a change of its clocks on that day
    const noon = new Date(`${day}T12:00`)
    expect(new Date(noon.getTime() - 24 * 60 * 60_000).getTimezoneOffset()).not.toBe(noon.getTimezoneOffset())
    for (let quarter = 0; quarter < 96; quarter += 1) {
      const at = new Date(midnight + quarter * 15 * 60_000)
      const [entry] = entriesOf({ ...found, planned: [{ ...found.planned[0]!, slot: at.toISOString() }] }, 'UTC', '')
      expect(toWall(asDrawn(at, 'UTC'))).toBe(at.toISOString().slice(0, 16))
      expect(toWall(entry!.start)).toBe(at.toISOString().slice(0, 16))
      expect(toWall(entry!.end).slice(0, 10)).toBe(day)
    }
  })
})
