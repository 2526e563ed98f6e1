import { Tooltip } from '@mantine/core'
import { IconClockPause, IconHandStop, IconSunset2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { NextOccurrenceOut, PausedAssistantOut } from '@/api/types.gen'
import { ChannelIcons, isSite } from '@/components/channel'
import { Panel } from '@/components/panel'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import type { Upcoming } from './upcoming'
import { byEnd } from './needs'

const postPath = (id: string) => generatePath(paths.post, { socialMediaPostId: id })

interface NextUpProps {
  upcoming: readonly Upcoming[]
  paused: readonly PausedAssistantOut[]
  now: Date
}

/** The next posts and dates of all active assistants, with prepared posts, and the paused assistants. */
export function NextUp({ upcoming, paused, now }: NextUpProps) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const ended = paused.filter(byEnd)
  return (
    <Panel
      title={t('dashboard:up')}
      flush
      aside={
        <Link className="link" to={paths.calendar}>
          {t('dashboard:calendar')}
        </Link>
      }
    >
      {upcoming.length === 0 ? (
        <p className="panel-note">{t('dashboard:upEmpty')}</p>
      ) : (
        <ol className="next">
          {upcoming.map(({ id, at, date, post, channels, needsLogin, held, waitsForApproval }, index) => {
            const day = format.day(at, now)
            const before = upcoming[index - 1]
            const repeated = before !== undefined && format.day(before.at, now) === day
            const file = post ? post.first_file : date.prepared?.first_file
            return (
              <li key={id}>
                <span className={repeated ? 'next-d vh' : 'next-d'}>
                  {day === format.day(now, now) ? t('dashboard:today') : day}
                </span>
                {repeated && <span className="next-d" aria-hidden />}
                <time dateTime={at}>{format.time(at)}</time>
                <div className="next-item">
                  <div className="grow two-lines">
                    {post ? (
                      <Link className="next-name next-title" to={postPath(post.id)}>
                        {post.title || t('dashboard:noText')}
                      </Link>
                    ) : (
                      <Link className="clip next-name" to={generatePath(paths.assistant, { assistantId: date.assistant_id })}>
                        {date.assistant_name}
                      </Link>
                    )}
                    {needsLogin ? <small>{t(`dashboard:${held ? 'heldForLogin' : 'lacksLogin'}.${channels.some(isSite) ? 'article' : 'post'}`)}</small> : date?.prepared && <Topic {...date.prepared} />}
                  </div>
                  {file && <Thumb className="next-picture" file={file} />}
                  {waitsForApproval && (
                    <Tooltip label={t('dashboard:waitsForYou')}>
                      <IconHandStop size={15} role="img" aria-label={t('dashboard:waitsForYou')} color="var(--pl-status-waiting-fg)" />
                    </Tooltip>
                  )}
                  {date !== undefined && date.clock_change !== 0 && (
                    <Tooltip label={t('dashboard:clockChange')}>
                      <IconSunset2
                        size={15}
                        role="img"
                        aria-label={t('dashboard:clockChange')}
                        color="var(--mantine-color-violet-light-color)"
                      />
                    </Tooltip>
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
                {t('dashboard:endedAssistants', { count: ended.length })}
              </Link>
              <small>{t('dashboard:pausedSeveral')}</small>
            </li>
          )}
          {(ended.length > 1 ? paused.filter((assistant) => !byEnd(assistant)) : paused).map(({ id, name, until }) => (
            <li key={id}>
              <IconClockPause size={15} aria-hidden />
              <Link className="clip next-name" to={generatePath(paths.assistant, { assistantId: id })}>
                {name}
              </Link>
              <small>
                {until ? t('dashboard:pausedUntil', { when: format.momentInSentence(until, now) }) : t('dashboard:paused')}
              </small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** The topic that a run has chosen for the date, linked to its post if there is one. */
function Topic({ topic_title, post_id }: NonNullable<NextOccurrenceOut['prepared']>) {
  if (post_id === null) return <small>{topic_title}</small>
  return (
    <small>
      <Link className="next-name" to={postPath(post_id)}>
        {topic_title}
      </Link>
    </small>
  )
}
