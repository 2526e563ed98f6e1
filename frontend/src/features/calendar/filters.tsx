import { Select } from '@mantine/core'
import { IconSquare, IconSquareCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EntryStatus, type ChannelKind } from '@/api/types.gen'
import { channelName, NETWORKS } from '@/components/channel'
import { FilterChip } from '@/components/filter-chip'
import { allAssistantsQuery } from '@/lib/unpaged-lists'

export const STATUSES = Object.values(EntryStatus)
export const HIDDEN = 'hidden'

export interface CalendarFilters {
  status: EntryStatus | null
  channel: ChannelKind | null
  assistant: string | null
  /** Whether planned runs are shown. */
  planned: boolean
}

export interface FiltersProps {
  filters: CalendarFilters
  /** Write filters to the URL; null removes one. */
  change: (changes: Record<string, string | null>) => void
}

export const NO_FILTERS = { status: null, channel: null, assistant: null, planned: null }

/** Return the number of active filters. */
export const narrowing = ({ status, channel, assistant, planned }: CalendarFilters): number =>
  [status, channel, assistant, !status && !planned].filter(Boolean).length

/** The filters of the calendar: in a row, or `labelled` in a column. */
export function Filters({ filters, change, labelled }: FiltersProps & { labelled?: boolean }) {
  const { t } = useTranslation(['common', 'calendar'])
  const { status, channel, assistant, planned } = filters
  const assistants = useQuery(allAssistantsQuery)
  const word = (value: EntryStatus) => (value === EntryStatus.PLANNED ? t('calendar:slots') : t(`status.${value}`))
  const showsSlots = status ? status === EntryStatus.PLANNED : planned
  const Sign = showsSlots ? IconSquareCheck : IconSquare
  const named = (label: string) => (labelled ? { label } : { className: 'filter-select', 'aria-label': label })
  return (
    <>
      <Select
        {...named(t('calendar:status'))}
        placeholder={t('calendar:anyStatus')}
        clearable
        clearButtonProps={{ 'aria-label': t('calendar:anyStatus') }}
        data={STATUSES.map((value) => ({ value, label: word(value) }))}
        value={status}
        onChange={(value) => change({ status: value })}
      />
      <Select
        {...named(t('calendar:channel'))}
        placeholder={t('calendar:anyChannel')}
        clearable
        clearButtonProps={{ 'aria-label': t('calendar:anyChannel') }}
        data={NETWORKS.map((value) => ({ value, label: channelName(value) }))}
        value={channel}
        onChange={(value) => change({ channel: value })}
      />
      <Select
        {...named(t('calendar:assistant'))}
        placeholder={t('calendar:anyAssistant')}
        clearable
        clearButtonProps={{ 'aria-label': t('calendar:anyAssistant') }}
        data={assistants.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={assistant}
        onChange={(value) => change({ assistant: value })}
      />
      {/* of one status that is chosen all is shown */}
      <FilterChip selected={showsSlots} disabled={status !== null} onClick={() => change({ planned: planned ? HIDDEN : null })}>
        <Sign size={15} aria-hidden />
        {t('calendar:showSlots')}
      </FilterChip>
    </>
  )
}
