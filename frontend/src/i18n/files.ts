import type { Language } from './languages'
import type { Part } from './parts'
import type { Texts } from './translate'

/** Each language and each part is a file of its own: nobody loads what is not shown. */
const files = import.meta.glob<Texts>(['./texts/*.{en,de}.ts', '!./texts/{common,failure,navigation,status}.*'])
const everybody = { en: async () => (await import('./en')).en, de: async () => (await import('./de')).de }

export const textFiles = {
  /** A part, or what every page begins with. Rejects where it could not be loaded. */
  async load(language: Language, part: Part | null): Promise<Texts> {
    if (part === null) return everybody[language]()
    const load = files[`./texts/${part}.${language}.ts`]
    if (!load) throw new Error(`no ${part} in ${language}`)
    return load()
  },
}
