import { Button, Checkbox } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '@/components/panel'
import { SearchField } from '@/components/search-field'
import { useFormat } from '@/i18n/use-format'
import { problemText } from '@/lib/problems'
import { useReadTermsAgain, useTerms } from '@/features/articles/api'

const MANY = 12 // from so many on, one searches

interface SiteCategoriesProps {
  websiteId: string
  /** By the site's own ids. */
  value: readonly string[]
  error: ReactNode
  onChange: (ids: string[]) => void
}

/** Which of the site's categories an article is in, each below the one that it lies in. */
export function SiteCategories({ websiteId, value, error, onChange }: SiteCategoriesProps) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const format = useFormat()
  const terms = useTerms(websiteId)
  const again = useReadTermsAgain()
  const [search, setSearch] = useState('')
  const id = useId()
  const known = terms.data
  if (!known?.sorts) return null
  const { categories, gone, read_at: readAt, error_code: code } = known
  const wanted = search.trim().toLowerCase()
  const shown = wanted ? categories.filter(({ name }) => name.toLowerCase().includes(wanted)) : categories
  const there = new Set(categories.map(({ id }) => id))
  // until the site has answered once, nobody knows what is missing
  const missing = readAt ? value.filter((one) => !there.has(one)) : []
  const toggle = (one: string) => onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])
  const failed = again.error ?? (code && { code, params: {} })
  return (
    <Panel
      title={t('articles:editor.categories')}
      aside={
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={again.isPending}
          onClick={() => again.mutate({ path: { website_id: websiteId } })}
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
          {missing.map((one) => (
            <Checkbox
              key={one}
              checked
              label={t('articles:atSite.categoryGone', { name: gone[one] ?? one })}
              error
              onChange={() => toggle(one)}
            />
          ))}
          {shown.map(({ id, name, depth }) => (
            <Checkbox
              key={id}
              style={{ marginInlineStart: wanted ? 0 : `calc(${Math.min(depth, 6)} * 20px)` }}
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
