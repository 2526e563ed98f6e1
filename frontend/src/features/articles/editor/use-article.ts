import { useTranslation } from 'react-i18next'
import type { ArticleOut } from '@/api/types.gen'
import { useSelfSaving } from '@/components/use-self-saving'
import type { Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useTimeZone } from '@/i18n/use-format'
import { problemText, type Problem } from '@/lib/problems'
import { articleQuery, useCreateArticle, useEditArticle } from '@/features/articles/api'
import { hasOpenDeliveries } from '@/components/delivery-status'
import { bodyOf, empty, fieldOf, isBlank, valuesOf, type Values } from './article-values'

interface Options {
  /** Absent for a new article. */
  article: ArticleOut | undefined
  /** The article is deleted on the server. */
  isDeleted: boolean
  /** For a new article: its website, and the language of that website. */
  websiteId: string
  siteLanguage: Language | undefined
  /** Called when the server has the new article. */
  onCreated: (articleId: string) => void
}

/** The fields that show errors, in their order on the page. */
const FIELDS = [
  'title',
  'content',
  'website_id',
  'planned_at',
  'time_zone',
  'language',
  'featured',
  'slug',
  'summary',
  'tags',
  'categories',
  'seo_title',
  'seo_description',
  'canonical_url',
]

/** Return the article that is edited. A draft is saved automatically, a scheduled article on request. */
export function useArticle({ article, isDeleted, websiteId, siteLanguage, onCreated }: Options) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const zone = useTimeZone()
  const userLanguage = useLanguage()
  const create = useCreateArticle()
  const edit = useEditArticle()
  const writing = useSelfSaving<ArticleOut, Values>({
    item: article,
    isDeleted,
    draftName: (id) => `article:${id ?? `new:${websiteId}`}`,
    valuesOf,
    empty: empty(websiteId, zone, siteLanguage ?? userLanguage),
    emptyLike: (values) => empty(values.website_id, values.zone, values.language),
    isBlank,
    lacks: ({ website_id }): Record<string, string> => (website_id || article ? {} : { website_id: t('articles:editor.noWebsite') }),
    savesItself: (article) => !(article && hasOpenDeliveries(article)) && article?.status !== 'failed',
    create: (id, values) => create.mutateAsync({ body: { ...bodyOf(values), id } }),
    edit: async ({ id, values, saved: article, version, approved }) =>
      (await edit.mutateAsync({ path: { article_id: id }, body: { ...bodyOf(values, article), version, approved } })).article,
    queryKey: (id) => articleQuery(id).queryKey,
    onCreated,
    errorsOf: (problem: Problem) => {
      const errors: Record<string, string> = {}
      for (const error of problem.errors) errors[fieldOf(error.field)] ??= problemText(t, error)
      return errors
    },
    fields: FIELDS,
    draftNotice: t('articles:editor.kept'),
  })
  const { saved } = writing
  return { ...writing, onItsWay: saved !== undefined && hasOpenDeliveries(saved), isAtSite: Boolean(saved?.at_site) }
}

/** An article in its editor: the form, what the server has, and whether it is saved. */
export type EditedArticle = ReturnType<typeof useArticle>

export type ArticleForm = EditedArticle['form']
