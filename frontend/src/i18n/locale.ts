import { createContext } from 'react'
import { useTranslation } from 'react-i18next'
import { isLanguage, type Language } from './languages'

/** The user's time zone; for visitors, and where nothing is said, the browser's. */
export const TimeZoneContext = createContext<string | undefined>(undefined)

/** The language of the interface. */
export function useLanguage(): Language {
  const { resolvedLanguage = 'en' } = useTranslation().i18n
  return isLanguage(resolvedLanguage) ? resolvedLanguage : 'en'
}
