import type { CardIn, TemplateSettingsModel } from '@/api/types.gen'

const HEADLINE = 200
const TEXT = 1000

/** The words of a sample card: the first line is its headline. None where there are no words. */
export function sampleCard(sample: string, settings: TemplateSettingsModel): CardIn | null {
  const [headline = '', ...rest] = sample.trim().split('\n')
  if (!headline) return null
  return {
    headline: headline.slice(0, HEADLINE),
    text: rest.join('\n').trim().slice(0, TEXT),
    settings: settings.image?.card ?? {},
  }
}
