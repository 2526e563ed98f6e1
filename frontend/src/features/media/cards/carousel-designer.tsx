import { ActionIcon, Button, Select, Textarea, TextInput } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconFileTypePdf,
  IconPhotoPlus,
  IconPlus,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { suggestCardPagesMutation } from '@/api/@tanstack/react-query.gen'
import { CardPageModelSchema, CardPagesInSchema } from '@/api/schemas.gen'
import { PageKind } from '@/api/types.gen'
import { FormErrors } from '@/components/form-errors'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { TagInput } from '@/components/tag-input'
import { useProblemText } from '@/components/use-problem-text'
import { carouselQuery, imageTagsQuery, useCarouselDocument } from '@/features/media/api'
import { designerPath } from '@/features/media/links'
import { CAROUSEL } from '@/lib/carousels'
import { defaultLanguage, isLanguage, languageFacts, languages } from '@/i18n/languages'
import { altOf, completeSettings } from '@/lib/card-settings'
import { paths } from '@/lib/paths'
import { errorAt, isMissing } from '@/lib/problems'
import { saveFile } from '@/lib/save-file'
import {
  canAddPage,
  canMove,
  canRemove,
  carouselOf,
  carouselBody,
  hasEndCard,
  INNER_KINDS,
  isInner,
  movePage,
  newPage,
  withPage,
} from './card-pages'
import { CardPreview } from './card-preview'
import { CardSettingsFields } from './card-settings-fields'
import { PresetBar } from './preset-bar'
import { fromNothing, useCarouselDraft, type CarouselDraft, type DesignedCarousel } from './use-carousel-draft'

interface CarouselDesignerProps {
  /** The id of a saved page whose carousel is edited. */
  from: string | null
  /** The id of the post that gets the pages. */
  post: string | null
}

/** The page where the pages of a carousel are designed. */
export function CarouselDesigner({ from, post }: CarouselDesignerProps) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  return (
    <div className="page-wide">
      <PageHeader
        title={t('cards:carousel.title')}
        sub={t('cards:carousel.lead')}
        crumbs={[{ label: t('media:title'), to: paths.mediaGallery }]}
        actions={
          <Button component={Link} to={designerPath()} variant="default">
            {t('cards:carousel.singleCard')}
          </Button>
        }
      />
      {from === null ? <Designer draftKey={CAROUSEL} startOf={fromNothing} post={post} /> : <DesignerFrom from={from} post={post} />}
    </div>
  )
}

/** Designs a carousel from a saved one. */
function DesignerFrom({ from, post }: { from: string; post: string | null }) {
  const { t } = useTranslation(['common', 'cards'])
  const saved = useQuery(carouselQuery(from))
  const [start, setStart] = useState<CarouselDraft>()
  // kept in the state, because the page may be deleted meanwhile
  if (!start && saved.data) setStart({ ...fromNothing(), carousel: carouselOf(saved.data), tags: saved.data.tags })
  if (start) return <Designer draftKey={`${CAROUSEL}:${from}`} startOf={() => start} post={post} />
  if (!saved.error) return <RowSkeletons />
  if (!isMissing(saved.error))
    return <Failure title={t('cards:carousel.readFailed')} problem={saved.error} onRetry={() => void saved.refetch()} />
  return (
    <EmptyState
      title={t('cards:carousel.goneTitle')}
      text={t('cards:carousel.goneText')}
      actions={
        <Button component={Link} to={designerPath(CAROUSEL)} variant="default">
          {t('cards:carousel.open')}
        </Button>
      }
    />
  )
}

function Designer({ draftKey, startOf, post }: { draftKey: string; startOf: () => CarouselDraft; post: string | null }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  const textOf = useProblemText()
  const picture = useRef<HTMLImageElement>(null)
  const designed = useCarouselDraft(draftKey, startOf, post)
  const { preview, isWordless, errors, problem, pages } = designed
  const { selected } = designed.draft
  const page = pages[selected]
  return (
    <form
      className="designer"
      onSubmit={(event) => {
        event.preventDefault()
        designed.submit()
      }}
      noValidate
    >
      <div className="stack designer-settings">
        <FormErrors message={problem && `${t('cards:carousel.saveFailed')} ${problem.errors.length === 0 ? textOf(problem) : ''}`} />
        <FromPost designed={designed} />
        <PageList designed={designed} />
        <PageFields designed={designed} />
        <LookFields designed={designed} />
      </div>
      <div className="designer-side">
        <Panel
          className="designer-stage"
          title={t('cards:carousel.previewOf', { number: selected + 1, count: pages.length })}
        >
          <CardPreview
            preview={preview.data?.[0]}
            message={
              isWordless
                ? t('cards:wordless')
                : preview.error && !preview.data
                  ? (Object.values(errors)[0] ?? textOf(preview.error))
                  : undefined
            }
            alt={page ? page.alt || altOf(page) : ''}
            updating={designed.isPreviewOld}
            pictureRef={picture}
          />
        </Panel>
        <SavePanel designed={designed} forPost={post !== null} />
      </div>
    </form>
  )
}

/** The text of a post, which is divided into pages. */
function FromPost({ designed }: { designed: DesignedCarousel }) {
  const { t } = useTranslation(['common', 'cards'])
  const textOf = useProblemText()
  const [text, setText] = useState('')
  const suggest = useMutation(suggestCardPagesMutation())
  const isTooShort = suggest.data?.length === 0
  const divide = () =>
    suggest.mutate({ body: { text } }, { onSuccess: (pages) => pages.length > 0 && designed.replacePages(pages) })
  return (
    <div>
      <Textarea
        label={
          <>
            {t('cards:carousel.post')} <span className="dim">{t('optional')}</span>
          </>
        }
        description={t('cards:carousel.postHint')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={CardPagesInSchema.properties.text.maxLength}
        value={text}
        error={suggest.error ? textOf(suggest.error) : isTooShort && t('cards:carousel.tooShort')}
        onChange={(event) => {
          setText(event.currentTarget.value)
          suggest.reset()
        }}
      />
      <Button className="carousel-divide" variant="default" size="xs" disabled={text.trim() === ''} loading={suggest.isPending} onClick={divide}>
        {t('cards:carousel.divide')}
      </Button>
    </div>
  )
}

/** The pages in order: select, move, remove and add them. */
function PageList({ designed: { draft, pages, edit, setPages } }: { designed: DesignedCarousel }) {
  const { t } = useTranslation(['common', 'cards'])
  const { selected } = draft
  const add = (kind: PageKind) => {
    const next = withPage(pages, newPage(kind), selected)
    setPages(next, next.findIndex((page) => !pages.includes(page)))
  }
  return (
    <div>
      <div className="field-label" id="carousel-pages">
        {t('cards:carousel.pages')}
      </div>
      <ol className="carousel-pages" aria-labelledby="carousel-pages">
        {pages.map((page, index) => {
          const name = page.headline.trim() || t(`cards:carousel.kinds.${page.kind}`)
          return (
            <li key={page.key} data-selected={index === selected || undefined}>
              <button
                type="button"
                aria-current={index === selected ? 'true' : undefined}
                onClick={() => edit({ selected: index })}
              >
                <span className="num">{index + 1}</span>
                <span className="carousel-page-name">{name}</span>
                <span className="dim">{t(`cards:carousel.kinds.${page.kind}`)}</span>
              </button>
              <ActionIcon
                variant="subtle"
                aria-label={t('cards:carousel.up', { name })}
                disabled={!canMove(pages, index, -1)}
                onClick={() => setPages(movePage(pages, index, -1), index - 1)}
              >
                <IconChevronUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                aria-label={t('cards:carousel.down', { name })}
                disabled={!canMove(pages, index, 1)}
                onClick={() => setPages(movePage(pages, index, 1), index + 1)}
              >
                <IconChevronDown size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                aria-label={t('cards:carousel.remove', { name })}
                disabled={!canRemove(pages, page)}
                onClick={() => setPages(pages.toSpliced(index, 1), Math.max(0, Math.min(selected, pages.length - 2)))}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </li>
          )
        })}
      </ol>
      <div className="detail-row">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={!canAddPage(pages)}
          onClick={() => add(PageKind.POINT)}
        >
          {t('cards:carousel.add')}
        </Button>
        {!hasEndCard(pages) && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => add(PageKind.CALL_TO_ACTION)}
          >
            {t('cards:carousel.addEnd')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The words of the selected page. */
function PageFields({ designed: { draft, pages, errors, editPage } }: { designed: DesignedCarousel }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  const page = pages[draft.selected]
  if (!page) return null
  const { headline, text, alt } = CardPageModelSchema.properties
  const error = (name: string) => errors[`pages.${draft.selected}.${name}`]
  return (
    <>
      {isInner(page) && (
        <Select
          label={t('cards:carousel.kind')}
          data={INNER_KINDS.map((kind) => ({ value: kind, label: t(`cards:carousel.kinds.${kind}`) }))}
          value={page.kind}
          onChange={(kind) => editPage({ kind: INNER_KINDS.find((known) => known === kind) ?? page.kind })}
        />
      )}
      <TextInput
        label={t('cards:headline')}
        description={t(`cards:carousel.headlineHints.${page.kind}`)}
        maxLength={headline.maxLength}
        value={page.headline}
        error={error('headline')}
        onChange={(event) => editPage({ headline: event.currentTarget.value })}
      />
      <Textarea
        label={
          <>
            {t('cards:text')} <span className="dim">{t('optional')}</span>
          </>
        }
        description={t(`cards:carousel.textHints.${page.kind}`)}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={text.maxLength}
        value={page.text}
        error={error('text')}
        onChange={(event) => editPage({ text: event.currentTarget.value })}
      />
      <Textarea
        label={t('media:alt')}
        description={t('cards:carousel.altHint')}
        placeholder={altOf(page)}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={alt.maxLength}
        value={page.alt}
        error={error('alt')}
        onChange={(event) => editPage({ alt: event.currentTarget.value })}
      />
    </>
  )
}

/** The saved looks, and the look of all pages. */
function LookFields({ designed: { draft, preview, isWordless, errors, edit } }: { designed: DesignedCarousel }) {
  const { carousel, presetId } = draft
  const settingErrors = Object.fromEntries(
    Object.entries(errors).map(([field, text]) => [field.replace(/^settings\./, ''), text]),
  )
  return (
    <>
      <PresetBar
        presetId={presetId}
        settings={carousel.settings}
        onUse={(preset) =>
          edit({
            presetId: preset?.id ?? '',
            carousel: preset ? { ...carousel, settings: completeSettings(preset.settings) } : carousel,
          })
        }
      />
      <CardSettingsFields
        value={carousel.settings}
        withLayout={false}
        onChange={(settings) => edit({ carousel: { ...carousel, settings } })}
        notes={isWordless ? [] : preview.data?.[0]?.notes}
        errors={settingErrors}
      />
    </>
  )
}

/** The tags of the pages, and the buttons that save them or download the document. */
function SavePanel({ designed, forPost }: { designed: DesignedCarousel; forPost: boolean }) {
  const { t, i18n } = useTranslation(['common', 'cards', 'media'])
  const knownTags = useQuery(imageTagsQuery)
  const [language, setLanguage] = useState(isLanguage(i18n.language) ? i18n.language : defaultLanguage)
  const makeDocument = useCarouselDocument()
  const { draft, pages, errors, edit, isIncomplete, setProblem } = designed
  const title = pages[0]?.headline.trim() ?? ''
  const download = () => {
    setProblem(undefined)
    makeDocument.mutate(
      { ...carouselBody(draft.carousel), title, language },
      { onSuccess: (document) => saveFile(document, `${title.slice(0, 60)}.pdf`), onError: setProblem },
    )
  }
  return (
    <Panel className="designer-save" title={t('cards:keep')}>
      <div className="stack">
        <TagInput
          label={t('media:tags')}
          tags={knownTags.data}
          value={draft.tags}
          error={errorAt(errors, 'tags')}
          onChange={(next) => edit({ tags: next })}
        />
        <Select
          label={t('cards:carousel.language')}
          description={t('cards:carousel.languageHint')}
          data={languages.map((each) => ({ value: each, label: languageFacts(each).name }))}
          value={language}
          onChange={(next) => next && isLanguage(next) && setLanguage(next)}
        />
        {isIncomplete && <p className="card-hint">{t('cards:carousel.incomplete')}</p>}
        <div className="detail-row">
          <Button
            type="submit"
            leftSection={<IconPhotoPlus size={16} aria-hidden />}
            disabled={isIncomplete}
            loading={designed.isSaving}
          >
            {forPost ? t('cards:carousel.saveIntoPost') : t('cards:carousel.save', { count: pages.length })}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileTypePdf size={15} aria-hidden />}
            disabled={isIncomplete}
            loading={makeDocument.isPending}
            onClick={download}
          >
            {t('cards:carousel.download')}
          </Button>
          {designed.isChanged && (
            <Button variant="subtle" leftSection={<IconRestore size={15} aria-hidden />} onClick={designed.startOver}>
              {t('cards:startOver')}
            </Button>
          )}
        </div>
      </div>
    </Panel>
  )
}
