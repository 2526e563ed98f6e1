import type {
  CardFont,
  CardLayout,
  CardSettingsModel,
  ImageQuality,
  ImageSettingsModel,
  ImageSize,
  ReasoningEffort,
  TemplateSettingsModel,
  TextSettingsModel,
} from '@/api/types.gen'
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
export const EFFORTS: readonly ReasoningEffort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']
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
      effort: text.effort ?? null,
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
