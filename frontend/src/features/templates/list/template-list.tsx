import { Button, Select } from '@mantine/core'
import { IconFileImport, IconPlus, IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { TemplateSort, TemplateType, Visibility, type TemplateOut } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { Tag } from '@/components/tag'
import { TagFilter } from '@/components/tag-filter'
import { isLanguage, languages, type Language } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { useUrlFilters } from '@/lib/url-filters'
import { templateTagsQuery, useTemplates } from '@/features/templates/api'
import { importTemplatesPath, newTemplatePath, templatePath } from '@/features/templates/links'
import { TemplateMenu } from './template-menu'
import '@/features/templates/templates.css'

const TYPES = Object.values(TemplateType)
const VISIBILITIES = Object.values(Visibility)
const SORTS = Object.values(TemplateSort)

export function TemplateList() {
  const { t } = useTranslation(['common', 'templates'])
  const { filter, change } = useUrlFilters()
  const search = filter('search')
  const type = TYPES.find((option) => option === filter('type')) ?? null
  const visibility = VISIBILITIES.find((option) => option === filter('visibility')) ?? null
  const language = isLanguage(filter('language')) ? (filter('language') as Language) : null
  const tag = filter('tag')
  const sort = SORTS.find((option) => option === filter('sort')) ?? 'changed'
  const templates = useTemplates({ search, type, visibility, language, tag: tag || null, sort })
  const tags = useQuery(templateTagsQuery)
  const filtered = [search, type, visibility, language, tag].some(Boolean)
  const clear = () => change({ search: null, type: null, visibility: null, language: null, tag: null })

  if (templates.isPending) return <RowSkeletons />
  if (templates.isError && !templates.data)
    return (
      <Failure title={t('templates:listFailed')} problem={templates.error} onRetry={() => void templates.refetch()} />
    )
  const rows = templates.data.pages.flatMap((page) => page.items)
  const total = templates.data.pages.at(-1)?.total ?? 0
  if (rows.length === 0 && !filtered) return <NoTemplates />
  return (
    <>
      <div className="filters">
        <SearchField label={t('templates:search')} value={search} onSearch={(text) => change({ search: text })} />
        <FilterChip selected={type === null && visibility === null} onClick={() => change({ type: null, visibility: null })}>
          {t('templates:all')}
        </FilterChip>
        {TYPES.map((value) => (
          <FilterChip
            key={value}
            selected={value === type}
            onClick={() => change({ type: value === type ? null : value })}
          >
            {t(`templates:kinds.${value}`)}
          </FilterChip>
        ))}
        {VISIBILITIES.map((value) => (
          <FilterChip
            key={value}
            selected={value === visibility}
            onClick={() => change({ visibility: value === visibility ? null : value })}
          >
            {t(`templates:visibilities.${value}`)}
          </FilterChip>
        ))}
        <Select
          className="list-select"
          aria-label={t('templates:language')}
          placeholder={t('templates:anyLanguage')}
          clearable
          clearButtonProps={{ 'aria-label': t('templates:anyLanguage') }}
          data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          value={language}
          onChange={(value) => change({ language: value })}
        />
        <TagFilter tags={tags.data} value={tag || null} onChange={(value) => change({ tag: value })} />
        <Select
          className="list-select"
          aria-label={t('templates:sort')}
          data={SORTS.map((value) => ({ value, label: t(`templates:sorts.${value}`) }))}
          value={sort}
          onChange={(value) => change({ sort: value === 'changed' ? null : value })}
        />
        {filtered && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {t('clear')}
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <NoMatch text={search ? t('templates:noMatch', { search }) : t('templates:noMatchFilters')} onClear={clear} />
      ) : (
        <TemplateTable rows={rows} onTag={(value) => change({ tag: value })} />
      )}
      <ListFoot
        hasMore={templates.hasNextPage}
        loading={templates.isFetchingNextPage}
        onMore={() => void templates.fetchNextPage()}
      >
        {t('templates:count', { count: total })}
      </ListFoot>
    </>
  )
}

/** The empty list: write, copy or import a template. */
function NoTemplates() {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <EmptyState
      title={t('templates:emptyTitle')}
      text={t('templates:emptyText')}
      actions={
        <>
          <Button component={Link} to={newTemplatePath} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('templates:create')}
          </Button>
          <Button component={Link} to={paths.marketplace} variant="default">
            {t('templates:toMarketplace')}
          </Button>
          <Button
            component={Link}
            to={importTemplatesPath}
            variant="subtle"
            leftSection={<IconFileImport size={15} aria-hidden />}
          >
            {t('templates:files.import')}
          </Button>
        </>
      }
    />
  )
}

function TemplateTable({ rows, onTag }: { rows: TemplateOut[]; onTag: (tag: string) => void }) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  const columns: Column<TemplateOut>[] = [
    {
      key: 'name',
      header: t('templates:name'),
      card: 'start',
      cell: (template) => (
        <div className="two-lines">
          <Link className="rowlink" to={templatePath(template.id)}>
            {template.name}
          </Link>
          <small className="clip-2">{template.description || template.body}</small>
          {template.source && (
            <small>
              {t('templates:copyOf')} {template.source.name}{' '}
              {template.source.author && t('templates:by', { author: template.source.author })}
            </small>
          )}
        </div>
      ),
    },
    {
      key: 'type',
      header: t('templates:type'),
      card: 'wide',
      cell: (template) => (
        <span className="tags">
          <Tag>{t(`templates:kinds.${template.type}`)}</Tag>
          {template.visibility === 'public' && (
            <Tag>
              <IconWorld size={12} aria-hidden />
              {t('templates:visibilities.public')}
            </Tag>
          )}
        </span>
      ),
    },
    {
      key: 'tags',
      header: t('templates:tags'),
      card: 'wide',
      cell: (template) => (
        <span className="tags">
          <span className="dim">{t(`languages.${template.language}`)}</span>
          {template.tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className="tag tag-button"
              aria-label={t('templates:filterByTag', { tag })}
              onClick={() => onTag(tag)}
            >
              <span className="clip">{tag}</span>
            </button>
          ))}
        </span>
      ),
    },
    {
      key: 'used',
      header: t('templates:used'),
      card: 'start',
      cell: (template) => (
        <div className="two-lines num nowrap">
          <span>{t('templates:usageCount', { count: template.usage_count })}</span>
          <small>{t('templates:usedByCount', { count: template.used_by })}</small>
        </div>
      ),
    },
    {
      key: 'changed',
      header: t('templates:changed'),
      card: 'start',
      cell: (template) => (
        <div className="two-lines num nowrap">
          <time dateTime={template.updated_at}>{format.dayAndTime(template.updated_at)}</time>
          <small>{t('templates:version', { number: template.version })}</small>
        </div>
      ),
    },
    {
      key: 'actions',
      header: t('templates:actions'),
      numeric: true,
      card: 'end',
      cell: (template) => <TemplateMenu template={template} inList onDeleted={() => undefined} />,
    },
  ]
  return <DataList label={t('templates:title')} columns={columns} rows={rows} rowKey={(template) => template.id} />
}
