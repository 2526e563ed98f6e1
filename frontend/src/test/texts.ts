import { loadTexts as loadParts, startI18n } from '@/i18n'
import { de } from '@/i18n/de'
import { parts as deParts } from '@/i18n/de-parts'
import { en } from '@/i18n/en'
import { parts as enParts } from '@/i18n/en-parts'
import type { Language } from '@/i18n/languages'
import { parts } from '@/i18n/parts'
import { createTranslation, type TFunction } from '@/i18n/translate'

/** All parts as one. */
export const allTexts = {
  en: { ...en, ...enParts, errors: { ...en.errors, ...enParts.errors } },
  de: { ...de, ...deParts, errors: { ...de.errors, ...deParts.errors } },
}

/** Starts the translations as they are for who has seen every page. */
export async function startAllTexts(): Promise<void> {
  await startI18n()
  await loadParts(...parts)
}

/** The texts of both languages, for rules that choose one and need no page. */
export const allTranslations: Record<Language, TFunction> = {
  en: createTranslation('en', () => allTexts.en).t,
  de: createTranslation('de', () => allTexts.de).t,
}
