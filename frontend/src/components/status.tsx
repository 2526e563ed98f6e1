import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconClockPause,
  IconClockX,
  IconHandStop,
  IconHelpHexagon,
  IconPlayerTrackNext,
  IconPlugConnectedX,
  IconProgress,
  IconRefresh,
  IconX,
  type Icon,
} from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'

const icons = {
  draft: IconCircleDashed,
  waiting: IconHandStop,
  complete: IconClockPause,
  publishing: IconProgress,
  retrying: IconRefresh,
  held: IconPlugConnectedX,
  published: IconCheck,
  partly: IconAlertTriangle,
  unknown: IconHelpHexagon,
  failed: IconX,
  missed: IconClockX,
  skipped: IconPlayerTrackNext,
} satisfies Record<string, Icon>

export type Status = keyof typeof icons

const TURNING: readonly Status[] = ['publishing', 'retrying']

export function StatusIcon({ status, size = 13 }: { status: Status; size?: number }) {
  const Icon = icons[status]
  return <Icon size={size} stroke={2.2} aria-hidden className={TURNING.includes(status) ? 'spin' : undefined} />
}

/** Return the colours of a status as `--s-bg`, `--s-fg` and `--s-dot`. */
export const statusStyle = (status: Status) =>
  ({
    '--s-bg': `var(--pl-status-${status}-bg)`,
    '--s-fg': `var(--pl-status-${status}-fg)`,
    '--s-dot': `var(--pl-status-${status}-dot)`,
  }) as CSSProperties

interface StatusBadgeProps {
  status: Status
  /** Replaces the status's name, such as "New attempt in 0:24". */
  label?: ReactNode
  /** The planned time, shown for scheduled posts. */
  at?: string | null
}

/** A status by icon and label; colour is only the third signal. */
export function StatusBadge({ status, label, at }: StatusBadgeProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const scheduled = status === 'complete' && at ? t('status.completeFor', { when: format.momentInSentence(at) }) : null
  return (
    <span className="status" data-status={status} style={statusStyle(status)}>
      <StatusIcon status={status} />
      {label ?? scheduled ?? t(`status.${status}`)}
    </span>
  )
}
