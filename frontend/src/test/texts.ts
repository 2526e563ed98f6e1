import i18next, { type TFunction } from 'i18next'
import { loadTexts as loadPart, startI18n } from '@/i18n'
import { de } from '@/i18n/de'
import { planning as dePlanning } from '@/i18n/de-planning'
import { users as deUsers } from '@/i18n/de-users'
import { en } from '@/i18n/en'
import { planning as enPlanning } from '@/i18n/en-planning'
import { users as enUsers } from '@/i18n/en-users'
import type { Language } from '@/i18n/languages'
import { notifications as deNotifications } from '@/i18n/texts/notifications.de'
import { notifications as enNotifications } from '@/i18n/texts/notifications.en'
import { privacy as dePrivacy } from '@/i18n/texts/privacy.de'
import { privacy as enPrivacy } from '@/i18n/texts/privacy.en'

/** All parts as one. */
export const allTexts = {
  en: {
    ...en,
    ...enUsers,
    ...enPlanning,
    posts: { ...enUsers.posts, ...enPlanning.posts },
    notifications: enNotifications,
    privacy: enPrivacy,
  },
  de: {
    ...de,
    ...deUsers,
    ...dePlanning,
    posts: { ...deUsers.posts, ...dePlanning.posts },
    notifications: deNotifications,
    privacy: dePrivacy,
  },
}

/** Starts the translations as they are for who is signed in and has seen every page. */
export async function startAllTexts(): Promise<void> {
  await startI18n()
  await Promise.all((['users', 'planning', 'notifications', 'privacy'] as const).map(loadPart))
}

/** The texts of both languages, for rules that choose one and need no page. */
export async function loadTexts(): Promise<Record<Language, TFunction>> {
  const i18n = i18next.createInstance()
  await i18n.init({
    resources: { en: { translation: allTexts.en }, de: { translation: allTexts.de } },
    lng: 'en',
    interpolation: { escapeValue: false },
  })
  return { en: i18n.getFixedT('en'), de: i18n.getFixedT('de') }
}
