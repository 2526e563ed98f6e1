import { Button, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconPhotoPlus, IconRestore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { CardPresetOut, MediaDetail } from '@/api/types.gen'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { PageHeader } from '@/components/page'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { TagInput } from '@/components/tag-input'
import { useKeptNotice } from '@/components/use-kept-notice'
import { useProblemText } from '@/components/use-problem-text'
import { useDraft } from '@/lib/drafts'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { errorAt, fieldErrors, isMissing, type Problem } from '@/lib/problems'
import { cardPresetsQuery, cardPreviewQuery, imageQuery, imageTagsQuery, useSaveCard } from '@/features/media/api'
import { CardPreview } from './card-preview'
import { altOf, completeCard, completeSettings, newCard, sameCard, type Card } from './card-settings'
import { CardSettingsFields } from './card-settings-fields'
import { fileName } from '@/features/media/image-text'
import { designerPath, imagePath } from '@/features/media/links'
import { PresetBar } from './preset-bar'

const PREVIEW_AFTER = 250 // ms after the last change

/** As the server puts it. */
const WORDLESS: Problem = {
  code: 'content_empty',
  status: 422,
  detail: '',
  params: {},
  errors: [{ field: 'headline', code: 'content_empty', params: {} }],
}

/** `from`: `new`, or the id of a saved look or of a card to start from. */
export function CardDesigner({ from }: { from: string }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  return (
    <div className="page-wide">
      <PageHeader
        title={t('cards:title')}
        sub={t('cards:lead')}
        crumbs={[{ label: t('media:title'), to: paths.mediaGallery }]}
      />
      {from === 'new' ? <Designer from={from} start={fromNothing} /> : <DesignerFrom from={from} />}
    </div>
  )
}

interface Draft {
  card: Card
  /** Only once somebody wrote one; until then it follows the words. */
  alt?: string
  tags: string[]
  presetId: string
}

/** The id tells not what it is of: saved looks are few and there anyway, so they are looked through first. */
function DesignerFrom({ from }: { from: string }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  const [start, setStart] = useState<Draft>()
  const presets = useQuery(cardPresetsQuery)
  const preset = presets.data?.find(({ id }) => id === from)
  const image = useQuery({ ...imageQuery(from), enabled: presets.isSuccess && !preset && !start })
  const found = startOf(preset, image.data)
  // kept, since what it started from may be deleted while somebody goes on with it
  if (!start && found) setStart(found)
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

const fromNothing: Draft = { card: newCard, tags: [], presetId: '' }

function startOf(preset?: CardPresetOut, image?: MediaDetail): Draft | undefined {
  if (preset)
    return { card: { ...newCard, settings: completeSettings(preset.settings) }, tags: [], presetId: preset.id }
  if (!image?.card) return undefined
  const card = completeCard(image.card)
  const own = image.alt !== '' && image.alt !== altOf(card)
  return { card, alt: own ? image.alt : undefined, tags: image.tags, presetId: '' }
}

const sameTags = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other)

function Designer({ from, start }: { from: string; start: Draft }) {
  const { t } = useTranslation(['common', 'cards', 'errors', 'media'])
  const navigate = useNavigate()
  const textOf = useProblemText()
  const kept = useDraft<Draft>(`card:${from}`)
  const [draft, setDraft] = useState<Draft>(() => kept.read() ?? start)
  const [saved, setSaved] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const picture = useRef<HTMLImageElement>(null)
  const headline = useRef<HTMLInputElement>(null)
  const knownTags = useQuery(imageTagsQuery)
  const save = useSaveCard()

  const { card, tags } = draft
  const alt = draft.alt ?? altOf(card)
  const [settled] = useDebouncedValue(card, PREVIEW_AFTER)
  const preview = useQuery(cardPreviewQuery(settled))
  const wordless = card.headline.trim() === ''

  const differs = !sameCard(card, start.card) || draft.alt !== start.alt || !sameTags(tags, start.tags)
  const changed = !saved && differs
  useKeptNotice(changed, t('cards:kept'))
  useEffect(() => {
    if (changed) kept.keep(draft)
    else kept.drop()
  }, [kept, changed, draft])

  const edit = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes })
    setProblem(undefined)
  }
  const write = (changes: Partial<Card>) => edit({ card: { ...card, ...changes } })

  const wrong = problem ?? (wordless ? undefined : (preview.error ?? undefined))
  const errors = wrong ? fieldErrors(t, wrong) : {}
  const settingErrors = Object.fromEntries(
    Object.entries(errors).map(([field, text]) => [field.replace(/^settings\./, ''), text]),
  )
  const message = problem && `${t('cards:saveFailed')} ${problem.errors.length === 0 ? textOf(problem) : ''}`

  const send = useOneAtATime(() =>
    save.mutateAsync({ body: { ...card, alt, tags } }).then(
      ({ id }) => {
        setSaved(true)
        void navigate(imagePath(id))
      },
      (refused: Problem) => {
        setProblem(refused)
        if (fieldErrors(t, refused).headline) headline.current?.focus()
      },
    ),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (wordless) {
      setProblem(WORDLESS)
      headline.current?.focus()
      return
    }
    setProblem(undefined)
    void send()
  }
  const download = () => {
    const address = picture.current?.src
    if (!address || !preview.data) return
    Object.assign(document.createElement('a'), {
      href: address,
      download: fileName(card.headline.trim().slice(0, 60), preview.data.mime),
    }).click()
  }
  return (
    <form className="designer" onSubmit={submit} noValidate>
      <div className="stack designer-settings">
        <FormErrors message={message} />
        <TextInput
          ref={headline}
          label={t('cards:headline')}
          description={t('cards:headlineHint')}
          maxLength={200}
          value={card.headline}
          error={errors.headline}
          onChange={(event) => write({ headline: event.currentTarget.value })}
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
          maxLength={1000}
          value={card.text}
          error={errors.text}
          onChange={(event) => write({ text: event.currentTarget.value })}
        />
        <PresetBar
          presetId={draft.presetId}
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
          onChange={(settings) => write({ settings })}
          chosen={wordless ? undefined : preview.data?.layout}
          notes={wordless ? [] : preview.data?.notes}
          errors={settingErrors}
        />
      </div>
      <div className="designer-side">
        <Panel className="designer-stage" title={t('cards:preview')}>
          <CardPreview
            preview={preview.data}
            message={
              wordless
                ? t('cards:wordless')
                : preview.error && !preview.data
                  ? (Object.values(errors)[0] ?? textOf(preview.error))
                  : undefined
            }
            alt={alt}
            updating={preview.isFetching || settled !== card}
            pictureRef={picture}
          />
        </Panel>
        <Panel className="designer-save" title={t('cards:keep')}>
          <div className="stack">
            <Textarea
              label={t('media:alt')}
              description={t('cards:altHint')}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={1000}
              value={alt}
              error={errors.alt}
              onChange={(event) => edit({ alt: event.currentTarget.value })}
            />
            <TagInput
              label={t('media:tags')}
              known={knownTags.data}
              value={tags}
              error={errorAt(errors, 'tags')}
              onChange={(next) => edit({ tags: next })}
            />
            <div className="detail-row">
              <Button type="submit" leftSection={<IconPhotoPlus size={16} aria-hidden />} loading={save.isPending}>
                {t('cards:save')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconDownload size={15} aria-hidden />}
                disabled={wordless || !preview.data}
                onClick={download}
              >
                {t('media:download')}
              </Button>
              {changed && (
                <Button
                  variant="subtle"
                  leftSection={<IconRestore size={15} aria-hidden />}
                  onClick={() => {
                    setDraft(start)
                    setProblem(undefined)
                  }}
                >
                  {t('cards:startOver')}
                </Button>
              )}
            </div>
          </div>
        </Panel>
      </div>
    </form>
  )
}
