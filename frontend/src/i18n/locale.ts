import { createContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from './languages'

/** The user's time zone; for visitors, and where nothing is said, the browser's. */
export const TimeZoneContext = createContext<string | undefined>(undefined)

/** The language of the interface. */
export const useLanguage = () => useTranslation().i18n.language as Language
