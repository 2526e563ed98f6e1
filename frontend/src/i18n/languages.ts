export const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]

/** Each language in its own words. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' }

export const isLanguage = (value: string): value is Language => (languages as readonly string[]).includes(value)
