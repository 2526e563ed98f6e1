import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { SecurityEventKind, type SecurityEventOut } from '@/api/types.gen'
import { Dotted } from '@/components/dotted'
import { Failure } from '@/components/failure'
import { FormSection } from '@/components/form-section'
import { ListFoot } from '@/components/list-foot'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { useSecurityEvents } from './api'
import { deviceName, readDevice } from './device'

/** The refused events, which are highlighted. */
const REFUSED: ReadonlySet<SecurityEventKind> = new Set([
  SecurityEventKind.SIGN_IN_FAILED,
  SecurityEventKind.PASSWORD_REFUSED,
  SecurityEventKind.SECOND_FACTOR_FAILED,
  SecurityEventKind.ACCESS_REFUSED,
])

export function ActivitySection() {
  const { t } = useTranslation(['common', 'settings'])
  const events = useSecurityEvents()
  return (
    <FormSection title={t('settings:activity')} hint={t('settings:activityHint')}>
      {events.data ? (
        <Events
          events={events.data.pages.flatMap((page) => page.items)}
          total={events.data.pages.at(-1)?.total ?? 0}
          hasMore={events.hasNextPage}
          loading={events.isFetchingNextPage}
          onMore={() => void events.fetchNextPage()}
        />
      ) : events.isError ? (
        <Failure
          title={t('settings:activityFailed')}
          problem={events.error}
          onRetry={() => void events.refetch()}
        />
      ) : (
        <RowSkeletons rows={4} />
      )}
    </FormSection>
  )
}

interface EventsProps {
  events: SecurityEventOut[]
  total: number
  hasMore: boolean
  loading: boolean
  onMore: () => void
}

function Events({ events, total, ...more }: EventsProps) {
  const { t } = useTranslation(['common', 'settings'])
  if (events.length === 0) return <p className="codes-left">{t('settings:activityEmpty')}</p>
  return (
    <div>
      <ul className="panel devices">
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </ul>
      <ListFoot {...more}>{t('settings:activityCount', { count: total })}</ListFoot>
    </div>
  )
}

function EventRow({ event: { kind, at, address, device, facts } }: { event: SecurityEventOut }) {
  const { t } = useTranslation(['common', 'settings'])
  const format = useFormat()
  const Icon = REFUSED.has(kind) ? IconAlertTriangle : IconShieldCheck
  return (
    <li>
      <Icon size={20} stroke={1.7} aria-hidden />
      <div className="two-lines grow" title={device || undefined}>
        <b className="event-name">{eventName(t, kind, facts)}</b>
        <small className="num">
          <Dotted
            parts={[
              <time key="at" dateTime={at}>
                {format.dayAndTime(at)}
              </time>,
              device && deviceName(t, readDevice(device)),
              address && t('settings:activityFrom', { address }),
            ]}
          />
        </small>
      </div>
    </li>
  )
}

function eventName(t: TFunction<['common', 'settings']>, kind: SecurityEventKind, facts: SecurityEventOut['facts']): string {
  const name = facts.device ? deviceName(t, readDevice(facts.device)) : facts.name
  const text = t(`settings:event.${kind}`)
  return name ? t('settings:eventOf', { event: text, name }) : text
}
