import { useTranslation } from 'react-i18next'
import type { WebsiteOut } from '@/api/types.gen'
import { BothVersions as Versions } from '@/components/both-versions'
import { NewerBanner } from '@/components/newer-banner'
import { NEWER_VERSION_ID } from '@/components/use-self-saving'
import { useFormatIn } from '@/i18n/use-format'
import { compareChanges } from '@/lib/edits'
import { plannedAt } from '@/lib/time-zones'
import type { Values } from './article-values'

interface BothVersionsProps {
  /** The version saved elsewhere. */
  theirs: Values
  mine: Values
  /** The version that both are based on. */
  before: Values
  websites: readonly WebsiteOut[]
  /** Load the version saved elsewhere and discard the changes made here. */
  onLoad: () => void
  /** Keep the changes made here. */
  onKeep: () => void
}

/** The differences between the article as saved elsewhere and as edited here, and the choice which to keep. */
export function BothVersions({ theirs, mine, before, websites, onLoad, onKeep }: BothVersionsProps) {
  const { t } = useTranslation(['common', 'articles'])
  const texts = [useFieldTexts(theirs, websites), useFieldTexts(mine, websites)] as const
  const { both, onlyTheirs } = compareChanges(theirs, mine, before)
  return (
    <>
      <NewerBanner title={t('articles:editor.newer')} loadLabel={t('drafts.loadNewer')} onLoad={onLoad} onKeep={onKeep} />
      <Versions
        id={NEWER_VERSION_ID}
        fields={both.map((field) => ({ name: t(NAMES[field]), theirs: texts[0][field], mine: texts[1][field] }))}
        onlyTheirs={onlyTheirs.map((field) => t(NAMES[field]))}
      />
    </>
  )
}

const NAMES = {
  website_id: 'articles:editor.website',
  title: 'articles:editor.titleField',
  content: 'articles:editor.text',
  slug: 'articles:editor.slug',
  summary: 'articles:editor.summary',
  tags: 'articles:editor.tags',
  categories: 'articles:editor.categories',
  seo_title: 'articles:editor.seoTitle',
  seo_description: 'articles:editor.seoDescription',
  canonical_url: 'articles:editor.canonical',
  featured: 'articles:editor.featured',
  planned: 'articles:editor.planned',
  zone: 'articles:editor.timeZone',
  language: 'articles:editor.language',
} as const satisfies Record<keyof Values, string>

/** Return each field as a text. */
function useFieldTexts(values: Values, websites: readonly WebsiteOut[]): Record<keyof Values, string> {
  const { t } = useTranslation(['common', 'articles'])
  const zoneFormat = useFormatIn(values.zone)
  const at = plannedAt(values)
  return {
    ...values,
    website_id: websites.find(({ id }) => id === values.website_id)?.name ?? t('articles:siteGone'),
    tags: values.tags.join(', '),
    categories: values.categories.join(', '),
    featured: values.featured ? values.featured.alt || t('articles:editor.noAlt') : '',
    planned: at ? zoneFormat.dayAndTime(at) : '',
    language: t(`languages.${values.language}`),
  }
}
