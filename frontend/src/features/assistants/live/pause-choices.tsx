import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'
import { useFormat } from '@/i18n/use-format'
import { dayIn, momentIn } from '@/lib/time-zones'
import { MORNING } from './morning'

const HOUR = 3_600_000 // ms
const WEEK = 7 * 24 * HOUR

interface PauseChoicesProps extends MenuProps {
  zone: string
  now: Date
  /** Null for no end. */
  onPause: (until: Date | null) => void
  /** Ask for the day on which the pause ends. */
  onAskDay: () => void
}

/** The menu of how long an assistant can pause. */
export function PauseChoices({ zone, now, onPause, onAskDay, button }: PauseChoicesProps) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const { target, opened, setOpened } = useOpeningMenu()
  const morning = momentIn(zone, dayIn(zone, now, 1), MORNING)
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={240}>
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onPause(later(HOUR))}>{t('runs:live.steering.hour')}</Menu.Item>
        {morning && (
          <Menu.Item onClick={() => onPause(morning)}>
            {t('runs:live.steering.tomorrow', { time: format.timeInSentence(morning) })}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => onPause(later(WEEK))}>{t('runs:live.steering.week')}</Menu.Item>
        <Menu.Item onClick={onAskDay}>{t('runs:live.steering.date')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => onPause(null)}>{t('runs:live.steering.endless')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
