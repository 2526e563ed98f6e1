import type { Language } from './languages'
import type { Part } from './parts'
import type { Texts } from './translate'

/** What every page begins with, and behind it the places of all others: those of the other language nobody needs. */
const languages = { en: () => import('./en'), de: () => import('./de') }

export const textFiles = {
  /** A part, or what every page begins with. Rejects where it could not be loaded. */
  async load(language: Language, part: Part | null): Promise<Texts> {
    const { everybodys, files } = await languages[language]()
    if (part === null) return everybodys
    const load = files[`./texts/${part}.${language}.ts`]
    if (!load) throw new Error(`no ${part} in ${language}`)
    return load()
  },
}
