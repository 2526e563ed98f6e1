import { storageKeys } from '@/lib/storage-keys'
import { textFiles } from './files'
import { isLanguage, languages, type Language } from './languages'
import type { Part } from './parts'
import { createTranslation, type Texts, type Translation } from './translate'

/** What is loaded: groups by their name. Two parts may have texts in one group. */
const loaded: Record<Language, Record<string, Texts>> = { en: {}, de: {} }
const translations = Object.fromEntries(
  languages.map((language) => [language, createTranslation(language, () => loaded[language])]),
) as Record<Language, Translation>

/** Which parts have been asked for, in whichever language; null is what every page begins with. */
const wanted = new Set<Part | null>([null])
const watchers = new Set<() => void>()
let now: Translation = translations.en

/** The texts in the language of the interface. */
export const spoken = (): Translation => now

/** The texts in another language, as far as they are loaded; else in that of the interface. */
export const spokenIn = (language: Language): Translation => ('common' in loaded[language] ? translations[language] : now)

/** Calls back when the language has changed. Returns the function that stops it. */
export function watchLanguage(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

async function load(language: Language, parts: Iterable<Part | null>): Promise<void> {
  const files = await Promise.all([...parts].map((part) => textFiles.load(language, part)))
  for (const groups of files)
    for (const [name, texts] of Object.entries(groups))
      loaded[language][name] = { ...loaded[language][name], ...(texts as Texts) }
}

function speak(language: Language) {
  document.documentElement.lang = language
  try {
    localStorage.setItem(storageKeys.language, language)
  } catch {
    // storage is blocked: the browser's language decides again at the next visit
  }
  if (now === translations[language]) return
  now = translations[language]
  for (const changed of watchers) changed()
}

/** The stored language, else the browser's if it is ours, else English; de-AT is German for us. */
function preferred(): Language {
  let stored: string | null = null
  try {
    stored = localStorage.getItem(storageKeys.language)
  } catch {
    // storage is blocked
  }
  const language = (stored ?? navigator.language).split('-')[0] ?? ''
  return isLanguage(language) ? language : 'en'
}

let started: Promise<void> | undefined

/** Starts the translations. Rejects where their texts could not be loaded. */
export function startI18n(): Promise<void> {
  const language = preferred()
  started = load(language, wanted).then(() => speak(language))
  return started
}

/** Brings the texts that not every page has, in this language and in those chosen later. */
export function loadTexts(...parts: Part[]): Promise<void> {
  return inTurn(async () => {
    await started
    await load(now.language, parts.filter((part) => !wanted.has(part)))
    for (const part of parts) wanted.add(part)
  })
}

/** What is loaded later, with its texts: as `withTexts(import('./its-module'), 'its-part')`, which a test reads. */
export async function withTexts<Code>(code: Promise<Code>, ...parts: Part[]): Promise<Code> {
  const [loaded] = await Promise.all([code, loadTexts(...parts)])
  return loaded
}

/** Changes the language of the interface once its texts are there. Rejects where they could not be loaded. */
export function changeLanguage(language: Language): Promise<void> {
  return inTurn(async () => {
    await load(language, wanted)
    speak(language)
  })
}

let last: Promise<unknown> = Promise.resolve()

/** After what was asked for before: a part that comes while the language changes would come in the old one only. */
function inTurn(act: () => Promise<void>): Promise<void> {
  const done = last.then(act)
  last = done.catch(() => undefined) // who asked is told
  return done
}
