import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import { useNow } from '@/lib/clock'
import { useLiveState } from '@/lib/live-state'
import { useAfterIdle } from '@/lib/use-after-idle'

type Explain = (typeof import('./stale-hint'))['explain']

/** While there still is a connection: what it explains is that there is none. */
const loadExplain = async () => (await import('./stale-hint')).explain

/** Whether the screen follows the server. */
export function LiveDot() {
  const { t } = useTranslation(['common', 'navigation'])
  const state = useLiveState()
  const explain = useAfterIdle(loadExplain)
  if (state.status !== 'stale') {
    return (
      <div className="alive" data-status={state.status} role="status">
        <i aria-hidden />
        {t(state.status === 'live' ? 'navigation:live' : 'navigation:connecting')}
      </div>
    )
  }
  return <Stale since={state.since} explain={explain} />
}

function Stale({ since, explain }: { since: Date; explain: Explain | undefined }) {
  const { t } = useTranslation(['common', 'navigation'])
  const format = useFormat()
  const time = format.momentInSentence(since, useNow())
  const dot = (
    <div className="alive" data-status="stale" role="status">
      <i aria-hidden />
      {t('navigation:stale')}
      <span>{t('navigation:staleSince', { time })}</span>
    </div>
  )
  return explain ? explain(t('navigation:staleHint', { time }), dot) : dot
}
