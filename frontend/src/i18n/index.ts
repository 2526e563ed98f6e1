import i18next, { type BackendModule } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { storageKeys } from '@/lib/storage-keys'
import { isLanguage, languages, type Language } from './languages'

const EVERYBODY = 'translation' // as i18next calls what is read without the name of a part

/** Each language is files of their own: nobody loads those of one that is not shown, and visitors only what they read. */
const texts = {
  en: {
    [EVERYBODY]: async () => (await import('./en')).en,
    users: async () => (await import('./en-users')).users,
    planning: async () => (await import('./en-planning')).planning,
    notifications: async () => ({ notifications: (await import('./texts/notifications.en')).notifications }),
    privacy: async () => ({ privacy: (await import('./texts/privacy.en')).privacy }),
  },
  de: {
    [EVERYBODY]: async () => (await import('./de')).de,
    users: async () => (await import('./de-users')).users,
    planning: async () => (await import('./de-planning')).planning,
    notifications: async () => ({ notifications: (await import('./texts/notifications.de')).notifications }),
    privacy: async () => ({ privacy: (await import('./texts/privacy.de')).privacy }),
  },
} satisfies Record<Language, Record<string, () => Promise<object>>>

type Part = keyof (typeof texts)[Language]
const LATER = ['users', 'planning', 'notifications', 'privacy'] as const satisfies Part[]
const isPart = (value: string): value is Part => value in texts.en

const backend: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read: (language, part, done) => {
    const known = isLanguage(language) && isPart(part)
    const loaded: Promise<object> = known ? texts[language][part]() : Promise.reject(new Error(`no ${part} in ${language}`))
    loaded.then((found) => done(null, found), (error: Error) => done(error, null))
  },
}

let started: Promise<void> | undefined

/** Starts the translations: the stored language, else the browser's if it is ours, else English. */
export function startI18n(): Promise<void> {
  started = start()
  return started
}

async function start() {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18next
    .use(LanguageDetector)
    .use(backend)
    .use(initReactI18next)
    .init({
      supportedLngs: languages,
      ns: [EVERYBODY],
      fallbackNS: LATER,
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
  if (!i18next.hasResourceBundle(i18next.language, EVERYBODY)) throw new Error(`no texts in ${i18next.language}`)
}

/** Brings the texts of a part that visitors do not begin with, in this language and in those chosen later. */
export function loadTexts(part: (typeof LATER)[number]): Promise<void> {
  return inTurn(async () => {
    await started
    const { language } = i18next
    if (i18next.hasResourceBundle(language, part)) return
    // i18next alone would not tell that it failed
    if (isLanguage(language)) await texts[language][part]()
    await i18next.loadNamespaces(part)
  })
}

/** Changes the language of the interface once its texts are there. Rejects where they could not be loaded. */
export function changeLanguage(language: Language): Promise<void> {
  return inTurn(async () => {
    const parts = [i18next.options.ns ?? EVERYBODY].flat().filter(isPart)
    await Promise.all(parts.map((part) => texts[language][part]()))
    await i18next.changeLanguage(language)
  })
}

let last: Promise<unknown> = Promise.resolve()

/** After what was asked for before: a part that comes while the language changes would come in the old one only. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const done = last.then(act)
  last = done.catch(() => undefined) // who asked is told
  return done
}
