import { Button, Textarea, TextInput } from '@mantine/core'
import { IconCards, IconDownload, IconPhotoPlus, IconRestore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CardSaveInSchema } from '@/api/schemas.gen'
import type { CardPresetOut, MediaDetail } from '@/api/types.gen'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { PageHeader } from '@/components/page'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { TagInput } from '@/components/tag-input'
import { useProblemText } from '@/components/use-problem-text'
import { cardPresetsQuery, imageQuery, imageTagsQuery } from '@/features/media/api'
import { fileName } from '@/features/media/image-text'
import { designerPath } from '@/features/media/links'
import { CAROUSEL } from '@/lib/carousels'
import { paths } from '@/lib/paths'
import { errorAt, isMissing } from '@/lib/problems'
import { altOf, completeSettings } from '@/lib/card-settings'
import { CardPreview } from './card-preview'
import { completeCard, newCard } from './card-settings'
import { CardSettingsFields } from './card-settings-fields'
import { PresetBar } from './preset-bar'
import { useCardDraft, type CardDraft, type DesignedCard } from './use-card-draft'

/** The page where a card is designed. `from`: `new`, or the id of a saved look or of a card to start from. */
export function CardDesigner({ from }: { from: string }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  return (
    <div className="page-wide">
      <PageHeader
        title={t('cards:title')}
        sub={t('cards:lead')}
        crumbs={[{ label: t('media:title'), to: paths.mediaGallery }]}
        actions={
          <Button component={Link} to={designerPath(CAROUSEL)} variant="default" leftSection={<IconCards size={15} aria-hidden />}>
            {t('cards:carousel.open')}
          </Button>
        }
      />
      {from === 'new' ? <Designer from={from} start={fromNothing} /> : <DesignerFrom from={from} />}
    </div>
  )
}

/**
 * Designs a card from a saved look or from another card. The id does not say which: the saved looks are loaded anyway, so
 * they are searched first.
 */
function DesignerFrom({ from }: { from: string }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  const [start, setStart] = useState<CardDraft>()
  const presets = useQuery(cardPresetsQuery)
  const preset = presets.data?.find(({ id }) => id === from)
  const image = useQuery({ ...imageQuery(from), enabled: presets.isSuccess && !preset && !start })
  const initialDraft = startOf(preset, image.data)
  // kept in the state, because the look or the card may be deleted meanwhile
  if (!start && initialDraft) setStart(initialDraft)
  if (start) return <Designer from={from} start={start} />
  const problem = presets.error ?? image.error
  if (problem && !isMissing(problem))
    return (
      <Failure
        title={t('cards:readFailed')}
        problem={problem}
        onRetry={() => void (presets.error ? presets.refetch() : image.refetch())}
      />
    )
  if (!problem && !image.data) return <RowSkeletons />
  return (
    <EmptyState
      title={t('cards:goneTitle')}
      text={t('cards:goneText')}
      actions={
        <Button component={Link} to={designerPath()} variant="default">
          {t('media:designCard')}
        </Button>
      }
    />
  )
}

const fromNothing: CardDraft = { card: newCard, tags: [], presetId: '' }

function startOf(preset?: CardPresetOut, image?: MediaDetail): CardDraft | undefined {
  if (preset)
    return { card: { ...newCard, settings: completeSettings(preset.settings) }, tags: [], presetId: preset.id }
  if (!image?.card) return undefined
  const card = completeCard(image.card)
  const hasOwnAlt = image.alt !== '' && image.alt !== altOf(card)
  return { card, alt: hasOwnAlt ? image.alt : undefined, tags: image.tags, presetId: '' }
}

function Designer({ from, start }: { from: string; start: CardDraft }) {
  const { t } = useTranslation(['common', 'cards', 'errors', 'media'])
  const textOf = useProblemText()
  const picture = useRef<HTMLImageElement>(null)
  const designed = useCardDraft(from, start)
  const { preview, isWordless, problem, errors } = designed
  const { card } = designed.draft

  const download = () => {
    const address = picture.current?.src
    if (!address || !preview.data) return
    Object.assign(document.createElement('a'), {
      href: address,
      download: fileName(card.headline.trim().slice(0, 60), preview.data.mime),
    }).click()
  }
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
        <FormErrors message={problem && `${t('cards:saveFailed')} ${problem.errors.length === 0 ? textOf(problem) : ''}`} />
        <WordsFields designed={designed} />
        <LookFields designed={designed} />
      </div>
      <div className="designer-side">
        <Panel className="designer-stage" title={t('cards:preview')}>
          <CardPreview
            preview={preview.data}
            message={
              isWordless
                ? t('cards:wordless')
                : preview.error && !preview.data
                  ? (Object.values(errors)[0] ?? textOf(preview.error))
                  : undefined
            }
            alt={designed.alt}
            updating={designed.isPreviewOld}
            pictureRef={picture}
          />
        </Panel>
        <SavePanel designed={designed} onDownload={download} />
      </div>
    </form>
  )
}

/** The headline and the text of the card. */
function WordsFields({ designed: { draft, errors, headline, editCard } }: { designed: DesignedCard }) {
  const { t } = useTranslation(['common', 'cards'])
  return (
    <>
      <TextInput
        ref={headline}
        label={t('cards:headline')}
        description={t('cards:headlineHint')}
        maxLength={CardSaveInSchema.properties.headline.maxLength}
        value={draft.card.headline}
        error={errors.headline}
        onChange={(event) => editCard({ headline: event.currentTarget.value })}
      />
      <Textarea
        label={
          <>
            {t('cards:text')} <span className="dim">{t('optional')}</span>
          </>
        }
        description={t('cards:textHint')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={CardSaveInSchema.properties.text.maxLength}
        value={draft.card.text}
        error={errors.text}
        onChange={(event) => editCard({ text: event.currentTarget.value })}
      />
    </>
  )
}

/** The saved looks, and the settings of the look. */
function LookFields({ designed: { draft, preview, isWordless, errors, edit, editCard } }: { designed: DesignedCard }) {
  const { card, presetId } = draft
  const settingErrors = Object.fromEntries(
    Object.entries(errors).map(([field, text]) => [field.replace(/^settings\./, ''), text]),
  )
  return (
    <>
      <PresetBar
        presetId={presetId}
        settings={card.settings}
        onUse={(preset) =>
          edit({
            presetId: preset?.id ?? '',
            card: preset ? { ...card, settings: completeSettings(preset.settings) } : card,
          })
        }
      />
      <CardSettingsFields
        value={card.settings}
        onChange={(settings) => editCard({ settings })}
        chosen={isWordless ? undefined : preview.data?.layout}
        notes={isWordless ? [] : preview.data?.notes}
        errors={settingErrors}
      />
    </>
  )
}

/** The alt text and the tags of the card, and the buttons that save or download it. */
function SavePanel({ designed, onDownload }: { designed: DesignedCard; onDownload: () => void }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  const knownTags = useQuery(imageTagsQuery)
  const { draft, alt, errors, edit } = designed
  return (
    <Panel className="designer-save" title={t('cards:keep')}>
      <div className="stack">
        <Textarea
          label={t('media:alt')}
          description={t('cards:altHint')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={CardSaveInSchema.properties.alt.maxLength}
          value={alt}
          error={errors.alt}
          onChange={(event) => edit({ alt: event.currentTarget.value })}
        />
        <TagInput
          label={t('media:tags')}
          tags={knownTags.data}
          value={draft.tags}
          error={errorAt(errors, 'tags')}
          onChange={(next) => edit({ tags: next })}
        />
        <div className="detail-row">
          <Button type="submit" leftSection={<IconPhotoPlus size={16} aria-hidden />} loading={designed.isSaving}>
            {t('cards:save')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            disabled={designed.isWordless || !designed.preview.data}
            onClick={onDownload}
          >
            {t('media:download')}
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
