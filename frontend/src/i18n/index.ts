import i18next, { type BackendModule } from 'i18next'
import LanguageDetector from 'i18next-browser-languagedetector'
import { initReactI18next } from 'react-i18next'
import { storageKeys } from '@/lib/storage-keys'
import { isLanguage, languages, type Language } from './languages'
import { parts, type Part } from './parts'

const EVERYBODY = 'translation' // as i18next calls what is read without the name of a part

/** Each language and each part is a file of its own: nobody loads what is not shown. */
const files = import.meta.glob<object>(['./texts/*.{en,de}.ts', '!./texts/{common,failure,navigation,status}.*'])
const everybody = { en: async () => (await import('./en')).en, de: async () => (await import('./de')).de }

async function textsOf(language: Language, part: string): Promise<object> {
  if (part === EVERYBODY) return everybody[language]()
  const load = files[`./texts/${part}.${language}.ts`]
  if (!load) throw new Error(`no ${part} in ${language}`)
  return { ...(await load()) }
}

const backend: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read: (language, part, done) => {
    const loaded = isLanguage(language) ? textsOf(language, part) : Promise.reject(new Error(`no texts in ${language}`))
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
      fallbackNS: parts,
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

/** Brings the texts that not every page has, in this language and in those chosen later. */
export function loadTexts(...wanted: Part[]): Promise<void> {
  return inTurn(async () => {
    await started
    const { language } = i18next
    const missing = wanted.filter((part) => !i18next.hasResourceBundle(language, part))
    if (missing.length === 0) return
    // i18next alone would not tell that it failed
    if (isLanguage(language)) await Promise.all(missing.map((part) => textsOf(language, part)))
    await i18next.loadNamespaces(missing)
  })
}

/** Changes the language of the interface once its texts are there. Rejects where they could not be loaded. */
export function changeLanguage(language: Language): Promise<void> {
  return inTurn(async () => {
    const shown = [i18next.options.ns ?? EVERYBODY].flat()
    await Promise.all(shown.map((part) => textsOf(language, part)))
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
