import type { TFunction } from 'i18next'
import type { TemplateSettingsModel, TemplateType } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import type { CardSettings } from '@/lib/card-settings'
import { fontName, layoutName } from '@/lib/card-words'
import { ratioText } from '@/lib/image-ratio'
import { settingsOf } from './settings'

export interface SettingRow {
  key: string
  label: string
  value: string
  /** The image of the value; its text is the same for all images. */
  imageId?: string | null
}

const DEMO_WRITER = 'demo-writer'

/** Return the model's name as text; the demo writer has its own. */
export const modelName = (t: TFunction<['common', 'templates']>, name: string) => (name === DEMO_WRITER ? t('templates:tried.demoWriter') : name)

/** Return the settings of the type as text. A brand is left out where its name is not known. */
export function settingRows(
  t: TFunction<['common', 'cards', 'templates']>,
  format: Format,
  type: TemplateType,
  all: TemplateSettingsModel,
  brandName?: (brandId: string) => string,
): SettingRow[] {
  const { text, image } = settingsOf(all)
  const row = (key: string, label: string, value: string): SettingRow => ({ key, label, value })
  const brandRow = (brandId: string | null) =>
    brandName ? [row('brand', t('templates:settings.brand'), brandId === null ? t('templates:settings.none') : brandName(brandId))] : []
  const model = (name: string | null) => (name === null ? t('templates:settings.serverModel') : modelName(t, name))
  if (type === 'text')
    return [
      row('model', t('templates:settings.model'), model(text.model)),
      row(
        'temperature',
        t('templates:settings.temperature'),
        text.temperature === null ? t('templates:settings.modelsOwn') : format.number(text.temperature),
      ),
      // most templates leave it to the server
      ...(text.effort === null ? [] : [row('effort', t('templates:settings.effort'), t(`templates:settings.efforts.${text.effort}`))]),
      row(
        'max_characters',
        t('templates:settings.longest'),
        text.max_characters === null
          ? t('templates:settings.channelsAllow')
          : t('templates:settings.characters', { count: text.max_characters }),
      ),
      ...brandRow(text.brand_id),
      // of an older version
      ...(text.tone ? [row('tone', t('templates:settings.tone'), text.tone)] : []),
    ]
  const engine = row('engine', t('templates:settings.engine'), t(`templates:settings.engines.${image.engine}`))
  const ai = [
    row('model', t('templates:settings.model'), model(image.model)),
    row('size', t('templates:settings.size'), ratioText(format, image.size)),
    row('quality', t('templates:settings.quality'), t(`templates:settings.qualities.${image.quality}`)),
    row('style', t('templates:settings.style'), image.style || t('templates:settings.none')),
  ]
  return image.engine === 'ai' ? [engine, ...ai] : [engine, ...brandRow(image.card.brand_id), ...cardRows(t, format, image.card)]
}

function cardRows(t: TFunction<['common', 'cards', 'templates']>, format: Format, card: CardSettings): SettingRow[] {
  const colours = [card.ground, card.ink, card.accent].filter((colour) => colour !== null)
  return [
    {
      key: 'card.layout',
      label: t('cards:layout'),
      value: card.layout ? layoutName(t, card.layout) : t('templates:card.byWords'),
    },
    { key: 'card.size', label: t('templates:settings.size'), value: ratioText(format, card.size) },
    { key: 'card.font', label: t('cards:font'), value: fontName(t, card.font) },
    {
      key: 'card.colours',
      label: t('cards:colours'),
      value: colours.length > 0 ? colours.join(', ') : t('templates:card.byWords'),
    },
    {
      key: 'card.logo',
      label: t('cards:logo'),
      value: t(card.logo_id ? 'templates:card.withLogo' : 'templates:settings.none'),
      imageId: card.logo_id,
    },
    { key: 'card.foot', label: t('templates:card.foot'), value: card.foot || t('templates:settings.none') },
  ]
}
