import { Button, NumberInput, SegmentedControl, Select, Slider, Switch, Textarea } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ImageSettingsModelSchema, TextSettingsModelSchema } from '@/api/schemas.gen'
import { Engine, ImageQuality, ReasoningEffort, type CardPagesIn, type ModelChoice, type ModelsOut } from '@/api/types.gen'
import { BrandSelect } from '@/components/brand-select'
import { ImageRatioField } from '@/components/image-ratio-field'
import { Panel } from '@/components/panel'
import { useFormat } from '@/i18n/use-format'
import { brandDraftName, newBrandPath } from '@/lib/brand-path'
import type { CardSettings, CardWords } from '@/lib/card-settings'
import { keepDraft, useDraft } from '@/lib/drafts'
import { problemText } from '@/lib/problems'
import { modelsQuery } from '@/features/templates/api'
import { CardPanel, type LogoField } from './card-panel'
import { modelName } from './setting-rows'
import type { TemplateForm } from './use-template-form'

const FIELDS = TextSettingsModelSchema.properties
const TEMPERATURE = FIELDS.temperature.anyOf[0]
const CHARACTERS = FIELDS.max_characters.anyOf[0]
const USUAL = 1
const DEMO = 'demo'

const keysOf = (card: CardSettings) => Object.keys(card) as (keyof CardSettings)[]

interface ModelPanelProps {
  form: TemplateForm
  words: CardWords
  /** What becomes the pages, if the template asks for a carousel. */
  carousel: CardPagesIn
  logoField: LogoField
}

/** The settings of the model, by the template's type. */
export function ModelPanel({ form, words, carousel, logoField }: ModelPanelProps) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const { data: models, error } = useQuery(modelsQuery)
  const { type, settings } = form.values
  const noImageModel = models?.image_provider === null
  const { card } = settings.image
  const setCard = (next: CardSettings) => {
    form.setFieldValue('settings.image.card', next)
    // the form clears only the error of the card as a whole
    for (const name of keysOf(next))
      if (next[name] !== card[name]) form.clearFieldError(`settings.image.card.${name}`)
  }
  const drawsCards = type === 'image' && (settings.image.engine !== 'ai' || noImageModel)
  return (
    <>
      <Panel title={t(type === 'text' ? 'templates:settings.titleText' : 'templates:settings.titleImage')}>
        <div className="stack">
          {type === 'text' ? <TextModel form={form} models={models} /> : <ImageModel form={form} models={models} />}
          {error && (
            <p className="note" data-tone="warn" role="status">
              <IconInfoCircle size={16} aria-hidden /> {t('templates:settings.modelsFailed')} {problemText(t, error)}
            </p>
          )}
        </div>
      </Panel>
      {drawsCards && (
        <CardPanel
          title={t(settings.image.engine !== 'ai' ? 'templates:card.title' : 'templates:card.standIn')}
          value={card}
          onChange={setCard}
          errors={form.errors}
          words={words}
          carousel={settings.image.engine === 'carousel' ? carousel : null}
          logoField={logoField}
        />
      )}
    </>
  )
}

interface PartProps {
  form: TemplateForm
  /** Undefined until loaded. */
  models: ModelsOut | undefined
}

function TextModel({ form, models }: PartProps) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  const { model, max_characters, effort, brand_id, tone } = form.values.settings.text
  const used = models?.text.find((choice) => (model === null ? choice.default : choice.name === model))
  const demo = models?.text_provider === DEMO
  return (
    <>
      {demo && (
        <NotConfigured title={t('templates:settings.noTextModel')}>
          <Trans t={t} i18nKey="templates:settings.noTextModelText" components={{ code: <code className="mono" /> }} />
        </NotConfigured>
      )}
      <div className="field-pair model-pair level">
        <ModelSelect
          choices={models?.text}
          value={model}
          error={form.errors['settings.text.model']}
          onChange={(name) => form.setFieldValue('settings.text.model', name)}
        />
        <NumberInput
          label={`${t('templates:settings.longest')} ${t('optional')}`}
          description={t('templates:settings.longestHint')}
          suffix={` ${t('templates:settings.charactersUnit')}`}
          thousandSeparator={format.number(1111).replaceAll('1', '')}
          decimalSeparator={format.number(1.1).replaceAll('1', '')}
          min={CHARACTERS.minimum}
          max={CHARACTERS.maximum}
          step={50}
          allowDecimal={false}
          allowNegative={false}
          value={max_characters ?? ''}
          error={form.errors['settings.text.max_characters']}
          onChange={(value) =>
            form.setFieldValue('settings.text.max_characters', typeof value === 'number' ? value : null)
          }
        />
      </div>
      {used?.takes_temperature && <TemperatureField form={form} />}
      {used && !used.takes_temperature && !demo && (
        <p className="field-note">{t('templates:settings.noTemperature', { model: used.name })}</p>
      )}
      {used && (used.takes_effort || effort !== null) && !demo && (
        <Select
          label={`${t('templates:settings.effort')} ${t('optional')}`}
          description={t(used.takes_effort ? 'templates:settings.effortHint' : 'templates:settings.noEffort', { model: used.name })}
          data={[
            { value: SERVERS, label: t('templates:settings.effortOfServer') },
            ...Object.values(ReasoningEffort).map((value) => ({ value, label: t(`templates:settings.efforts.${value}`) })),
          ]}
          value={effort ?? SERVERS}
          error={form.errors['settings.text.effort']}
          onChange={(value) =>
            form.setFieldValue('settings.text.effort', Object.values(ReasoningEffort).find((option) => option === value) ?? null)
          }
        />
      )}
      <BrandSelect
        description={t('templates:settings.brandHint')}
        value={brand_id}
        error={form.errors['settings.text.brand_id']}
        onChange={(brandId) => form.setFieldValue('settings.text.brand_id', brandId)}
      />
      {tone && <OldTone tone={tone} isUsed={brand_id === null} />}
    </>
  )
}

/** The tone of an older version, which counts as long as no brand is chosen. */
function OldTone({ tone, isUsed }: { tone: string; isUsed: boolean }) {
  const { t } = useTranslation(['common', 'templates'])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const draft = useDraft<{ values: { voice?: string } }>(brandDraftName())
  const makeBrand = () => {
    // a new brand that was typed and not saved stays
    const kept = draft.read()
    keepDraft(queryClient, brandDraftName(), { version: 0, ...kept, values: { ...kept?.values, voice: kept?.values.voice || tone } })
    void navigate(newBrandPath)
  }
  return (
    <div>
      <div className="field-label">{t('templates:settings.tone')}</div>
      <blockquote className="old-tone">{tone}</blockquote>
      <p className="field-note">
        {t(isUsed ? 'templates:settings.toneCounts' : 'templates:settings.toneReplaced')}{' '}
        <Button variant="light" size="compact-xs" onClick={makeBrand}>
          {t('templates:settings.makeBrand')}
        </Button>
      </p>
    </div>
  )
}

/** The temperature, which the model chooses unless it is set here. */
function TemperatureField({ form }: { form: TemplateForm }) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  const { temperature } = form.values.settings.text
  const set = (value: number | null) => form.setFieldValue('settings.text.temperature', value)
  return (
    <div>
      <div className="setting-head">
        <span className="field-label">{t('templates:settings.temperature')}</span>
        <Switch
          size="xs"
          labelPosition="left"
          label={t('templates:settings.setTemperature')}
          checked={temperature !== null}
          onChange={(event) => set(event.currentTarget.checked ? USUAL : null)}
        />
      </div>
      {temperature === null ? (
        <p className="field-note">{t('templates:settings.temperatureOwn')}</p>
      ) : (
        <div className="temperature">
          <Slider
            className="grow"
            min={TEMPERATURE.minimum}
            max={TEMPERATURE.maximum}
            step={0.1}
            label={null}
            thumbLabel={t('templates:settings.temperature')}
            value={temperature}
            onChange={(value) => set(Math.round(value * 10) / 10)}
          />
          <span className="num">{format.number(temperature)}</span>
        </div>
      )}
    </div>
  )
}

function ImageModel({ form, models }: PartProps) {
  const { t } = useTranslation(['common', 'templates'])
  const engineLabel = useId()
  const { image } = form.values.settings
  const missing = models?.image_provider === null
  return (
    <>
      <div>
        <div className="field-label" id={engineLabel}>
          {t('templates:settings.engine')}
        </div>
        <SegmentedControl
          aria-labelledby={engineLabel}
          data={Object.values(Engine).map((value) => ({ value, label: t(`templates:settings.engines.${value}`) }))}
          value={image.engine}
          onChange={(value) => form.setFieldValue('settings.image.engine', value)}
        />
        <p className="field-note">{t(`templates:settings.engineHints.${image.engine}`)}</p>
      </div>
      {image.engine === 'ai' && missing && (
        <NotConfigured title={t('templates:settings.noImageModel')}>
          <Trans t={t} i18nKey="templates:settings.noImageModelText" components={{ code: <code className="mono" /> }} />
        </NotConfigured>
      )}
      {image.engine === 'ai' && (
        <>
          <div className="field-pair model-pair level">
            {!missing && (
              <ModelSelect
                choices={models?.image}
                value={image.model}
                error={form.errors['settings.image.model']}
                onChange={(name) => form.setFieldValue('settings.image.model', name)}
              />
            )}
            <Select
              label={t('templates:settings.quality')}
              data={Object.values(ImageQuality).map((value) => ({ value, label: t(`templates:settings.qualities.${value}`) }))}
              value={image.quality}
              onChange={(value) => value && form.setFieldValue('settings.image.quality', value)}
            />
          </div>
          <ImageRatioField
            label={t('templates:settings.size')}
            value={image.size}
            onChange={(size) => form.setFieldValue('settings.image.size', size)}
          />
          <Textarea
            label={`${t('templates:settings.style')} ${t('optional')}`}
            description={t('templates:settings.styleHint')}
            autosize
            minRows={2}
            maxLength={ImageSettingsModelSchema.properties.style.maxLength}
            {...form.getInputProps('settings.image.style')}
          />
        </>
      )}
    </>
  )
}

interface ModelSelectProps {
  choices: readonly ModelChoice[] | undefined
  value: string | null
  error: ReactNode
  onChange: (name: string | null) => void
}

const SERVERS = ' ' // the server's choice; no model and no effort has this name

function ModelSelect({ choices = [], value, error, onChange }: ModelSelectProps) {
  const { t } = useTranslation(['common', 'templates'])
  const standard = choices.find((choice) => choice.default)
  const isListed = value === null || choices.some(({ name }) => name === value)
  const data = [
    {
      value: SERVERS,
      label: standard
        ? t('templates:settings.serverModelNamed', { model: modelName(t, standard.name) })
        : t('templates:settings.serverModel'),
    },
    ...choices.map(({ name, priced }) => ({
      value: name,
      label: priced ? modelName(t, name) : t('templates:settings.unpriced', { model: name }),
    })),
    ...(isListed ? [] : [{ value, label: t('templates:settings.notOffered', { model: modelName(t, value) }) }]),
  ]
  return (
    <Select
      label={t('templates:settings.model')}
      data={data}
      value={value ?? SERVERS}
      error={error}
      onChange={(name) => onChange(name === SERVERS ? null : name)}
    />
  )
}

/** A feature that is not configured on this server, and what the operator has to set. */
function NotConfigured({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="not-set" role="note">
      <IconInfoCircle size={17} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p>{children}</p>
      </div>
    </div>
  )
}
