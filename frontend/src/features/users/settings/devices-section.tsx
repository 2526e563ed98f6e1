import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SessionOut } from '@/api/types.gen'
import { Dotted } from '@/components/dotted'
import { Failure } from '@/components/failure'
import { FormSection } from '@/components/form-section'
import { RowSkeletons } from '@/components/skeletons'
import { Tag } from '@/components/tag'
import { useFormat } from '@/i18n/use-format'
import { problemText, toProblem } from '@/lib/problems'
import { sessionsQuery, useEndOtherSessions, useEndSession } from './api'
import { deviceName, readDevice } from './device'

export function DevicesSection() {
  const { t } = useTranslation(['common', 'settings'])
  const sessions = useQuery(sessionsQuery)
  return (
    <FormSection title={t('settings:sessions')} hint={t('settings:sessionsHint')}>
      {sessions.data ? (
        <Devices devices={sessions.data} />
      ) : sessions.isError ? (
        <Failure
          title={t('settings:sessionsFailed')}
          problem={sessions.error}
          onRetry={() => void sessions.refetch()}
        />
      ) : (
        <RowSkeletons rows={2} />
      )}
    </FormSection>
  )
}

function Devices({ devices }: { devices: SessionOut[] }) {
  const { t } = useTranslation(['common', 'settings', 'errors'])
  const endOthers = useEndOtherSessions()
  // this device first, for comparison
  const ordered = [...devices].sort((a, b) => Number(b.current) - Number(a.current))
  return (
    <>
      <ul className="panel devices">
        {ordered.map((session) => (
          <DeviceRow key={session.id} session={session} />
        ))}
      </ul>
      {devices.some(({ current }) => !current) ? (
        <div>
          <Button
            variant="default"
            loading={endOthers.isPending}
            onClick={() =>
              endOthers.mutate(
                {},
                {
                  onSuccess: () => notifications.show({ message: t('settings:othersEnded') }),
                  onError: (problem) =>
                    notifications.show({
                      color: 'red',
                      message: `${t('settings:endOthersFailed')} ${problemText(t, problem)}`,
                    }),
                },
              )
            }
          >
            {t('settings:endOthers')}
          </Button>
        </div>
      ) : (
        <p className="codes-left">{t('settings:noOthers')}</p>
      )}
    </>
  )
}

function DeviceRow({ session }: { session: SessionOut }) {
  const { t } = useTranslation(['common', 'settings', 'errors'])
  const format = useFormat()
  const end = useEndSession()
  const device = readDevice(session.device)
  const name = deviceName(t, device)
  const Icon = device.mobile ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li>
      <Icon size={20} stroke={1.7} aria-hidden />
      <div className="two-lines grow" title={session.device}>
        <span className="device-name">
          <b>{name}</b>
          {session.current && <Tag>{t('settings:thisDevice')}</Tag>}
        </span>
        <small className="num">
          <Dotted
            parts={[
              t('settings:lastUsed', { when: format.dayAndTime(session.last_used_at) }),
              t('settings:loggedIn', { when: format.dayAndTime(session.created_at) }),
            ]}
          />
        </small>
      </div>
      {!session.current && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('settings:endSessionOf', { device: name })}
          onClick={() =>
            // by its promise, since the row is removed before the response
            void end
              .mutateAsync({ path: { session_id: session.id } })
              .then(() => notifications.show({ message: t('settings:sessionEnded', { device: name }) }))
              .catch((problem: unknown) =>
                notifications.show({
                  color: 'red',
                  message: `${t('settings:endFailed', { device: name })} ${problemText(t, toProblem(problem))}`,
                }),
              )
          }
        >
          {t('settings:endSession')}
        </Button>
      )}
    </li>
  )
}
