import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue, useId } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CardSettingsModelSchema } from '@/api/schemas.gen'
import { CardFont, CardLayout, type CardPreviewOut, type PaletteOut } from '@/api/types.gen'
import { ImageRatioField } from '@/components/image-ratio-field'
import { Panel } from '@/components/panel'
import { COLOURS, completeSettings, sameSettings, type CardSettings, type CardWords } from '@/lib/card-settings'
import { fontName, layoutName, noteText, paletteName } from '@/lib/card-words'
import { aspectRatio } from '@/lib/image-ratio'
import { fieldErrors, problemText } from '@/lib/problems'
import { cardOptionsQuery, cardPresetsQuery, cardPreviewQuery } from '@/features/templates/api'

const PREVIEW_AFTER = 400 // ms without a change
const BY_WORDS = 'by-words'
const OWN = 'own'

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
  logoField: LogoField
}

/** The card's design, and a preview rendered by the server. */
export function CardPanel({ title, value, onChange, errors, words, logoField: Logo }: CardPanelProps) {
  const { t } = useTranslation(['common', 'cards', 'errors', 'templates'])
  const { data: options } = useQuery(cardOptionsQuery)
  const { data: presets = [] } = useQuery(cardPresetsQuery)
  const [previewedSettings] = useDebouncedValue({ ...words, settings: value }, PREVIEW_AFTER)
  const preview = useQuery({ ...cardPreviewQuery(previewedSettings), enabled: previewedSettings.headline !== '' })
  const drawn = previewedSettings.headline === '' ? undefined : preview.data
  const problem = previewedSettings.headline === '' ? null : preview.error
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
          <div className="field-pair card-pair">
            <Select
              label={t('cards:layout')}
              allowDeselect={false}
              data={[
                { value: BY_WORDS, label: t('templates:card.byWords') },
                ...layouts.map((layout) => ({ value: layout, label: layoutName(t, layout) })),
              ]}
              value={value.layout ?? BY_WORDS}
              onChange={(layout) => change({ layout: layout === BY_WORDS ? null : (layout) })}
            />
            <Select
              label={t('cards:font')}
              allowDeselect={false}
              data={(options?.fonts ?? Object.values(CardFont)).map((font) => ({
                value: font,
                label: fontName(t, font),
              }))}
              value={value.font}
              onChange={(font) => font && change({ font })}
            />
          </div>
          <ImageRatioField label={t('templates:settings.size')} value={value.size} onChange={(size) => change({ size })} />
          <Colours value={value} palettes={options?.palettes ?? []} onChange={change} />
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
          words={previewedSettings}
          drawn={drawn}
          failure={problem && (Object.values(wrong)[0] ?? problemText(t, problem))}
        />
      </div>
    </Panel>
  )
}

interface ColoursProps {
  value: CardSettings
  palettes: readonly PaletteOut[]
  onChange: (colours: Pick<CardSettings, 'ground' | 'ink' | 'accent'>) => void
}

const FALLBACK = { ground: '#0e444b', ink: '#ffffff', accent: '#fdc146' }

/** The choice of a bundled palette, or of three custom colours. */
function Colours({ value, palettes, onChange }: ColoursProps) {
  const { t } = useTranslation(['common', 'cards', 'templates'])
  const label = useId()
  const { ground, ink, accent } = value
  // custom colours are chosen, but still equal those of a palette
  const [showsOwnColours, setShowsOwnColours] = useState(false)
  const none = ground === null && ink === null && accent === null
  const palette = palettes.find((candidate) => candidate.ground === ground && candidate.ink === ink && candidate.accent === accent)
  const chosen = none ? BY_WORDS : showsOwnColours ? OWN : (palette?.name ?? OWN)
  const choose = (name: string) => {
    const palette = palettes.find((candidate) => candidate.name === name)
    setShowsOwnColours(name === OWN)
    if (name === BY_WORDS) onChange({ ground: null, ink: null, accent: null })
    else if (palette) onChange({ ground: palette.ground, ink: palette.ink, accent: palette.accent })
    else if (none) onChange(FALLBACK)
  }
  return (
    <div>
      <Select
        label={<span id={label}>{t('cards:colours')}</span>}
        allowDeselect={false}
        data={[
          { value: BY_WORDS, label: t('templates:card.byWords') },
          ...palettes.map(({ name }) => ({
            value: name,
            label: paletteName(t, name),
          })),
          { value: OWN, label: t('templates:card.ownColours') },
        ]}
        renderOption={({ option }) => (
          <span className="palette">
            <Swatches colours={palettes.find(({ name }) => name === option.value)} />
            {option.label}
          </span>
        )}
        value={chosen}
        onChange={(name) => name && choose(name)}
      />
      {chosen === OWN && (
        <div className="own-colours" role="group" aria-labelledby={label}>
          {COLOURS.map((part) => (
            <label key={part}>
              <input
                type="color"
                value={value[part] ?? FALLBACK[part]}
                onChange={(event) =>
                  onChange({ ground, ink, accent, [part]: event.currentTarget.value.toLowerCase() })
                }
              />
              {t(`cards:${part}`)}
              <code className="mono dim">{value[part] ?? FALLBACK[part]}</code>
            </label>
          ))}
        </div>
      )}
    </div>
  )
}

function Swatches({ colours }: { colours: PaletteOut | undefined }) {
  if (!colours) return null
  return (
    <span className="swatches" aria-hidden="true">
      {COLOURS.map((part) => (
        <i key={part} style={{ background: colours[part] }} />
      ))}
    </span>
  )
}

interface PreviewProps {
  card: CardSettings
  words: CardWords
  drawn: CardPreviewOut | undefined
  failure: string | null
}

function Preview({ card, words, drawn, failure }: PreviewProps) {
  const { t } = useTranslation(['common', 'cards', 'templates'])
  return (
    <figure className="card-shot">
      {drawn ? (
        <img
          src={`data:${drawn.mime};base64,${drawn.image}`}
          width={drawn.width}
          height={drawn.height}
          alt={t('templates:card.previewAlt', { text: words.headline })}
        />
      ) : (
        <div className="card-shot-none" style={{ aspectRatio: aspectRatio(card.size) }}>
          {!failure && t('templates:card.previewWaits')}
        </div>
      )}
      <figcaption>
        <div role="status">
          {failure ? (
            <span className="code-error">
              {t('templates:card.previewFailed')} {failure}
            </span>
          ) : (
            t('templates:card.previewNote')
          )}
          {drawn && drawn.notes.length > 0 && (
            <ul>
              {drawn.notes.map((note) => (
                <li key={note}>{noteText(t, note)}</li>
              ))}
            </ul>
          )}
        </div>
      </figcaption>
    </figure>
  )
}
