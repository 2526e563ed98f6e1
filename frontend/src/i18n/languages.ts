import 'dayjs/locale/de'
import 'dayjs/locale/en-gb'

/**
 * Every language of the interface: a line here, and beside this file a folder of texts. `calendar` is its locale in
 * dayjs, imported above, and `shortDay` and `longDay` are formats of dayjs; `dayEnd`, `at` and `clock` stand beside days
 * and times: `21. Oktober um 9:00 Uhr`.
 */
const all = {
  // British English, for its order of day and month and its 24-hour clock
  en: { name: 'English', locale: 'en-GB', calendar: 'en-gb', shortDay: 'ddd D', longDay: 'dddd D MMMM', dayEnd: '', at: 'at', clock: '' },
  de: { name: 'Deutsch', locale: 'de-DE', calendar: 'de', shortDay: 'ddd D.', longDay: 'dddd, D. MMMM', dayEnd: '.', at: 'um', clock: 'Uhr' },
}

export type Language = keyof typeof all

export const languages = Object.keys(all) as Language[]

/** What is spoken where a language is unknown. */
export const defaultLanguage: Language = 'en'

export const isLanguage = (value: string): value is Language => value in all

/** The language's own name, its locales, and its words beside days and times. */
export const languageFacts = (language: Language) => all[language]
