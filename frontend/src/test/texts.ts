import i18next, { type TFunction } from 'i18next'
import { de } from '@/i18n/de'
import { en } from '@/i18n/en'
import type { Language } from '@/i18n/languages'

/** The texts of both languages, for rules that choose one and need no page. */
export async function loadTexts(): Promise<Record<Language, TFunction>> {
  const i18n = i18next.createInstance()
  await i18n.init({
    resources: { en: { translation: en }, de: { translation: de } },
    lng: 'en',
    interpolation: { escapeValue: false },
  })
  return { en: i18n.getFixedT('en'), de: i18n.getFixedT('de') }
}
