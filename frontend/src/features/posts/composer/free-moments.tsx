import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormatIn } from '@/i18n/use-format'
import { wallTime } from '@/lib/time-zones'
import { freeMomentsQuery } from '@/features/posts/api'

interface FreeMomentsProps {
  zone: string
  /** The local time in the zone, such as `2026-11-21T09:30`; empty if not set. */
  value: string
  onChoose: (wall: string) => void
}

/** Buttons for the next times without another post. Renders nothing until they are loaded. */
export function FreeMoments({ zone, value, onChoose }: FreeMomentsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const zoneFormat = useFormatIn(zone)
  const label = useId()
  const free = useQuery(freeMomentsQuery)
  const now = new Date()
  const moments = (free.data?.moments ?? []).filter((moment) => Date.parse(moment) > now.getTime())
  if (moments.length === 0) return null
  return (
    <div className="composer-free" role="group" aria-labelledby={label}>
      <span id={label}>{t('posts:composer.free')}</span>
      {moments.map((moment) => {
        const wall = wallTime(new Date(moment), zone)
        return (
          <Button key={moment} size="compact-sm" variant="default" aria-pressed={wall === value} onClick={() => onChoose(wall)}>
            {zoneFormat.dayAndTime(moment, now)}
          </Button>
        )
      })}
    </div>
  )
}
