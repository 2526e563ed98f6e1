import 'dayjs/locale/de'
import 'dayjs/locale/en-gb'

/**
 * All languages of the interface: each has a line here and a folder of texts next to this file. `calendar` is the
 * locale in dayjs, imported above; `shortDay` and `longDay` are dayjs formats; `dayEnd`, `at` and `clock` are parts of
 * days and times, as in `21. Oktober um 9:00 Uhr`.
 */
const all = {
  // British English, for its order of day and month and its 24-hour clock
  en: { name: 'English', locale: 'en-GB', calendar: 'en-gb', shortDay: 'ddd D', longDay: 'dddd D MMMM', dayEnd: '', at: 'at', clock: '' },
  de: { name: 'Deutsch', locale: 'de-DE', calendar: 'de', shortDay: 'ddd D.', longDay: 'dddd, D. MMMM', dayEnd: '.', at: 'um', clock: 'Uhr' },
}

export type Language = keyof typeof all

export const languages = Object.keys(all) as Language[]

/** The language used if none is known. */
export const defaultLanguage: Language = 'en'

export const isLanguage = (value: string): value is Language => value in all

/** Return the language's own name, its locales, and its words in days and times. */
export const languageFacts = (language: Language) => all[language]
