import { generatePath } from 'react-router'
import type { CalendarOut, CalendarPostOut, CalendarRunOut, PlannedSlotOut, RunState } from '@/api/types.gen'
import { isUndecided, postStatus } from '@/components/post-status'
import type { Status } from '@/components/status'
import { paths } from '@/lib/paths'
import { wallTime } from '@/lib/time-zones'
import type { View } from './period'
import { isSite } from '@/components/channel'
import { contentKindOf, type ContentKind } from '@/lib/content-kind'

interface Shown {
  id: string
  at: string
  title: string
  /** `planned`: no run has started. */
  status: Status | 'planned'
  channels: readonly string[]
  /** The local time in the user's zone as a UTC date, from which the calendar renders. */
  start: Date
  end: Date
  /**
   * The further entries of the same hour that this one represents: their number, the last time, and whether they differ
   * in more than time, or in status.
   */
  others?: { count: number; last: string; mixed?: boolean; various?: boolean }
}

export type Entry = Shown &
  ({ kind: 'post'; post: CalendarPostOut } | { kind: 'run'; run: CalendarRunOut } | { kind: 'planned'; slot: PlannedSlotOut })

const DRAWN_FOR = 45 * 60_000 // ms: the rendered length of a post, which has no duration
const MINUTE = 60_000 // ms

const runStatuses: Partial<Record<RunState, Status>> = { preparing: 'publishing', missed: 'missed', skipped: 'skipped' }

/**
 * Return the local time in the zone as a `Date` in UTC. The calendar renders UTC only, so clock changes in the
 * browser's zone do not matter.
 */
export function asDrawn(at: string | Date, zone: string): Date {
  return fromWall(wallTime(new Date(at), zone))
}

export const fromWall = (wall: string): Date => new Date(`${wall}Z`)

/** Return a rendered date as local time, such as `2026-11-21T09:30`. */
export const toWall = (drawn: Date): string => drawn.toISOString().slice(0, 16)

function times(at: string, zone: string): Pick<Shown, 'at' | 'start' | 'end'> {
  const start = asDrawn(at, zone)
  const midnight = Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate() + 1)
  // an entry past midnight would be rendered over two days
  return { at, start, end: new Date(Math.min(start.getTime() + DRAWN_FOR, midnight - MINUTE)) }
}

export function entriesOf(calendar: CalendarOut, zone: string, noText: string): Entry[] {
  const posts = calendar.posts.map(
    (post): Entry => ({
      kind: 'post',
      post,
      id: post.id,
      title: post.title || noText,
      status: postStatus(post),
      channels: post.channels,
      ...times(post.planned_at, zone),
    }),
  )
  const runs = calendar.runs.map(
    (run): Entry => ({
      kind: 'run',
      run,
      id: run.id,
      title: run.topic_title ?? run.assistant_name,
      status: run.needs_login ? 'held' : (runStatuses[run.state] ?? 'failed'),
      channels: [],
      ...times(run.slot, zone),
    }),
  )
  const planned = calendar.planned.map(
    (slot): Entry => ({
      kind: 'planned',
      slot,
      id: `${slot.assistant_id} ${slot.slot}`,
      title: slot.assistant_name,
      status: 'planned',
      channels: slot.channels,
      ...(slot.last !== null && { others: { count: slot.others, last: slot.last } }),
      ...times(slot.slot, zone),
    }),
  )
  return [...posts, ...runs, ...planned]
}

/** Return the number of all entries, independent of the view. */
export const numberOf = ({ posts, runs, planned, more }: CalendarOut): number =>
  posts.length + runs.length + planned.reduce((sum, { others }) => sum + 1 + others, beyond(more))

/** Return the number of entries, including those that they represent. */
export const numberIn = (entries: readonly Pick<Entry, 'others'>[]): number =>
  entries.reduce((sum, { others }) => sum + 1 + (others?.count ?? 0), 0)

/** Return the number of entries that were not loaded. */
export const beyond = (more: CalendarOut['more']): number => more.reduce((sum, { count }) => sum + count, 0)

/** The maximum of entries per hour that are rendered separately. */
const DENSE = { planned: 2, post: 4, run: 4 } satisfies Record<Entry['kind'], number>

/**
 * Return the maximum of entries side by side, so that each has room for its time. The days of a week have equal widths
 * and hold two.
 */
export function lanesIn(view: View, phone: boolean): number | undefined {
  if (view === 'agenda') return undefined
  if (view === 'day') return phone ? 2 : 6
  return 2
}

/**
 * Return the entries with dense ones merged: an hour's planned runs of one assistant, and, in columns with `lanes`,
 * entries of the same kind and status. If these exceed `lanes`, one entry per status, and one for the rest.
 */
export function withoutDense(entries: readonly Entry[], lanes?: number): Entry[] {
  const groupKey = (entry: Entry) =>
    entry.kind === 'planned' ? entry.slot.assistant_id : lanes ? `${entry.kind} ${entry.status}` : entry.id
  return groups(entries, hourOf).flatMap((hour) => {
    const drawn = groups(hour, groupKey).flatMap((of) => (of.length > DENSE[of[0].kind] ? [asOne(of)] : of))
    if (!lanes || drawn.length <= lanes) return drawn
    const byStatus = groups(hour, ({ status }) => status)
    const [ownGroups, rest] = [byStatus.slice(0, lanes - 1), byStatus.slice(lanes - 1).flat()]
    return [...ownGroups.map(asOne), ...(isSome(rest) ? [asOne(rest)] : [])]
  })
}

/** The maximum of rows per day in the agenda; the others are behind "+3 more", as in a month. */
const ROWS_OF_A_DAY = 8

export interface AgendaDay {
  day: string
  rows: readonly Entry[]
  /** The number of entries of the day without a row. */
  more: number
}

/**
 * Return the days that have entries, each with a bounded number of rows: of an hour, one row stands for more than a few
 * entries of one assistant and one status. A day with too many rows begins with what is still to come (`now`, as it is
 * drawn). `unread` are entries of a day that were not read.
 */
export function agendaDays(entries: readonly Entry[], unread: ReadonlyMap<string, number>, now: Date): AgendaDay[] {
  const groupKey = (entry: Entry) => `${entry.kind} ${entry.status} ${assistantIdOf(entry) ?? ''}`
  const byDay = new Map(groups(entries, dayOf).map((of) => [dayOf(of[0]), of]))
  const days = [...new Set([...byDay.keys(), ...unread.keys()])].sort()
  return days.map((day) => {
    const rows = groups(byDay.get(day) ?? [], hourOf)
      .flatMap((hour) => groups(hour, groupKey).flatMap((of) => (of.length > DENSE[of[0].kind] ? [asOne(of)] : of)))
      .sort((a, b) => a.start.getTime() - b.start.getTime())
    const next = rows.findIndex(({ end }) => end > now)
    const first = Math.max(0, Math.min(next, rows.length - ROWS_OF_A_DAY))
    const shown = rows.slice(first, first + ROWS_OF_A_DAY)
    return { day, rows: shown, more: numberIn(rows) - numberIn(shown) + (unread.get(day) ?? 0) }
  })
}

const dayOf = ({ start }: Entry): string => toWall(start).slice(0, 10)

const assistantIdOf = (entry: Entry): string | null =>
  entry.kind === 'post' ? entry.post.assistant_id : entry.kind === 'run' ? entry.run.assistant_id : entry.slot.assistant_id

/** Return the hour in which the entry begins: `2026-11-21T09`. */
export const hourOf = ({ start }: Pick<Entry, 'start'>): string => toWall(start).slice(0, 13)

type Some<Value> = [Value, ...Value[]]

const isSome = <Value>(values: Value[]): values is Some<Value> => values.length > 0

/** Return the values in groups by key, in the order of first occurrence. */
function groups<Value>(values: readonly Value[], key: (value: Value) => string): Some<Value>[] {
  const entriesByKey = new Map<string, Some<Value>>()
  for (const value of values) {
    const of = entriesByKey.get(key(value))
    if (of) of.push(value)
    else entriesByKey.set(key(value), [value])
  }
  return [...entriesByKey.values()]
}

const kindOf = (entry: Entry): string => `${entry.kind} ${entry.status} ${entry.kind === 'planned' ? entry.slot.assistant_id : ''}`

/** Return the first entry, as representative of all. */
function asOne(entries: Some<Entry>): Entry {
  const [first, ...rest] = entries.toSorted((a, b) => a.start.getTime() - b.start.getTime()) as Some<Entry>
  if (rest.length === 0) return first
  const lastTimes = entries.map(({ at, others }) => others?.last ?? at)
  const last = lastTimes.reduce((a, b) => (Date.parse(b) > Date.parse(a) ? b : a))
  const mixed = rest.some((entry) => kindOf(entry) !== kindOf(first))
  const various = rest.some((entry) => entry.status !== first.status)
  return { ...first, others: { count: numberIn(entries) - 1, last, ...(mixed && { mixed }), ...(various && { various }) } }
}

export const canMove = (entry: Entry): entry is Entry & { kind: 'post' } =>
  entry.kind === 'post' && entry.post.fixed === null && !entry.others

/** Return whether the entry is a skipped future run, which can be restored. */
export const canUnskip = (entry: Entry, now: Date): boolean =>
  entry.kind === 'run' && entry.run.reason === 'skipped_by_hand' && Date.parse(entry.at) > now.getTime()

/** Return whether the entry represents several ones of different kinds; the list of their hour shows them. */
export const isSeveral = ({ kind, others }: Entry): boolean => others !== undefined && (kind !== 'planned' || others.mixed === true)

/** Return the path of the entry's page; null if it opens on this page. */
export function pathOf(entry: Entry, now: Date): string | null {
  if (isSeveral(entry)) return null
  if (entry.kind === 'post') return generatePath(paths.post, { socialMediaPostId: entry.post.id })
  if (entry.kind === 'planned' || canUnskip(entry, now)) return null
  return `${generatePath(paths.assistant, { assistantId: entry.run.assistant_id })}?tab=runs&run=${entry.run.id}`
}

/** Return the approval of the entry's post until it is decided, also while another text is being written. */
export const openApprovalOf = (entry: Entry): CalendarPostOut['approval'] =>
  entry.kind === 'post' && !entry.others && entry.post.status === 'draft' && isUndecided(entry.post.approval) ? entry.post.approval : null

/** Return whether the entry is or will be a post or an article; a run without a post counts as a post. */
export const writtenAs = (entry: Entry): ContentKind => {
  if (entry.kind === 'post') return contentKindOf(entry.post)
  return entry.kind === 'planned' && entry.slot.channels.some(isSite) ? 'article' : 'post'
}

export const assistantOf = (entry: Entry): string | null =>
  entry.kind === 'post' ? entry.post.assistant_name : entry.kind === 'run' ? entry.run.assistant_name : entry.slot.assistant_name
