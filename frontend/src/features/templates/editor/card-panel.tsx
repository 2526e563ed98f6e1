import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CardSettingsModelSchema } from '@/api/schemas.gen'
import { CardFont, CardLayout, type CardPagePreviewOut, type CardPagesIn } from '@/api/types.gen'
import { BrandSelect } from '@/components/brand-select'
import { CardColours } from '@/components/card-colours'
import { ImageRatioField } from '@/components/image-ratio-field'
import { PageSwipe } from '@/components/page-swipe'
import { Panel } from '@/components/panel'
import { completeSettings, sameSettings, type CardSettings, type CardWords } from '@/lib/card-settings'
import { fontName, layoutName, noteText } from '@/lib/card-words'
import { aspectRatio } from '@/lib/image-ratio'
import { fieldErrors, problemText } from '@/lib/problems'
import { cardPresetsQuery, pagesPreviewQuery } from '@/features/templates/api'
import { cardOptionsQuery, cardPreviewQuery } from '@/lib/card-queries'

const PREVIEW_AFTER = 400 // ms without a change
const BY_WORDS = 'by-words'

/** The field that chooses an image of the library. The route passes it in, because the library is another feature. */
export type LogoField = ComponentType<{
  value: string | null
  error?: ReactNode
  onChange: (imageId: string | null) => void
}>

interface CardPanelProps {
  title: string
  value: CardSettings
  onChange: (card: CardSettings) => void
  /** Errors by the field's path in the template. */
  errors: Partial<Record<string, ReactNode>>
  words: CardWords
  /** What becomes the pages of a carousel, each with a layout of its own; null for a single card. */
  carousel?: CardPagesIn | null
  logoField: LogoField
}

/** The card's design, and a preview rendered by the server. */
export function CardPanel({ title, value, onChange, errors, words, carousel = null, logoField: Logo }: CardPanelProps) {
  const { t } = useTranslation(['common', 'cards', 'errors', 'templates'])
  const { data: options } = useQuery(cardOptionsQuery)
  const { data: presets = [] } = useQuery(cardPresetsQuery)
  // the hook takes every other object for a change, even after its own
  const current = useMemo(() => ({ words, carousel, settings: value }), [words, carousel, value])
  const [previewed] = useDebouncedValue(current, PREVIEW_AFTER)
  const isEmpty = previewed.carousel ? previewed.carousel.text.trim() === '' : previewed.words.headline === ''
  const card = useQuery({
    ...cardPreviewQuery({ ...previewed.words, settings: previewed.settings }),
    enabled: !isEmpty && previewed.carousel === null,
  })
  const pages = useQuery({
    ...pagesPreviewQuery(previewed.carousel ?? { text: '' }, previewed.settings),
    enabled: !isEmpty && previewed.carousel !== null,
  })
  const problem = isEmpty ? null : previewed.carousel ? pages.error : card.error
  // errors of its text have no field in this panel
  const wrong = problem ? fieldErrors(t, problem) : {}
  const change = (changes: Partial<CardSettings>) => onChange({ ...value, ...changes })
  const layouts = options?.layouts ?? Object.values(CardLayout)
  return (
    <Panel title={title}>
      <div className="card-set">
        <div className="stack">
          {presets.length > 0 && (
            <Select
              label={t('cards:preset')}
              description={t('templates:card.presetHint')}
              placeholder={t('templates:card.choosePreset')}
              data={presets.map(({ id, name }) => ({ value: id, label: name }))}
              value={presets.find(({ settings }) => sameSettings(completeSettings(settings), value))?.id ?? null}
              onChange={(id) => {
                const preset = presets.find((candidate) => candidate.id === id)
                if (preset) onChange(completeSettings(preset.settings))
              }}
            />
          )}
          <BrandSelect
            description={t('cards:brandHint')}
            value={value.brand_id}
            error={errors['settings.image.card.brand_id']}
            onChange={(brand_id) => change({ brand_id })}
          />
          <div className="field-pair card-pair">
            {carousel === null && (
              <Select
                label={t('cards:layout')}
                data={[
                  { value: BY_WORDS, label: t('templates:card.byWords') },
                  ...layouts.map((layout) => ({ value: layout, label: layoutName(t, layout) })),
                ]}
                value={value.layout ?? BY_WORDS}
                onChange={(layout) => change({ layout: layout === BY_WORDS ? null : (layout) })}
              />
            )}
            <Select
              label={t('cards:font')}
              data={(options?.fonts ?? Object.values(CardFont)).map((font) => ({
                value: font,
                label: fontName(t, font),
              }))}
              value={value.font}
              onChange={(font) => font && change({ font })}
            />
          </div>
          <ImageRatioField label={t('templates:settings.size')} value={value.size} onChange={(size) => change({ size })} />
          <CardColours value={value} palettes={options?.palettes ?? []} none={t('templates:card.byWords')} onChange={change} />
          <Logo
            value={value.logo_id}
            error={errors['settings.image.card.logo_id'] ?? wrong['settings.logo_id']}
            onChange={(logo_id) => change({ logo_id })}
          />
          <TextInput
            label={`${t('templates:card.foot')} ${t('optional')}`}
            description={t('templates:card.footHint')}
            maxLength={CardSettingsModelSchema.properties.foot.maxLength}
            value={value.foot}
            error={errors['settings.image.card.foot']}
            onChange={(event) => change({ foot: event.currentTarget.value })}
          />
        </div>
        <Preview
          card={value}
          isCarousel={carousel !== null}
          drawn={drawnPages()}
          failure={problem && (Object.values(wrong)[0] ?? problemText(t, problem))}
        />
      </div>
    </Panel>
  )

  function drawnPages(): CardPagePreviewOut[] {
    if (isEmpty) return []
    if (previewed.carousel) return pages.data ?? []
    return card.data ? [{ ...card.data, alt: t('templates:card.previewAlt', { text: previewed.words.headline }) }] : []
  }
}

interface PreviewProps {
  card: CardSettings
  isCarousel: boolean
  /** The card, or the pages of the carousel. */
  drawn: readonly CardPagePreviewOut[]
  failure: string | null
}

function Preview({ card, isCarousel, drawn, failure }: PreviewProps) {
  const { t } = useTranslation(['common', 'cards', 'templates'])
  const notes = [...new Set(drawn.flatMap((page) => page.notes))]
  const shown = drawn.map(({ image, mime, width, height, alt }, index) => ({
    media_id: String(index),
    url: `data:${mime};base64,${image}`,
    alt,
    width,
    height,
  }))
  return (
    <figure className="card-shot">
      {shown.length > 1 && <PageSwipe pages={shown} />}
      {shown.length === 1 && shown.map(({ media_id, url, ...image }) => <img key={media_id} src={url} {...image} />)}
      {shown.length === 0 && (
        <div className="card-shot-none" style={{ aspectRatio: aspectRatio(card.size) }}>
          {!failure && t(isCarousel ? 'templates:card.pagesWait' : 'templates:card.previewWaits')}
        </div>
      )}
      <figcaption>
        <div role="status">
          {failure ? (
            <span className="code-error">
              {t('templates:card.previewFailed')} {failure}
            </span>
          ) : (
            t(isCarousel ? 'templates:card.pagesNote' : 'templates:card.previewNote')
          )}
          {notes.length > 0 && (
            <ul>
              {notes.map((note) => (
                <li key={note}>{noteText(t, note)}</li>
              ))}
            </ul>
          )}
        </div>
      </figcaption>
    </figure>
  )
}
