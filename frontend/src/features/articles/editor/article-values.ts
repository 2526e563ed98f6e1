import type { ArticleEditIn, ArticleOut } from '@/api/types.gen'
import { defaultLanguage, isLanguage, type Language } from '@/i18n/languages'
import { plannedAt, wallTime } from '@/lib/time-zones'

type Body = Omit<ArticleEditIn, 'version' | 'approved'>

export interface Values {
  website_id: string
  title: string
  content: string
  /** The end of its address at the site. */
  slug: string
  summary: string
  tags: string[]
  /** Their ids at the site. */
  categories: string[]
  seo_title: string
  seo_description: string
  canonical_url: string
  /** The image above it. */
  featured: { media_id: string; alt: string } | null
  /** What clocks show in `zone` when it goes out, as a field for date and time has it; empty while nobody has said. */
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

/** As the server takes it. A time that is as `article` has it keeps its seconds. */
export function bodyOf(values: Values, article?: ArticleOut): Body {
  const { website_id, content, featured, planned, zone, language, ...fields } = values
  const same = article?.planned_at && article.time_zone === zone && valuesOf(article).planned === planned
  return {
    // one that was removed: it stays with that
    website_id: website_id || null,
    content,
    fields,
    featured,
    planned_at: same ? article.planned_at : (plannedAt(values)?.toISOString() ?? null),
    time_zone: zone,
    language,
  }
}

export const isBlank = ({ title, content, summary, featured }: Values): boolean =>
  title.trim() === '' && content.trim() === '' && summary.trim() === '' && featured === null

/** The field here that the server means: what it keeps beside the text it names below `article` or `fields`. */
export function fieldOf(path: string): string {
  const [first = '', second = ''] = path.split('.')
  return first === 'article' || first === 'fields' ? second : first
}
