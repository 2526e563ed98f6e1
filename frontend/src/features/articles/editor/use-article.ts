import { useTranslation } from 'react-i18next'
import type { ArticleOut } from '@/api/types.gen'
import { useSelfSaving } from '@/components/use-self-saving'
import type { Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useTimeZone } from '@/i18n/use-format'
import { problemText, type Problem } from '@/lib/problems'
import { articleQuery, useCreateArticle, useEditArticle } from '@/features/articles/api'
import { isOnItsWay } from '@/features/articles/article-state'
import { bodyOf, empty, fieldOf, isBlank, valuesOf, type Values } from './article-values'

interface Options {
  /** Nothing for a new one. */
  article: ArticleOut | undefined
  /** The server has it no more. */
  gone: boolean
  /** Of a new one: the site that it is for, and the language of that. */
  websiteId: string
  siteLanguage: Language | undefined
  /** It is on the server from now on. */
  onCreated: (articleId: string) => void
}

/** In the order in which they stand. */
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

/** What is written of an article. A draft saves itself; what is on its way is changed when somebody says so. */
export function useArticle({ article, gone, websiteId, siteLanguage, onCreated }: Options) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const zone = useTimeZone()
  const own = useLanguage()
  const create = useCreateArticle()
  const edit = useEditArticle()
  const writing = useSelfSaving<ArticleOut, Values>({
    thing: article,
    gone,
    draftName: (id) => `article:${id ?? `new:${websiteId}`}`,
    valuesOf,
    empty: empty(websiteId, zone, siteLanguage ?? own),
    emptyLike: (values) => empty(values.website_id, values.zone, values.language),
    isBlank,
    lacks: ({ website_id }): Record<string, string> => (website_id || article ? {} : { website_id: t('articles:editor.noWebsite') }),
    savesItself: (known) => !(known && isOnItsWay(known)) && known?.status !== 'failed',
    create: (id, values) => create.mutateAsync({ body: { ...bodyOf(values), id } }),
    edit: async ({ id, values, known, version, approved }) =>
      (await edit.mutateAsync({ path: { article_id: id }, body: { ...bodyOf(values, known), version, approved } })).article,
    queryKey: (id) => articleQuery(id).queryKey,
    onCreated,
    errorsOf: (problem: Problem) => {
      const errors: Record<string, string> = {}
      for (const error of problem.errors) errors[fieldOf(error.field)] ??= problemText(t, error)
      return errors
    },
    fields: FIELDS,
    kept: t('articles:editor.kept'),
  })
  return { ...writing, onItsWay: writing.known !== undefined && isOnItsWay(writing.known) }
}

export type ArticleForm = ReturnType<typeof useArticle>['form']
