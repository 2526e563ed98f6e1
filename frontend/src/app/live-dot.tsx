import { Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import { useNow } from '@/lib/clock'
import { useLiveState } from '@/lib/live-state'

/** Shows whether live updates arrive. */
export function LiveDot() {
  const { t } = useTranslation(['common', 'navigation'])
  const state = useLiveState()
  if (state.status !== 'stale') {
    return (
      <div className="alive" data-status={state.status} role="status">
        <i aria-hidden />
        {t(state.status === 'live' ? 'navigation:live' : 'navigation:connecting')}
      </div>
    )
  }
  return <Stale since={state.since} />
}

function Stale({ since }: { since: Date }) {
  const { t } = useTranslation(['common', 'navigation'])
  const format = useFormat()
  const time = format.momentInSentence(since, useNow())
  return (
    <Tooltip label={t('navigation:staleHint', { time })} multiline w={260} position="top-start">
      <div className="alive" data-status="stale" role="status">
        <i aria-hidden />
        {t('navigation:stale')}
        <span>{t('navigation:staleSince', { time })}</span>
      </div>
    </Tooltip>
  )
}
