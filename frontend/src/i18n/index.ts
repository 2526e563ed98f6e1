import i18next from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { storageKeys } from '@/lib/storage-keys'
import { de } from './de'
import { en } from './en'
import { isLanguage, languages } from './languages'

/** Starts the translations: the stored language, else the browser's if it is ours, else English. */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18next
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      resources: { en: { translation: en }, de: { translation: de } },
      supportedLngs: languages,
      fallbackLng: 'en',
      returnNull: false,
      interpolation: { escapeValue: false }, // React escapes
      detection: {
        order: ['localStorage', 'navigator'],
        caches: ['localStorage'],
        lookupLocalStorage: storageKeys.language,
        // de-AT is German for us
        convertDetectedLanguage: (tag) => {
          const base = tag.split('-')[0] ?? ''
          return isLanguage(base) ? base : 'en'
        },
      },
    })
}
