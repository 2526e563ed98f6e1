import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArticleOut } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader, type Crumb } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge } from '@/components/status'
import { usePreview, websitesQuery } from '@/features/articles/api'
import { ArticleBadge } from '@/features/articles/article-badge'
import '@/features/articles/articles.css'
import { usePlaces } from '@/features/articles/writing/writing-places'
import type { Language } from '@/i18n/languages'
import { keepFromSubmitting } from '@/lib/keep-from-submitting'
import { useStableValue } from '@/lib/use-stable-value'
import { ArticleFoot, ArticleHeadActions } from './article-actions'
import { ArticleNotices } from './article-notices'
import { ArticleText, type GalleryParts } from './article-text'
import type { TextHandle } from './text-handle'
import { TitleField } from './title-field'
import { useArticle } from './use-article'
import { useArticleCommands } from './use-article-commands'
import { useFeatured } from './use-featured'
import { useHeadHeight } from './use-head-height'
import { useSavingText } from './use-saving-text'
import { useSlugFromTitle } from './use-slug-from-title'

const ArticleFields = lazyPart(async () => (await import('./article-fields')).ArticleFields, <RowSkeletons />)
const ArticleWriter = lazyPart(async () => (await import('@/features/articles/writing/article-writer')).ArticleWriter)

interface ArticleEditorProps {
  /** Absent for a new article. */
  article?: ArticleOut
  /** The article is deleted on the server. */
  isDeleted?: boolean
  /** For a new article: its website, and the language of that website. */
  websiteId?: string
  siteLanguage?: Language
  /** The pages above this one. */
  crumbs: Crumb[]
  gallery: GalleryParts
  onCreated: (articleId: string) => void
  /** Called when the article is scheduled, published, updated or left, and nothing is left to write. */
  onDone: (articleId: string) => void
  onDeleted: () => void
}

/** The page where an article is written, with its preview and its settings. */
export function ArticleEditor({ article, isDeleted = false, websiteId = '', siteLanguage, crumbs, gallery, onCreated, onDone, onDeleted }: ArticleEditorProps) {
  const { t } = useTranslation(['common', 'articles'])
  const websites = useQuery(websitesQuery)
  const edited = useArticle({ article, isDeleted, websiteId, siteLanguage, onCreated })
  const { form, saved, onItsWay, isAtSite } = edited
  const { values, errors } = form
  const { content, ...otherValues } = values
  const fields = useStableValue(otherValues)
  const fieldErrors = useStableValue(errors)
  const website = websites.data?.find(({ id }) => id === values.website_id)
  const commands = useArticleCommands({ edited, website, onDone, onDeleted })
  const savingText = useSavingText(edited, !article)
  const preview = usePreview(content, values.title)
  const suggestedSlug = preview.data?.slug
  // readers may have linked to the address of a published article, and an approver has seen the one of a scheduled article
  useSlugFromTitle(form, suggestedSlug, isAtSite || onItsWay)
  const text = useRef<TextHandle>(null)
  const [places, toolsPlace, panelPlace, fieldPlaces] = usePlaces()
  const [isBeingWritten, setBeingWritten] = useState(false)
  const formRef = useHeadHeight()
  const featured = useFeatured(values.featured, saved?.featured)

  return (
    <form
      ref={formRef}
      className="article-form page-wide"
      noValidate
      onKeyDown={keepFromSubmitting}
      onSubmit={(event) => {
        event.preventDefault()
        void (onItsWay ? commands.save(false) : isAtSite ? commands.updateAtSite() : commands.schedule())
      }}
    >
      <PageHeader
        crumbs={crumbs}
        title={values.title.trim() || t(article ? 'articles:noTitle' : 'articles:editor.new')}
        badge={saved ? <ArticleBadge article={saved} /> : <StatusBadge status="draft" />}
        sub={<span role="status">{savingText}</span>}
        actions={<ArticleHeadActions edited={edited} commands={commands} onShow={onDone} />}
      />
      <ArticleNotices edited={edited} website={website} websites={websites.data} />
      <div className="cols article-cols">
        <div className="stack">
          <TitleField form={form} autoFocus={!article} />
          <ArticleText
            title={values.title}
            value={content}
            language={values.language}
            error={errors.content}
            preview={preview.data}
            previewError={preview.error}
            lead={{ summary: values.summary, image: featured }}
            gallery={gallery}
            handle={text}
            isBusy={isBeingWritten}
            writing={toolsPlace}
            onChange={(text) => {
              form.setFieldValue('content', text)
              form.clearFieldError('content')
            }}
          />
        </div>
        <div className="stack">
          <div className="article-side" ref={panelPlace} />
          <ArticleFields
            values={fields}
            errors={fieldErrors}
            websites={websites.data}
            suggestedSlug={suggestedSlug}
            saved={saved?.featured}
            isOut={isAtSite}
            set={form.setFieldValue}
            clear={form.clearFieldError}
            Picker={gallery.Picker}
            places={fieldPlaces}
          />
        </div>
      </div>
      <ArticleWriter
        articleId={edited.id}
        form={form}
        text={text}
        stored={edited.stored}
        places={places}
        onBusy={setBeingWritten}
      />
      <ArticleFoot edited={edited} commands={commands} />
    </form>
  )
}
