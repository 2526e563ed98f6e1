import { Button, Checkbox } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '@/components/panel'
import { SearchField } from '@/components/search-field'
import { useFormat } from '@/i18n/use-format'
import { problemText } from '@/lib/problems'
import { useReadTermsAgain, useTerms } from '@/features/articles/api'

const MANY = 12 // from this number on, a search field is shown

interface SiteCategoriesProps {
  websiteId: string
  /** The website's ids of the chosen categories. */
  value: readonly string[]
  error: ReactNode
  onChange: (ids: string[]) => void
}

/** The choice of the website's categories, each indented below its parent. */
export function SiteCategories({ websiteId, value, error, onChange }: SiteCategoriesProps) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const format = useFormat()
  const terms = useTerms(websiteId)
  const readAgain = useReadTermsAgain()
  const [search, setSearch] = useState('')
  const id = useId()
  const siteTerms = terms.data
  if (!siteTerms?.sorts) return null
  const { categories, gone: removedNames, read_at: readAt, error_code: code } = siteTerms
  const query = search.trim().toLowerCase()
  const shown = query ? categories.filter(({ name }) => name.toLowerCase().includes(query)) : categories
  const existingIds = new Set(categories.map(({ id }) => id))
  // without a first response from the website, missing categories are unknown
  const missing = readAt ? value.filter((categoryId) => !existingIds.has(categoryId)) : []
  const toggle = (categoryId: string) => onChange(value.includes(categoryId) ? value.filter((otherId) => otherId !== categoryId) : [...value, categoryId])
  const failed = readAgain.error ?? (code && { code, params: {} })
  return (
    <Panel
      title={t('articles:editor.categories')}
      aside={
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={readAgain.isPending}
          onClick={() => readAgain.mutate({ path: { website_id: websiteId } })}
        >
          {t('articles:atSite.readAgain')}
        </Button>
      }
    >
      <div className="stack" data-field="categories">
        {categories.length > MANY && <SearchField label={t('articles:atSite.searchCategories')} value={search} onSearch={setSearch} />}
        <div
          className="site-categories"
          role="group"
          aria-label={t('articles:editor.categories')}
          aria-describedby={error ? `${id}-error` : undefined}
        >
          {missing.map((categoryId) => (
            <Checkbox
              key={categoryId}
              checked
              label={t('articles:atSite.categoryGone', { name: removedNames[categoryId] ?? categoryId })}
              error
              onChange={() => toggle(categoryId)}
            />
          ))}
          {shown.map(({ id, name, depth }) => (
            <Checkbox
              key={id}
              style={{ marginInlineStart: query ? 0 : `calc(${Math.min(depth, 6)} * 20px)` }}
              checked={value.includes(id)}
              label={name}
              onChange={() => toggle(id)}
            />
          ))}
          {shown.length === 0 && missing.length === 0 && <p className="fine-print">{t('articles:atSite.noCategories')}</p>}
        </div>
        {error && (
          <p id={`${id}-error`} className="field-error" role="alert">
            {error}
          </p>
        )}
        {failed && (
          <p className="fine-print" role="status">
            {t('articles:atSite.categoriesOld')} {problemText(t, failed)}
          </p>
        )}
        {readAt && <p className="fine-print">{t('articles:atSite.readAt', { when: format.dayAndTime(readAt) })}</p>}
      </div>
    </Panel>
  )
}
