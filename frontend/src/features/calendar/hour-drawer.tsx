import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import type { Entry } from './entries'
import { AgendaRow, WhenOf } from './tile'

interface HourDrawerProps {
  opened: boolean
  /** The entries that begin within one hour, in order. */
  entries: readonly Entry[]
  onClose: () => void
}

/** The drawer with all entries of the hour of a merged tile. */
export function HourDrawer({ opened, entries, onClose }: HourDrawerProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const first = entries.at(0)
  const title = first ? t('calendar:hourTitle', { when: format.dayAndTime(first.at) }) : ''
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size={520} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <ul className="cal-hour">
        {entries.map((entry) => (
          <li key={entry.id}>
            <WhenOf entry={entry} />
            <AgendaRow event={entry} />
          </li>
        ))}
      </ul>
    </Drawer>
  )
}
