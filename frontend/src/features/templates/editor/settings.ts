import type { ImageSettingsModel, TemplateSettingsModel, TextSettingsModel } from '@/api/types.gen'
import { completeSettings, type CardSettings } from '@/lib/card-settings'
import { isRecord } from '@/lib/edits'

/** The settings of a template's model, with all defaults filled in. */
export interface Settings {
  text: Required<TextSettingsModel>
  image: Required<Omit<ImageSettingsModel, 'card'>> & { card: CardSettings }
}

/** Return complete settings. The default engine is cards, which need no setup. */
export function settingsOf({ text = {}, image = {} }: TemplateSettingsModel = {}): Settings {
  return {
    text: {
      model: text.model ?? null,
      temperature: text.temperature ?? null,
      max_characters: text.max_characters ?? null,
      brand_id: text.brand_id ?? null,
      tone: text.tone ?? '',
      effort: text.effort ?? null,
    },
    image: {
      engine: image.engine ?? 'card',
      model: image.model ?? null,
      size: image.size ?? 'square',
      quality: image.quality ?? 'auto',
      style: image.style ?? '',
      card: completeSettings(image.card),
    },
  }
}

/** Return the number of values that differ; nested values count separately, a list as one. */
export function differences(a: unknown, b: unknown): number {
  if (isRecord(a) && isRecord(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)])
    return [...names].reduce((sum, name) => sum + differences(a[name], b[name]), 0)
  }
  return JSON.stringify(a) === JSON.stringify(b) ? 0 : 1
}
