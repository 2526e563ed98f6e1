import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { memo, type ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ArticleFieldsInSchema } from '@/api/schemas.gen'
import type { ArticleOut, WebsiteOut } from '@/api/types.gen'
import { FormMore } from '@/components/form-more'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { TagInput } from '@/components/tag-input'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { languages } from '@/i18n/languages'
import { timeInsteadOf, wallTime } from '@/lib/time-zones'
import type { GalleryParts } from './article-text'
import type { Values } from './article-values'
import { useTerms } from '@/features/articles/api'
import { FeaturedImage } from './featured-image'
import { SearchResult, SHOWN_DESCRIPTION, SHOWN_TITLE } from './search-result'
import type { ArticleForm } from './use-article'
import type { FieldPlaces } from '@/features/articles/writing/writing-places'

const SiteCategories = lazyPart(async () => (await import('./site-categories')).SiteCategories)

const { slug, summary, seo_title, seo_description, canonical_url } = ArticleFieldsInSchema.properties
const LIMITED = { slug, summary, seo_title, seo_description, canonical_url }

type Fields = Omit<Values, 'content'>

interface ArticleFieldsProps {
  /** All values but the text. The object is the same while they are equal, so typing in the text does not draw the fields. */
  values: Fields
  errors: ArticleForm['errors']
  websites: readonly WebsiteOut[] | undefined
  /** The slug that the title suggests. */
  suggestedSlug: string | undefined
  saved: ArticleOut['featured'] | undefined
  /** The article is at its site: its website, its address and its time stay as they are. */
  isOut: boolean
  set: ArticleForm['setFieldValue']
  clear: ArticleForm['clearFieldError']
  Picker: GalleryParts['Picker']
  /** Where the tools of the writer are drawn. */
  places: FieldPlaces
}

/** The panels beside the text: website and time, featured image, address and tags, search result. */
export const ArticleFields = memo(function ArticleFields(props: ArticleFieldsProps) {
  const { values, errors, websites, saved, set, clear, Picker, places } = props
  const setField: SetField = (name, value) => {
    set(name, value as never)
    clear(name)
  }
  const website = websites?.find(({ id }) => id === values.website_id)
  const panel = { ...props, setField, website }
  return (
    <>
      <PublicationPanel {...panel} />
      <FeaturedImage
        value={values.featured}
        saved={saved}
        error={errors.featured}
        Picker={Picker}
        writing={places.featured}
        onChange={(next) => setField('featured', next)}
      />
      <AboutPanel {...panel} />
      {website && (
        <SiteCategories
          websiteId={website.id}
          value={values.categories}
          error={errors.categories}
          onChange={(next) => setField('categories', next)}
        />
      )}
      <SearchPanel {...panel} />
    </>
  )
})

/** Change a field, and clear its error. */
type SetField = <Name extends keyof Fields>(name: Name, value: Fields[Name]) => void

interface PanelProps extends ArticleFieldsProps {
  setField: SetField
  website: WebsiteOut | undefined
}

/** Return the props of the input for a text of the article. */
const textProps = ({ values, errors, setField }: PanelProps, name: keyof Fields & keyof typeof LIMITED) => ({
  'data-field': name,
  maxLength: LIMITED[name].maxLength,
  value: values[name],
  error: errors[name],
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setField(name, event.currentTarget.value),
})

/** Where and when the article is published, and its language. */
function PublicationPanel({ values, errors, websites, website, isOut, setField, clear }: PanelProps) {
  const { t } = useTranslation(['common', 'articles'])
  const skipped = timeInsteadOf(values.planned, values.zone)
  return (
    <Panel title={t('articles:editor.where')}>
      <div className="stack">
        <Select
          data-field="website_id"
          label={t('articles:editor.website')}
          data={(websites ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          disabled={isOut}
          description={isOut ? t('articles:editor.atSite.fixed') : undefined}
          value={website ? website.id : null}
          error={errors.website_id}
          onChange={(next) => next && setField('website_id', next)}
        />
        {!isOut && (
          <>
            <TextInput
              data-field="planned_at"
              type="datetime-local"
              label={t('articles:editor.planned')}
              description={skipped ? t('articles:editor.leftOut', { time: skipped }) : undefined}
              value={values.planned}
              min={wallTime(new Date(), values.zone)}
              error={errors.planned_at}
              onChange={(event) => {
                setField('planned', event.currentTarget.value)
                clear('planned_at')
              }}
            />
            <TimeZoneSelect
              data-field="time_zone"
              label={t('articles:editor.timeZone')}
              value={values.zone}
              error={errors.time_zone}
              onChange={(next) => {
                if (next) setField('zone', next)
                clear('time_zone')
              }}
            />
          </>
        )}
        <Select
          data-field="language"
          label={t('articles:editor.language')}
          data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          value={values.language}
          error={errors.language}
          onChange={(next) => next && setField('language', next)}
        />
      </div>
    </Panel>
  )
}

/** The address of the article, its summary and its tags. */
function AboutPanel(props: PanelProps) {
  const { values, errors, website, suggestedSlug, isOut, setField } = props
  const { summary: summaryPlace } = props.places
  const { t } = useTranslation(['common', 'articles'])
  const tags = useTerms(website?.id ?? '').data?.tags
  const hasOther = !isOut && suggestedSlug && suggestedSlug !== values.slug
  return (
    <Panel title={t('articles:editor.about')}>
      <div className="stack">
        <TextInput
          {...textProps(props, 'slug')}
          label={t('articles:editor.slug')}
          description={t(isOut ? 'articles:editor.atSite.fixed' : 'articles:editor.slugHint')}
          disabled={isOut}
          autoCapitalize="none"
          spellCheck={false}
        />
        {hasOther && (
          <Button className="article-from-title" size="compact-sm" variant="subtle" onClick={() => setField('slug', suggestedSlug)}>
            {t('articles:editor.fromTitle')}: <span className="clip">{suggestedSlug}</span>
          </Button>
        )}
        <Textarea
          {...textProps(props, 'summary')}
          label={t('articles:editor.summary')}
          description={t('articles:editor.summaryHint')}
          autosize
          minRows={2}
          maxRows={8}
        />
        <div className="article-at-field" ref={summaryPlace} />
        <TagInput
          data-field="tags"
          label={t('articles:editor.tags')}
          tags={tags?.map((tag) => ({ tag, count: 0 }))}
          value={values.tags}
          error={errors.tags}
          onChange={(next) => setField('tags', next)}
        />
      </div>
    </Panel>
  )
}

/** How the article looks in search results. */
function SearchPanel(props: PanelProps) {
  const { values, website } = props
  const { search: searchPlace } = props.places
  const { t } = useTranslation(['common', 'articles'])
  return (
    <Panel title={t('articles:editor.search')}>
      <div className="stack">
        <SearchResult
          address={website?.url}
          slug={values.slug}
          title={values.seo_title || values.title}
          description={values.seo_description || values.summary}
        />
        <TextInput
          {...textProps(props, 'seo_title')}
          label={t('articles:editor.seoTitle')}
          description={t('articles:editor.seoTitleHint')}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
        />
        <Counter length={[...(values.seo_title || values.title)].length} limit={SHOWN_TITLE} />
        <Textarea
          {...textProps(props, 'seo_description')}
          label={t('articles:editor.seoDescription')}
          description={t('articles:editor.seoDescriptionHint')}
          autosize
          minRows={2}
          maxRows={6}
        />
        <Counter length={[...values.seo_description].length} limit={SHOWN_DESCRIPTION} />
        <div className="article-at-field" ref={searchPlace} />
        <FormMore title={t('articles:editor.more')} summary={t('articles:editor.moreSays')} open={values.canonical_url !== ''}>
          <TextInput
            {...textProps(props, 'canonical_url')}
            label={t('articles:editor.canonical')}
            description={t('articles:editor.canonicalHint')}
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
          />
        </FormMore>
      </div>
    </Panel>
  )
}

/** Counts how much of a text search results show. A longer text is allowed, and cut there. */
function Counter({ length, limit }: { length: number; limit: number }) {
  const { t } = useTranslation(['common', 'articles'])
  const isOver = length > limit
  return (
    <p className="article-counter num" data-over={isOver || undefined}>
      {t(isOver ? 'articles:editor.shownOver' : 'articles:editor.shown', { length, limit })}
    </p>
  )
}
