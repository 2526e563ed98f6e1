import type { CalendarOut, CalendarPostOut, CalendarRunOut, PlannedSlotOut, RunState } from '@/api/types.gen'
import { postStatus } from '@/components/post-status'
import type { Status } from '@/components/status'
import { paths } from '@/lib/paths'
import { generatePath } from '@/lib/router/address'
import { wallTime } from '@/lib/time-zones'
import type { View } from './period'
import { isSite } from '@/components/channel'
import { writtenIn, type Written } from '@/lib/written'

interface Shown {
  id: string
  at: string
  title: string
  /** Planned: nothing has begun for it. */
  status: Status | 'planned'
  channels: readonly string[]
  thumbnail: string | null
  /** On the clocks of the user's zone, in the browser's own: what the calendar draws by. */
  start: Date
  end: Date
  /** Further ones of the same hour that it stands for, when the last one is, and whether they differ in more than time,
   * or even in how they stand. */
  others?: { count: number; last: string; mixed?: boolean; various?: boolean }
}

export type Entry = Shown &
  ({ kind: 'post'; post: CalendarPostOut } | { kind: 'run'; run: CalendarRunOut } | { kind: 'planned'; slot: PlannedSlotOut })

const DRAWN_FOR = 45 * 60_000 // ms: a post is a moment, and has to be seen
const MINUTE = 60_000 // ms

const runStatuses: Partial<Record<RunState, Status>> = { preparing: 'publishing', missed: 'missed', skipped: 'skipped' }

/** What the clocks there show, as a time of the browser's own: those of two zones are never mixed in one picture. */
export function asDrawn(at: string | Date, zone: string): Date {
  return fromWall(wallTime(new Date(at), zone))
}

export const fromWall = (wall: string): Date => new Date(wall)

/** `2026-11-21T09:30` of a time as it is drawn. */
export function toWall(drawn: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${drawn.getFullYear()}-${two(drawn.getMonth() + 1)}-${two(drawn.getDate())}`
  return `${day}T${two(drawn.getHours())}:${two(drawn.getMinutes())}`
}

function times(at: string, zone: string): Pick<Shown, 'at' | 'start' | 'end'> {
  const start = asDrawn(at, zone)
  const midnight = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1)
  // what goes on after midnight would be drawn over two days
  return { at, start, end: new Date(Math.min(start.getTime() + DRAWN_FOR, midnight.getTime() - MINUTE)) }
}

export function entriesOf(found: CalendarOut, zone: string, noText: string): Entry[] {
  const posts = found.posts.map(
    (post): Entry => ({
      kind: 'post',
      post,
      id: post.id,
      title: post.title || noText,
      status: postStatus(post),
      channels: post.channels,
      thumbnail: post.thumbnail_url,
      ...times(post.planned_at, zone),
    }),
  )
  const runs = found.runs.map(
    (run): Entry => ({
      kind: 'run',
      run,
      id: run.id,
      title: run.topic_title ?? run.assistant_name,
      status: run.needs_login ? 'held' : (runStatuses[run.state] ?? 'failed'),
      channels: [],
      thumbnail: null,
      ...times(run.slot, zone),
    }),
  )
  const planned = found.planned.map(
    (slot): Entry => ({
      kind: 'planned',
      slot,
      id: `${slot.assistant_id} ${slot.slot}`,
      title: slot.assistant_name,
      status: 'planned',
      channels: slot.channels,
      thumbnail: null,
      ...(slot.last !== null && { others: { count: slot.others, last: slot.last } }),
      ...times(slot.slot, zone),
    }),
  )
  return [...posts, ...runs, ...planned]
}

/** How many entries there are, whatever a view makes of them. */
export const numberOf = ({ posts, runs, planned, more }: CalendarOut): number =>
  posts.length + runs.length + planned.reduce((sum, { others }) => sum + 1 + others, beyond(more))

/** How many these are with those that they stand for. */
export const numberIn = (entries: readonly Pick<Entry, 'others'>[]): number =>
  entries.reduce((sum, { others }) => sum + 1 + (others?.count ?? 0), 0)

/** How many of them are not among what was found. */
export const beyond = (more: CalendarOut['more']): number => more.reduce((sum, { count }) => sum + count, 0)

/** So many within an hour are drawn one by one. */
const DENSE = { planned: 2, post: 4, run: 4 } satisfies Record<Entry['kind'], number>

/**
 * How many of an hour stand side by side at the most, so that each has room for its time: in a week, else one busy
 * moment takes the place of its other days.
 */
export function lanesIn(view: View, phone: boolean): number | undefined {
  if (view === 'agenda') return undefined
  if (view === 'day') return phone ? 2 : 6
  return phone ? 2 : 3
}

/**
 * Of more within an hour, one for that hour: what an assistant plans, and, where they would stand side by side in a
 * column, what is equally far. Where these are more than there are `lanes`, one for each status, and for all others.
 */
export function withoutDense(entries: readonly Entry[], lanes?: number): Entry[] {
  const alike = (entry: Entry) =>
    entry.kind === 'planned' ? entry.slot.assistant_id : lanes ? `${entry.kind} ${entry.status}` : entry.id
  return groups(entries, hourOf).flatMap((hour) => {
    const drawn = groups(hour, alike).flatMap((of) => (of.length > DENSE[of[0].kind] ? [asOne(of)] : of))
    if (!lanes || drawn.length <= lanes) return drawn
    const byStatus = groups(hour, ({ status }) => status)
    const [own, rest] = [byStatus.slice(0, lanes - 1), byStatus.slice(lanes - 1).flat()]
    return [...own.map(asOne), ...(isSome(rest) ? [asOne(rest)] : [])]
  })
}

/** In which it begins, `2026-11-21T09`. */
export const hourOf = ({ start }: Pick<Entry, 'start'>): string => toWall(start).slice(0, 13)

type Some<Value> = [Value, ...Value[]]

const isSome = <Value>(values: Value[]): values is Some<Value> => values.length > 0

/** In the order of the first of each. */
function groups<Value>(values: readonly Value[], key: (value: Value) => string): Some<Value>[] {
  const found = new Map<string, Some<Value>>()
  for (const value of values) {
    const of = found.get(key(value))
    if (of) of.push(value)
    else found.set(key(value), [value])
  }
  return [...found.values()]
}

const kindOf = (entry: Entry): string => `${entry.kind} ${entry.status} ${entry.kind === 'planned' ? entry.slot.assistant_id : ''}`

/** The first of them, which stands for the others. */
function asOne(entries: Some<Entry>): Entry {
  const [first, ...others] = entries.toSorted((one, other) => one.start.getTime() - other.start.getTime()) as Some<Entry>
  if (others.length === 0) return first
  const lasts = entries.map(({ at, others: theirs }) => theirs?.last ?? at)
  const last = lasts.reduce((one, other) => (Date.parse(other) > Date.parse(one) ? other : one))
  const mixed = others.some((other) => kindOf(other) !== kindOf(first))
  const various = others.some((other) => other.status !== first.status)
  return { ...first, others: { count: numberIn(entries) - 1, last, ...(mixed && { mixed }), ...(various && { various }) } }
}

export const canMove = (entry: Entry): entry is Entry & { kind: 'post' } =>
  entry.kind === 'post' && entry.post.fixed === null && !entry.others

/** One that a person left out and that is still to come: it can be taken back. */
export const canUnskip = (entry: Entry, now: Date): boolean =>
  entry.kind === 'run' && entry.run.reason === 'skipped_by_hand' && Date.parse(entry.at) > now.getTime()

/** How many stand beside one another at the most on each day that has any: as many as are drawn at one moment. */
export function lanesOf(entries: readonly Pick<Entry, 'start' | 'end'>[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const { start } of entries) {
    const day = toWall(start).slice(0, 10)
    const beside = entries.filter((other) => other.start <= start && start < other.end).length
    most.set(day, Math.max(most.get(day) ?? 1, beside))
  }
  return most
}

/** It stands for several that are not all planned by one assistant: which ones, the list of their hour tells. */
export const isSeveral = ({ kind, others }: Entry): boolean => others !== undefined && (kind !== 'planned' || others.mixed === true)

/** Where it opens; null: here. */
export function pathOf(entry: Entry, now: Date): string | null {
  if (isSeveral(entry)) return null
  if (entry.kind === 'post') return generatePath(paths.post, { socialMediaPostId: entry.post.id })
  if (entry.kind === 'planned' || canUnskip(entry, now)) return null
  return `${generatePath(paths.assistant, { assistantId: entry.run.assistant_id })}?tab=runs&run=${entry.run.id}`
}

/** What somebody is asked about it, as long as they can answer. */
export const askedOf = (entry: Entry): CalendarPostOut['approval'] =>
  entry.kind === 'post' && !entry.others && entry.post.status === 'draft' && entry.post.approval?.state === 'waiting' ? entry.post.approval : null

/** What it is, or will be; of a run without a post nobody has said. */
export const writtenAs = (entry: Entry): Written => {
  if (entry.kind === 'post') return writtenIn(entry.post)
  return entry.kind === 'planned' && entry.slot.channels.some(isSite) ? 'article' : 'post'
}

export const assistantOf = (entry: Entry): string | null =>
  entry.kind === 'post' ? entry.post.assistant_name : entry.kind === 'run' ? entry.run.assistant_name : entry.slot.assistant_name
