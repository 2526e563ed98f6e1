import i18n, { type BackendModule, type InitOptions } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { storageKeys } from '@/lib/storage-keys'
import { textFiles } from './files'
import { defaultLanguage, isLanguage, languages, type Language } from './languages'

/** Options of i18next in the browser and in tests. */
export const textOptions = {
  defaultNS: 'common',
  appendNamespaceToMissingKey: true,
  interpolation: { escapeValue: false }, // React escapes
  // a missing value is shown by its name, and fails tests
  missingInterpolationHandler: (text: string, [slot]: [string]) => {
    if (import.meta.env.MODE === 'test') throw new Error(`${slot} has no value in “${text}”`)
    return slot
  },
} satisfies InitOptions

const backend: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read: (language, namespace, done) =>
    void textFiles.load(language, namespace).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, true), // true: try again
    ),
}

i18n.use(backend).use(LanguageDetector).use(initReactI18next)
i18n.on('languageChanged', (language) => {
  document.documentElement.lang = language
})

/** Load the texts that every page needs, in the stored language, else the browser's, else English. */
export async function startI18n(): Promise<void> {
  await i18n.init({
    ...textOptions,
    supportedLngs: languages,
    // every language has all texts, so no second language is loaded
    fallbackLng: (language: string) => (isLanguage(language) ? [] : [defaultLanguage]),
    ns: ['common', 'errors', 'navigation'],
    detection: {
      order: ['localStorage', 'navigator'],
      lookupLocalStorage: storageKeys.language,
      caches: ['localStorage'],
      convertDetectedLanguage: (code) => code.split('-')[0] ?? code, // de-AT is German
    },
    maxRetries: 2,
  })
}

/** Change the language of the interface once its texts are loaded. Reject if they could not be loaded. */
export async function changeLanguage(language: Language): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    void i18n.reloadResources(language, undefined, (failures?: unknown) =>
      failures ? reject(new Error('The texts could not be loaded', { cause: failures })) : resolve(),
    )
  })
  await i18n.changeLanguage(language)
}
