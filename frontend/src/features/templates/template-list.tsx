import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { TemplateOut, TemplateType } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { Tag } from '@/components/tag'
import { languageNames } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { useUrlFilters } from '@/lib/url-filters'
import { useTemplates } from './api'

const TYPES: (TemplateType | null)[] = [null, 'text', 'image']

export const newTemplatePath = `${paths.templates}?new`

export function TemplateList() {
  const { t } = useTranslation()
  const { filter, change } = useUrlFilters()
  const search = filter('search')
  const type = TYPES.find((known) => known === filter('type')) ?? null
  const templates = useTemplates({ search, type })
  const filtered = search !== '' || type !== null

  if (templates.isPending) return <RowSkeletons />
  if (templates.isError && !templates.data)
    return (
      <Failure title={t('templates.listFailed')} problem={templates.error} onRetry={() => void templates.refetch()} />
    )
  const rows = templates.data.pages.flatMap((page) => page.items)
  const total = templates.data.pages.at(-1)?.total ?? 0
  if (rows.length === 0 && !filtered)
    return (
      <EmptyState
        title={t('templates.emptyTitle')}
        text={t('templates.emptyText')}
        actions={
          <Button component={Link} to={newTemplatePath} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('templates.create')}
          </Button>
        }
      />
    )
  return (
    <>
      <div className="filters">
        <SearchField label={t('templates.search')} value={search} onSearch={(text) => change({ search: text })} />
        {TYPES.map((value) => (
          <FilterChip key={value} selected={value === type} onClick={() => change({ type: value })}>
            {t(`templates.${value ?? 'all'}`)}
          </FilterChip>
        ))}
      </div>
      {rows.length === 0 ? (
        <NoMatch
          text={search ? t('templates.noMatch', { search }) : t('templates.noMatchType')}
          onClear={() => change({ search: null, type: null })}
        />
      ) : (
        <TemplateTable rows={rows} />
      )}
      <ListFoot
        hasMore={templates.hasNextPage}
        loading={templates.isFetchingNextPage}
        onMore={() => void templates.fetchNextPage()}
      >
        {t('templates.count', { count: total })}
      </ListFoot>
    </>
  )
}

function TemplateTable({ rows }: { rows: TemplateOut[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<TemplateOut>[] = [
    {
      key: 'name',
      header: t('templates.name'),
      card: 'start',
      cell: (template) => (
        <div className="two">
          <Link className="rowlink" to={generatePath(paths.template, { templateId: template.id })}>
            {template.name}
          </Link>
          <small className="clip-2">{template.description || template.body}</small>
        </div>
      ),
    },
    {
      key: 'type',
      header: t('templates.type'),
      card: 'end',
      cell: (template) => <Tag>{t(`templates.${template.type}`)}</Tag>,
    },
    {
      key: 'variables',
      header: t('templates.variables'),
      card: 'wide',
      cell: (template) => (
        <span className="tags">
          {template.variables.map((name) => (
            <code key={name} className="mono mid">
              {name}
            </code>
          ))}
        </span>
      ),
    },
    {
      key: 'tags',
      header: t('templates.tags'),
      card: 'wide',
      cell: (template) => (
        <span className="tags">
          <span className="dim">{languageNames[template.language]}</span>
          {template.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </span>
      ),
    },
    {
      key: 'changed',
      header: t('templates.changed'),
      card: 'start',
      cell: (template) => (
        <div className="two num nowrap">
          <time dateTime={template.updated_at}>{format.dayAndTime(template.updated_at)}</time>
          <small>{t('templates.version', { number: template.version })}</small>
        </div>
      ),
    },
  ]
  return <DataList label={t('templates.title')} columns={columns} rows={rows} rowKey={(template) => template.id} />
}
