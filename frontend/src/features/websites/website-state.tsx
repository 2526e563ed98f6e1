import { useTranslation } from 'react-i18next'
import type { WebsiteOut } from '@/api/types.gen'
import { StatusBadge, type Status } from '@/components/status'

type State = NonNullable<WebsiteOut['state']> | 'disconnected'

const looks = {
  connected: 'published',
  needs_reconnecting: 'failed',
  disconnected: 'skipped',
} satisfies Record<State, Status>

/** Whether articles can go there. */
export function WebsiteState({ website }: { website: Pick<WebsiteOut, 'state'> }) {
  const { t } = useTranslation(['common', 'websites'])
  const state = website.state ?? 'disconnected'
  return <StatusBadge status={looks[state]} label={t(`websites:states.${state}`)} />
}
