import type { ArticleEditIn, ArticleOut } from '@/api/types.gen'
import { defaultLanguage, isLanguage, type Language } from '@/i18n/languages'
import { plannedAt, wallTime } from '@/lib/time-zones'

type Body = Omit<ArticleEditIn, 'version' | 'approved'>

export interface Values {
  website_id: string
  title: string
  content: string
  /** The last part of the article's address at the website. */
  slug: string
  summary: string
  tags: string[]
  /** The categories' ids at the website. */
  categories: string[]
  seo_title: string
  seo_description: string
  canonical_url: string
  /** The featured image, above the text. */
  featured: { media_id: string; alt: string } | null
  /** The time of publishing in `zone`, in the format of `datetime-local`; empty if not set. */
  planned: string
  zone: string
  language: Language
}

export const empty = (website_id: string, zone: string, language: Language): Values => ({
  website_id,
  title: '',
  content: '',
  slug: '',
  summary: '',
  tags: [],
  categories: [],
  seo_title: '',
  seo_description: '',
  canonical_url: '',
  featured: null,
  planned: '',
  zone,
  language,
})

export const valuesOf = ({ website_id, content, fields, featured, planned_at, time_zone, language }: ArticleOut): Values => ({
  website_id: website_id ?? '',
  content,
  ...fields,
  featured: featured && { media_id: featured.media_id, alt: featured.alt },
  planned: planned_at ? wallTime(new Date(planned_at), time_zone) : '',
  zone: time_zone,
  language: isLanguage(language) ? language : defaultLanguage,
})

/** Return the request's body. If the time equals that of `article`, keep the seconds of `article`. */
export function bodyOf(values: Values, article?: ArticleOut): Body {
  const { website_id, content, featured, planned, zone, language, ...fields } = values
  const isUnchanged = article?.planned_at && article.time_zone === zone && valuesOf(article).planned === planned
  return {
    // one that was removed: it stays with that
    website_id: website_id || null,
    content,
    fields,
    featured,
    planned_at: isUnchanged ? article.planned_at : (plannedAt(values)?.toISOString() ?? null),
    time_zone: zone,
    language,
  }
}

export const isBlank = ({ title, content, summary, featured }: Values): boolean =>
  title.trim() === '' && content.trim() === '' && summary.trim() === '' && featured === null

/** Return the form's field for a field of the server, which is below `article` or `fields`. */
export function fieldOf(path: string): string {
  const [first = '', second = ''] = path.split('.')
  return first === 'article' || first === 'fields' ? second : first
}
