import { IconClockPause, IconSunset2 } from '@tabler/icons-react'
import type { NextOccurrenceOut, PausedAssistantOut, PreparedOut } from '@/api/types.gen'
import { ChannelIcons, isSite } from '@/components/channel'
import { Hint } from '@/components/hint'
import { Panel } from '@/components/panel'
import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { generatePath } from '@/lib/router/address'
import { Link } from '@/lib/router/components'
import { byEnd } from './needs'

interface NextUpProps {
  coming: readonly NextOccurrenceOut[]
  paused: readonly PausedAssistantOut[]
  now: Date
}

/** The next dates of all active assistants, with what is prepared for them, and those that pause. */
export function NextUp({ coming, paused, now }: NextUpProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const ended = paused.filter(byEnd)
  return (
    <Panel
      title={t('dashboard.up')}
      flush
      aside={
        <Link className="link" to={paths.calendar}>
          {t('dashboard.calendar')}
        </Link>
      }
    >
      {coming.length === 0 ? (
        <p className="panel-note">{t('dashboard.upEmpty')}</p>
      ) : (
        <ol className="next">
          {coming.map(({ assistant_id, assistant_name, slot, clock_change, channels, needs_login: needsLogin, prepared }, index) => {
            const day = format.day(slot, now)
            const before = coming[index - 1]
            const repeated = before !== undefined && format.day(before.slot, now) === day
            return (
              <li key={`${assistant_id} ${slot}`}>
                <span className={repeated ? 'next-d vh' : 'next-d'}>
                  {day === format.day(now, now) ? t('dashboard.today') : day}
                </span>
                {repeated && <span className="next-d" aria-hidden />}
                <time dateTime={slot}>{format.time(slot)}</time>
                <div className="next-what">
                  <div className="grow two">
                    <Link className="clip next-name" to={generatePath(paths.assistant, { assistantId: assistant_id })}>
                      {assistant_name}
                    </Link>
                    {needsLogin ? <small>{t(`dashboard.heldForLogin.${channels.some(isSite) ? 'article' : 'post'}`)}</small> : prepared && <Topic prepared={prepared} />}
                  </div>
                  {prepared?.image_url && <img className="next-picture" src={prepared.image_url} alt="" />}
                  {clock_change !== 0 && (
                    <Hint label={t('dashboard.clockChange')}>
                      <IconSunset2
                        size={15}
                        role="img"
                        aria-label={t('dashboard.clockChange')}
                        color="var(--mantine-color-violet-light-color)"
                      />
                    </Hint>
                  )}
                  <ChannelIcons channels={channels} size={15} />
                </div>
              </li>
            )
          })}
        </ol>
      )}
      {paused.length > 0 && (
        <ul className="next-paused plain-list">
          {ended.length > 1 && (
            <li>
              <IconClockPause size={15} aria-hidden />
              <Link className="clip next-name" to={paths.assistants}>
                {t('dashboard.endedAssistants', { count: ended.length })}
              </Link>
              <small>{t('dashboard.pausedSeveral')}</small>
            </li>
          )}
          {(ended.length > 1 ? paused.filter((one) => !byEnd(one)) : paused).map(({ id, name, until }) => (
            <li key={id}>
              <IconClockPause size={15} aria-hidden />
              <Link className="clip next-name" to={generatePath(paths.assistant, { assistantId: id })}>
                {name}
              </Link>
              <small>
                {until ? t('dashboard.pausedUntil', { when: format.momentInSentence(until, now) }) : t('dashboard.paused')}
              </small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** What a run has chosen for the date, and the post once it is begun. */
function Topic({ prepared: { topic_title, post_id } }: { prepared: PreparedOut }) {
  if (post_id === null) return <small>{topic_title}</small>
  return (
    <small>
      <Link className="next-name" to={generatePath(paths.post, { socialMediaPostId: post_id })}>
        {topic_title}
      </Link>
    </small>
  )
}
