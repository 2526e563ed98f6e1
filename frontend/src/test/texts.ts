import i18n, { type TFunction } from 'i18next'
import { startI18n, textOptions } from '@/i18n'
import { namespaces } from '@/i18n/files'
import type { Language } from '@/i18n/languages'
import type { Resources } from '@/api/texts'

type Texts = { [key: string]: string | Texts }

const files = import.meta.glob<Texts>('../i18n/*/*.json', { import: 'default', eager: true })

/** Every text of a language, by namespace. */
const textsIn = (language: Language): Record<string, Texts> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, texts]) => {
      const [, folder, namespace = ''] = /(\w+)\/(\w+)\.json$/.exec(path) ?? []
      return folder === language ? [[namespace, texts]] : []
    }),
  )

export const allTexts: Record<Language, Record<string, Texts>> = { en: textsIn('en'), de: textsIn('de') }

/** Start the translations as they are for who has seen every page. */
export async function startAllTexts(): Promise<void> {
  started ??= startI18n()
  await started
  await i18n.loadNamespaces(namespaces)
}

let started: Promise<void> | undefined

const both = i18n.createInstance()
void both.init({ ...textOptions, resources: allTexts, initAsync: false })

type AllNamespaces = ['common', ...Exclude<keyof Resources, 'common'>[]]

/** The `t` of a language, with every namespace. */
export const translationIn = (language: Language) => both.getFixedT(language) as unknown as TFunction<AllNamespaces>

/** The texts of both languages, for rules that choose one and need no page. */
export const allTranslations: Record<Language, TFunction<AllNamespaces>> = { en: translationIn('en'), de: translationIn('de') }
