import { createContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from './languages'

/** The user's time zone; undefined stands for the browser's, as for visitors. */
export const TimeZoneContext = createContext<string | undefined>(undefined)

/** Return the language of the interface. */
export const useLanguage = () => useTranslation().i18n.language as Language
