import type { WebsiteOut } from '@/api/types.gen'
import { BothVersions as Versions } from '@/components/both-versions'
import { NewerBanner } from '@/components/newer-banner'
import { NEWER } from '@/components/use-self-saving'
import { useTranslation } from '@/i18n/translation'
import { useFormatIn } from '@/i18n/use-format'
import { touched } from '@/lib/edits'
import { plannedAt } from '@/lib/time-zones'
import type { Values } from './article-values'

interface BothVersionsProps {
  /** As it was saved elsewhere. */
  theirs: Values
  mine: Values
  /** What both began with. */
  before: Values
  websites: readonly WebsiteOut[]
  /** Takes theirs, and gives up what was typed. */
  onLoad: () => void
  /** Goes on with mine. */
  onKeep: () => void
}

/** What differs between an article as it was saved elsewhere and as it is here, beside one another, and which counts. */
export function BothVersions({ theirs, mine, before, websites, onLoad, onKeep }: BothVersionsProps) {
  const { t } = useTranslation()
  const told = [useTold(theirs, websites), useTold(mine, websites)] as const
  const { both, onlyTheirs } = touched(theirs, mine, before)
  return (
    <>
      <NewerBanner title={t('articleEditor.newer')} loadLabel={t('drafts.loadNewer')} onLoad={onLoad} onKeep={onKeep} />
      <Versions
        id={NEWER}
        fields={both.map((field) => ({ name: t(NAMES[field]), theirs: told[0][field], mine: told[1][field] }))}
        onlyTheirs={onlyTheirs.map((field) => t(NAMES[field]))}
      />
    </>
  )
}

const NAMES = {
  website_id: 'articleEditor.website',
  title: 'articleEditor.titleField',
  content: 'articleEditor.text',
  slug: 'articleEditor.slug',
  summary: 'articleEditor.summary',
  tags: 'articleEditor.tags',
  categories: 'articleEditor.categories',
  seo_title: 'articleEditor.seoTitle',
  seo_description: 'articleEditor.seoDescription',
  canonical_url: 'articleEditor.canonical',
  featured: 'articleEditor.featured',
  planned: 'articleEditor.planned',
  zone: 'articleEditor.timeZone',
  language: 'articleEditor.language',
} as const satisfies Record<keyof Values, string>

/** Each field in words. */
function useTold(values: Values, websites: readonly WebsiteOut[]): Record<keyof Values, string> {
  const { t } = useTranslation()
  const there = useFormatIn(values.zone)
  const at = plannedAt(values)
  return {
    ...values,
    website_id: websites.find(({ id }) => id === values.website_id)?.name ?? t('articles.siteGone'),
    tags: values.tags.join(', '),
    categories: values.categories.join(', '),
    featured: values.featured ? values.featured.alt || t('articleEditor.noAlt') : '',
    planned: at ? there.dayAndTime(at) : '',
    language: t(`common.languages.${values.language}`),
  }
}
