import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconArrowsSort, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PostSort, type PostCounts } from '@/api/types.gen'
import { FilterChip } from '@/components/filter-chip'
import { lazyPart } from '@/components/lazy-part'
import { SearchField } from '@/components/search-field'
import { StatusIcon } from '@/components/status'
import { ColumnChoice } from './column-choice'
import { columnsParameter, type ColumnKey } from './columns'
import { FileMenu } from './file-menu'
import { inDrawer, joined, narrows, NO_FILTERS, SORTS, STATUSES, toggled, type Change, type PostFilters } from './filters'

const FilterDrawer = lazyPart(async () => (await import('./filter-drawer')).PostFilterDrawer)

interface FilterBarProps {
  filters: PostFilters
  columns: ColumnKey[]
  /** The number of posts per value, among those that match the other filters. */
  counts: PostCounts
  total: number
  change: Change
}

/** Search and status; the other filters are in a drawer. */
export function FilterBar({ filters, columns, counts, total, change }: FilterBarProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [open, setOpen] = useState(false)
  const more = inDrawer(filters)
  const every = STATUSES.reduce((sum, status) => sum + counts[status], 0)
  return (
    <div className="filters">
      <SearchField label={t('posts:search')} value={filters.search} onSearch={(text) => change({ search: text })} />
      <FilterChip selected={filters.statuses.length === 0} count={every} onClick={() => change({ status: null })}>
        {t('posts:all')}
      </FilterChip>
      {STATUSES.map((status) => (
        <FilterChip
          key={status}
          selected={filters.statuses.includes(status)}
          count={counts[status]}
          onClick={() => change({ status: joined(toggled(STATUSES, filters.statuses, status)) })}
        >
          <StatusIcon status={status} size={14} />
          {t(`status.${status}`)}
        </FilterChip>
      ))}
      {filters.articlesToo && (
        <FilterChip selected onClick={() => change({ articles: null })}>
          {t('posts:articlesToo')}
          <IconX size={14} aria-hidden />
        </FilterChip>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {more > 0 ? t('posts:filtersSet', { count: more }) : t('posts:filters')}
      </Button>
      {filters.tag !== null && (
        <FilterChip selected onClick={() => change({ tag: null })}>
          <span className="clip">
            <span className="vh">{t('tag')}:</span> {filters.tag}
          </span>
          <IconX size={14} aria-hidden />
        </FilterChip>
      )}
      {narrows(filters) && (
        <Button variant="subtle" size="xs" onClick={() => change(NO_FILTERS)}>
          {t('clear')}
        </Button>
      )}
      <div className="filters-end">
        <SortChoice sort={filters.sort} onChange={(sort) => change({ sort: sort === PostSort.PLANNED_NEXT ? null : sort })} />
        <ColumnChoice columns={columns} onChange={(chosen) => change({ columns: columnsParameter(chosen) })} />
        <FileMenu filters={filters} total={total} change={change} />
      </div>
      <FilterDrawer opened={open} onClose={() => setOpen(false)} filters={filters} total={total} change={change} />
    </div>
  )
}

function SortChoice({ sort, onChange }: { sort: PostSort; onChange: (sort: PostSort) => void }) {
  const { t } = useTranslation(['common', 'posts'])
  const label = t('posts:sortedBy', { order: t(`posts:sorts.${sort}`) })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} variant="default" aria-label={label} title={label}>
          <IconArrowsSort size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('posts:sort')}</Menu.Label>
        <Menu.RadioGroup value={sort} onChange={(chosen) => onChange(chosen as PostSort)}>
          {SORTS.map((option) => (
            <Menu.RadioItem key={option} value={option} closeMenuOnClick>
              {t(`posts:sorts.${option}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
