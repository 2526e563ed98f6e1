import { UnstyledButton } from '@mantine/core'
import { IconCalendarEvent, IconClockPlus, IconStack2 } from '@tabler/icons-react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ChannelIcons, channelName } from '@/components/channel'
import { StatusIcon, statusStyle } from '@/components/status'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { wallTime } from '@/lib/time-zones'
import { useCalendarActions } from './context'
import { openApprovalOf, assistantOf, canMove, isSeveral, pathOf, type Entry } from './entries'

const STEP = 15 // minutes

/** Return the status as a word, and a shorter one for narrow tiles. */
export function useStatusWords(): (entry: Pick<Entry, 'kind' | 'status' | 'others'>) => { full: string; short: string } {
  const { t } = useTranslation(['common', 'calendar'])
  return ({ kind, status, others }) => {
    if (others?.various) return { full: t('calendar:various'), short: t('calendar:various') }
    if (status === 'planned') return { full: t('calendar:slotWord'), short: t('calendar:slotWord') }
    if (kind === 'run' && status === 'publishing') return { full: t('calendar:preparing'), short: t('calendar:short.publishing') }
    // the tile shows its time
    if (status === 'complete') return { full: t('status.complete'), short: t('status.scheduled') }
    const full = t(`status.${status}`)
    return { full, short: status === 'publishing' || status === 'failed' || status === 'partly' || status === 'waiting' ? t(`calendar:short.${status}`) : full }
  }
}

/** Return the text of how many further entries a tile stands for, and until when; empty for a single entry. */
function useOthersText(): (entry: Entry) => string {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  return ({ at, others }) => {
    if (!others) return ''
    const until = format.time(others.last)
    return until === format.time(at) ? t('calendar:othersThen', others) : t('calendar:others', { count: others.count, until })
  }
}

/** Return the tooltip with everything that does not fit on a tile. */
export function useTip(): (entry: Entry) => string {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const words = useStatusWords()
  const othersText = useOthersText()
  return (entry) => {
    const { slot } = entry.kind === 'planned' ? entry : { slot: null }
    const approval = openApprovalOf(entry)
    const parts = [
      [!approval?.at_once && format.time(entry.at), words(entry).full].filter(Boolean).join(' '),
      approval && t('calendar:decideUntil', { when: format.dayAndTime(approval.deadline_at) }),
      entry.title,
      othersText(entry),
      assistantOf(entry) === entry.title || isSeveral(entry) ? null : assistantOf(entry),
      entry.channels.length > 0 ? format.list([...new Set(entry.channels)].map(channelName)) : null,
      slot && t('calendar:inZone', { time: timeIn(slot.slot, slot.time_zone), zone: slot.time_zone }),
    ]
    return parts.filter(Boolean).join(' · ')
  }
}

const timeIn = (at: string, timeZone: string) =>
  wallTime(new Date(at), timeZone).slice(11)

function useKeys(entry: Entry) {
  const { shift, askWhere, byDays } = useCalendarActions()
  return (event: KeyboardEvent) => {
    if (entry.kind !== 'post' || entry.others || event.ctrlKey || event.metaKey) return
    const ways: Partial<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: byDays ? [-7, 0] : [0, -STEP],
      ArrowDown: byDays ? [7, 0] : [0, STEP],
    }
    const shiftBy = event.altKey ? ways[event.key] : undefined
    if (shiftBy) shift(entry, ...shiftBy)
    else if (!event.altKey && event.key.toLowerCase() === 'm') askWhere(entry)
    else return
    event.preventDefault()
  }
}

/** Return the status that colours the tile; entries of different status have a neutral colour. */
const looksOf = ({ status, others }: Entry) => (others?.various ? 'various' : status)

function LooksIcon({ looks, size }: { looks: ReturnType<typeof looksOf>; size: number }) {
  if (looks === 'various') return <IconStack2 size={size} stroke={2.2} aria-hidden />
  if (looks === 'planned') return <IconClockPlus size={size} stroke={2.2} aria-hidden />
  return <StatusIcon status={looks} size={size} />
}

/** The time of the entry. A post to be published on approval has only the deadline. */
export function WhenOf({ entry }: { entry: Entry }) {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const approval = openApprovalOf(entry)
  return (
    <time dateTime={approval?.at_once ? approval.deadline_at : entry.at}>
      {approval?.at_once ? t('calendar:by', { time: format.time(approval.deadline_at) }) : format.time(entry.at)}
    </time>
  )
}

/** An entry in a month, week or day. */
export function Tile({ event: entry }: { event: Entry }) {
  const { t } = useTranslation(['common', 'calendar'])
  const words = useStatusWords()
  const othersText = useOthersText()
  const { full, short } = words(entry)
  const looks = looksOf(entry)
  return (
    <div className="cev" data-status={looks} style={looks === 'planned' || looks === 'various' ? undefined : statusStyle(looks)}>
      <Opener entry={entry}>
        <span className="cev-top">
          <LooksIcon looks={looks} size={12} />
          <WhenOf entry={entry} />
          <span className="cev-label">
            {short === full ? (
              full
            ) : (
              <>
                <span aria-hidden>{short}</span>
                <span className="vh">{full}</span>
              </>
            )}
          </span>
        </span>
        <span className="cev-t">
          <EntryThumb entry={entry} />
          <span className="cev-name">{entry.title}</span>
          {entry.channels.length > 0 && !isSeveral(entry) && <ChannelIcons channels={entry.channels} size={13} most={2} />}
          {entry.others && (
            <>
              {' '}
              <span className="cev-others">· {othersText(entry)}</span>
              <b className="cev-count" aria-hidden>
                +{entry.others.count}
              </b>
            </>
          )}
        </span>
      </Opener>
      {canMove(entry) && <MoveButton entry={entry} label={t('calendar:moveOf', { post: entry.title })} />}
    </div>
  )
}

function EntryThumb({ entry }: { entry: Entry }) {
  const file = entry.kind === 'post' ? entry.post.first_file : null
  return file && <Thumb className="cev-thumb" file={file} />
}

function Opener({ entry, children }: { entry: Entry; children: ReactNode }) {
  const { show, now } = useCalendarActions()
  const onKeyDown = useKeys(entry)
  const to = pathOf(entry, now)
  const shared = { className: 'cev-open', 'data-entry': entry.id, onKeyDown }
  // with a modifier key the link opens the post's page in another tab
  const showInDrawer = (event: MouseEvent) => {
    if (entry.kind !== 'post' || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    show(entry)
  }
  return to ? (
    <Link {...shared} to={to} draggable={false} onClick={showInDrawer}>
      {children}
    </Link>
  ) : (
    <UnstyledButton {...shared} onClick={() => show(entry)}>
      {children}
    </UnstyledButton>
  )
}

function MoveButton({ entry, label }: { entry: Entry; label: string }) {
  const { askWhere } = useCalendarActions()
  return (
    <UnstyledButton className="cev-move" aria-label={label} title={label} onClick={() => askWhere(entry)}>
      <IconCalendarEvent size={14} aria-hidden />
    </UnstyledButton>
  )
}

/** An entry in the agenda, which has more room. */
export function AgendaRow({ event: entry }: { event: Entry }) {
  const { t } = useTranslation(['common', 'calendar'])
  const words = useStatusWords()
  const othersText = useOthersText()
  const format = useFormat()
  const assistant = assistantOf(entry)
  const approval = openApprovalOf(entry)
  return (
    <div className="cal-row">
      <span className="cal-row-status">
        {entry.status === 'planned' ? (
          <span className="status" data-status="planned">
            <IconClockPlus size={13} stroke={2.2} aria-hidden />
            {words(entry).full}
          </span>
        ) : (
          <span className="status" data-status={entry.status} style={statusStyle(entry.status)}>
            <StatusIcon status={entry.status} />
            {words(entry).full}
          </span>
        )}
      </span>
      <Opener entry={entry}>
        <EntryThumb entry={entry} />
        <span className="cal-row-title">{entry.title}</span>
      </Opener>
      {entry.others && <span className="dim">{othersText(entry)}</span>}
      {approval && (
        <time className="dim num" dateTime={approval.deadline_at}>
          {t('calendar:decideUntil', { when: format.dayAndTime(approval.deadline_at) })}
        </time>
      )}
      {assistant !== null && assistant !== entry.title && <span className="dim">{assistant}</span>}
      <ChannelIcons channels={entry.channels} size={15} />
      {canMove(entry) && <MoveButton entry={entry} label={t('calendar:moveOf', { post: entry.title })} />}
    </div>
  )
}
