import { describe, expect, it } from 'vitest'
import { allTranslations } from '@/test/texts'
import { createFormat } from '@/i18n/format'
import { settingRows } from './setting-rows'
import { differences, settingsOf } from './settings'

const format = createFormat('en', 'Europe/Berlin')
const rows = (...[type, settings, brandName]: Parameters<typeof settingRows> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
  Object.fromEntries(settingRows(allTranslations.en, format, type, settings, brandName).map(({ key, value }) => [key, value]))

describe('differences', () => {
  it('counts each value, and a list as one', () => {
    const saved = { name: 'Tip', tags: ['a', 'b'], settings: settingsOf() }
    expect(differences(saved, structuredClone(saved))).toBe(0)
    const settings = settingsOf({ text: { tone: 'dry', temperature: 0.5 }, image: { card: { foot: 'Lindhof' } } })
    expect(differences(saved, { name: 'Tip', tags: ['b'], settings })).toBe(4)
  })
})

describe('settingRows', () => {
  it('shows what counts for a text, unset values as what they mean', () => {
    expect(rows('text', { text: { temperature: 0, max_characters: 900 } })).toEqual({
      model: 'Server default',
      temperature: '0',
      max_characters: '900 characters',
    })
    expect(rows('text', { text: { tone: 'dry' } })).toMatchObject({ tone: 'dry' })
    const named = (id: string) => `Brand ${id}`
    expect(rows('text', { text: { brand_id: 'one' } }, named)).toMatchObject({ brand: 'Brand one' })
    expect(rows('image', { image: { engine: 'card' } }, named)).toMatchObject({ brand: 'None' })
    expect(rows('text', { text: { effort: 'xhigh' } })).toMatchObject({ effort: 'Very high' })
  })

  it('shows the card of a card and the model of a model', () => {
    expect(rows('image', { image: { engine: 'card', style: 'flat', card: { size: 'portrait', ground: '#0e444b' } } })).toMatchObject({
      engine: 'Card',
      'card.size': '4:5',
      'card.colours': '#0e444b',
    })
    const ai = rows('image', { image: { engine: 'ai', style: 'flat', quality: 'high' } })
    expect(ai).toMatchObject({ engine: 'AI image', style: 'flat', quality: 'High' })
    expect(ai).not.toHaveProperty(['card.size'])
  })
})
