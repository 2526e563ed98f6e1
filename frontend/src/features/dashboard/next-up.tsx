import { Tooltip } from '@mantine/core'
import { IconSunset2 } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { Panel } from '@/components/panel'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { merged, occurrencesQuery, soonest } from './api'

const SHOWN = 6

/** The next dates of all active assistants. */
export function NextUp({ assistants, now }: { assistants: readonly AssistantOut[]; now: Date }) {
  const { t } = useTranslation()
  const format = useFormat()
  const candidates = soonest(assistants, SHOWN)
  const planned = useQueries({
    queries: candidates.map(occurrencesQuery),
    combine: (answers) =>
      answers.flatMap(({ data = [] }, index) => {
        const assistant = candidates[index]
        return assistant ? data.map((occurrence) => ({ assistant, occurrence })) : []
      }),
  })
  const coming = merged(
    planned.filter(({ occurrence }) => Date.parse(occurrence.slot) > now.getTime()),
    SHOWN,
  )
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
      {candidates.length === 0 ? (
        <p className="panel-note">{t('dashboard.upEmpty')}</p>
      ) : (
        <ol className="next">
          {coming.map(({ assistant, occurrence }, index) => {
            const day = format.day(occurrence.slot)
            const before = coming[index - 1]
            const repeated = before !== undefined && format.day(before.occurrence.slot) === day
            return (
              <li key={`${assistant.id} ${occurrence.slot}`}>
                <span className={repeated ? 'next-d vh' : 'next-d'}>
                  {day === format.day(now) ? t('dashboard.today') : day}
                </span>
                {repeated && <span className="next-d" aria-hidden />}
                <time dateTime={occurrence.slot}>{format.time(occurrence.slot)}</time>
                <Link className="grow clip next-name" to={generatePath(paths.assistant, { assistantId: assistant.id })}>
                  {assistant.name}
                </Link>
                {occurrence.clock_change !== 0 && (
                  <Tooltip label={t('dashboard.clockChange')}>
                    <IconSunset2
                      size={15}
                      role="img"
                      aria-label={t('dashboard.clockChange')}
                      color="var(--mantine-color-violet-light-color)"
                    />
                  </Tooltip>
                )}
                <ChannelIcons channels={[...new Set(assistant.accounts.map(({ kind }) => kind))]} size={15} />
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}
