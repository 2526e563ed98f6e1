import i18next, { type BackendModule } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { storageKeys } from '@/lib/storage-keys'
import type { en } from './en'
import { isLanguage, languages, type Language } from './languages'
import type { Shape } from './shape'

/** Each language is a file of its own: nobody loads the one that is not shown. */
const texts: Record<Language, () => Promise<Shape<typeof en>>> = {
  en: async () => (await import('./en')).en,
  de: async () => (await import('./de')).de,
}

const loadTexts: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read: (language, _, done) => {
    const loaded = isLanguage(language) ? texts[language]() : Promise.reject(new Error(`no texts in ${language}`))
    loaded.then((found) => done(null, found), (error: Error) => done(error, null))
  },
}

/** Starts the translations: the stored language, else the browser's if it is ours, else English. */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18next
    .use(LanguageDetector)
    .use(loadTexts)
    .use(initReactI18next)
    .init({
      supportedLngs: languages,
      // English only where no language was found: none lacks a text
      fallbackLng: (language) => (isLanguage(language) ? [] : ['en']),
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
  // what i18next would show then are the names of the texts
  if (!i18next.hasResourceBundle(i18next.language, 'translation')) throw new Error(`no texts in ${i18next.language}`)
}

/** Changes the language of the interface once its texts are there. Rejects where they could not be loaded. */
export async function changeLanguage(language: Language): Promise<void> {
  await texts[language]()
  await i18next.changeLanguage(language)
}
