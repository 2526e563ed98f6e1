import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { channelName, NETWORKS } from '@/components/channel'
import { FactIcon } from '@/components/fact-icon'
import { DayField } from '@/components/day-field'
import { FilterChip } from '@/components/filter-chip'
import { FilterDrawer } from '@/components/filter-drawer'
import { TagFilter } from '@/components/tag-filter'
import { accountsQuery, postTagsQuery } from '@/features/posts/api'
import { allAssistantsQuery } from '@/lib/unpaged-lists'
import { FACTS, joined, NO_FILTERS, SOURCES, toggled, type Change, type PostFilters } from './filters'

interface PostFilterDrawerProps {
  opened: boolean
  onClose: () => void
  filters: PostFilters
  /** How many posts match the current filters. */
  total: number
  change: Change
}

/** All filters that are not in the bar. */
export function PostFilterDrawer({ opened, onClose, filters, total, change }: PostFilterDrawerProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <FilterDrawer
      opened={opened}
      onClose={onClose}
      title={t('posts:filtersTitle')}
      countText={t(filters.articlesToo ? 'posts:showFoundBoth' : 'posts:showFound', { count: total })}
      onClear={() => change(NO_FILTERS)}
    >
      <fieldset className="filter-group">
        <legend>{t('posts:factsFilter')}</legend>
        <FilterChip selected={filters.waiting} onClick={() => change({ waiting: filters.waiting ? null : 'yes' })}>
          {t('posts:waitsForYou')}
        </FilterChip>
        {FACTS.filter((fact) => fact !== 'not_updated' || filters.articlesToo || filters.facts.includes(fact)).map((fact) => (
          <FilterChip
            key={fact}
            selected={filters.facts.includes(fact)}
            onClick={() => change({ state: joined(toggled(FACTS, filters.facts, fact)) })}
          >
            <FactIcon fact={fact} />
            {t(`status.${fact}`)}
          </FilterChip>
        ))}
      </fieldset>
      <fieldset className="filter-group">
        <legend>{t('posts:kinds')}</legend>
        <FilterChip selected={filters.articlesToo} onClick={() => change({ articles: filters.articlesToo ? null : 'too' })}>
          {t('posts:articlesToo')}
        </FilterChip>
      </fieldset>
      <fieldset className="filter-group">
        <legend>{t('posts:channels')}</legend>
        {NETWORKS.map((channel) => (
          <FilterChip
            key={channel}
            selected={filters.channels.includes(channel)}
            onClick={() => change({ channel: joined(toggled(NETWORKS, filters.channels, channel)) })}
          >
            {channelName(channel)}
          </FilterChip>
        ))}
      </fieldset>
      <Choices filters={filters} change={change} />
      <div className="filter-days">
        <DayField label={t('posts:plannedFrom')} value={filters.from} max={filters.to ?? undefined} onDay={(from) => change({ from })} />
        <DayField label={t('posts:plannedTo')} value={filters.to} min={filters.from ?? undefined} onDay={(to) => change({ to })} />
      </div>
    </FilterDrawer>
  )
}

function Choices({ filters, change }: Pick<PostFilterDrawerProps, 'filters' | 'change'>) {
  const { t } = useTranslation(['common', 'posts'])
  const accounts = useQuery(accountsQuery)
  const assistants = useQuery(allAssistantsQuery)
  const tags = useQuery(postTagsQuery)
  return (
    <>
      <TagFilter labelled tags={tags.data} value={filters.tag} onChange={(tag) => change({ tag })} />
      <Select
        label={t('posts:account')}
        placeholder={t('posts:anyAccount')}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t('posts:anyAccount') }}
        data={accounts.data?.map(({ id, name, kind }) => ({ value: id, label: `${name} (${channelName(kind)})` })) ?? []}
        value={filters.account}
        onChange={(account) => change({ account })}
      />
      <Select
        label={t('posts:assistant')}
        placeholder={t('posts:anyAssistant')}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t('posts:anyAssistant') }}
        data={assistants.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={filters.assistant}
        onChange={(assistant) => change({ assistant })}
      />
      <Select
        label={t('posts:source')}
        placeholder={t('posts:anySource')}
        clearable
        clearButtonProps={{ 'aria-label': t('posts:anySource') }}
        data={SOURCES.map((source) => ({ value: source, label: t(`posts:sources.${source}`) }))}
        value={filters.source}
        onChange={(source) => change({ source })}
      />
    </>
  )
}
