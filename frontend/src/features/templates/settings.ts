import type {
  CardFont,
  CardLayout,
  CardSettingsModel,
  ImageQuality,
  ImageSettingsModel,
  ImageSize,
  TemplateSettingsModel,
  TemplateType,
  TextSettingsModel,
} from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import type { TFunction } from '@/i18n/translate'
import { fontName, layoutName, ratioText } from '@/lib/card-words'
import { isRecord } from '@/lib/edits'

/** How a template wants its model to work; every value there, none of them left to a default. */
export interface Settings {
  text: Required<TextSettingsModel>
  image: Required<Omit<ImageSettingsModel, 'card'>> & { card: CardSettings }
}

export type CardSettings = Required<CardSettingsModel>

export const LAYOUTS: readonly CardLayout[] = ['number', 'quote', 'steps', 'event', 'statement']
export const FONTS: readonly CardFont[] = ['schibsted', 'source_sans', 'source_serif', 'zilla_slab']
export const SIZES: readonly ImageSize[] = ['square', 'portrait', 'landscape']
export const QUALITIES: readonly ImageQuality[] = ['auto', 'low', 'medium', 'high']

/** What the API takes, in one order, so that two of them can be compared as text. */
export function cardOf(card: CardSettingsModel = {}): CardSettings {
  return {
    layout: card.layout ?? null,
    size: card.size ?? 'square',
    font: card.font ?? 'schibsted',
    ground: card.ground ?? null,
    ink: card.ink ?? null,
    accent: card.accent ?? null,
    logo_id: card.logo_id ?? null,
    foot: card.foot ?? '',
  }
}

/** A new template draws cards, which need nothing to be set up. */
export function settingsOf({ text = {}, image = {} }: TemplateSettingsModel = {}): Settings {
  return {
    text: {
      model: text.model ?? null,
      temperature: text.temperature ?? null,
      max_characters: text.max_characters ?? null,
      tone: text.tone ?? '',
    },
    image: {
      engine: image.engine ?? 'card',
      model: image.model ?? null,
      size: image.size ?? 'square',
      quality: image.quality ?? 'auto',
      style: image.style ?? '',
      card: cardOf(image.card),
    },
  }
}

/** How many values differ, nested ones counted one by one, a list as one. */
export function differences(one: unknown, other: unknown): number {
  if (isRecord(one) && isRecord(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names].reduce((sum, name) => sum + differences(one[name], other[name]), 0)
  }
  return JSON.stringify(one) === JSON.stringify(other) ? 0 : 1
}

export interface SettingRow {
  key: string
  label: string
  value: string
  /** The image that the value stands for, whose words are the same for all. */
  imageId?: string | null
}

const DEMO_WRITER = 'demo-writer'

/** As people read it: the demo writer is no model. */
export const modelName = (t: TFunction, name: string) => (name === DEMO_WRITER ? t('templates.tryout.demoWriter') : name)

/** The settings that count for the type, in words. */
export function settingRows(t: TFunction, format: Format, type: TemplateType, all: TemplateSettingsModel): SettingRow[] {
  const { text, image } = settingsOf(all)
  const row = (key: string, label: string, value: string): SettingRow => ({ key, label, value })
  const model = (name: string | null) => (name === null ? t('templates.settings.serverModel') : modelName(t, name))
  if (type === 'text')
    return [
      row('model', t('templates.settings.model'), model(text.model)),
      row(
        'temperature',
        t('templates.settings.temperature'),
        text.temperature === null ? t('templates.settings.modelsOwn') : format.number(text.temperature),
      ),
      row(
        'max_characters',
        t('templates.settings.longest'),
        text.max_characters === null
          ? t('templates.settings.channelsAllow')
          : t('templates.settings.characters', { count: text.max_characters }),
      ),
      row('tone', t('templates.settings.tone'), text.tone || t('templates.settings.none')),
    ]
  const engine = row('engine', t('templates.settings.engine'), t(`templates.settings.engines.${image.engine}`))
  const ai = [
    row('model', t('templates.settings.model'), model(image.model)),
    row('size', t('templates.settings.size'), ratioText(format, image.size)),
    row('quality', t('templates.settings.quality'), t(`templates.settings.qualities.${image.quality}`)),
    row('style', t('templates.settings.style'), image.style || t('templates.settings.none')),
  ]
  return image.engine === 'ai' ? [engine, ...ai] : [engine, ...cardRows(t, format, image.card)]
}

function cardRows(t: TFunction, format: Format, card: CardSettings): SettingRow[] {
  const colours = [card.ground, card.ink, card.accent].filter((colour) => colour !== null)
  return [
    {
      key: 'card.layout',
      label: t('cards.layout'),
      value: card.layout ? layoutName(t, card.layout) : t('templates.card.byWords'),
    },
    { key: 'card.size', label: t('templates.settings.size'), value: ratioText(format, card.size) },
    { key: 'card.font', label: t('cards.font'), value: fontName(t, card.font) },
    {
      key: 'card.colours',
      label: t('cards.colours'),
      value: colours.length > 0 ? colours.join(', ') : t('templates.card.byWords'),
    },
    {
      key: 'card.logo',
      label: t('cards.logo'),
      value: t(card.logo_id ? 'templates.card.withLogo' : 'templates.settings.none'),
      imageId: card.logo_id,
    },
    { key: 'card.foot', label: t('templates.card.foot'), value: card.foot || t('templates.settings.none') },
  ]
}
