import { createContext, use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { browserTimeZone } from '@/lib/time-zones'
import { createFormat, type Format } from './format'
import { isLanguage, type Language } from './languages'

/** The user's time zone; for visitors the browser's. */
export const TimeZoneContext = createContext(browserTimeZone())

/** The language of the interface. */
export function useLanguage(): Language {
  const { resolvedLanguage = 'en' } = useTranslation().i18n
  return isLanguage(resolvedLanguage) ? resolvedLanguage : 'en'
}

/** Dates, times, money and numbers in the user's language and time zone. */
export function useFormat(): Format {
  const language = useLanguage()
  const timeZone = use(TimeZoneContext)
  return useMemo(() => createFormat(language, timeZone), [language, timeZone])
}

/** The same in another time zone, such as that of a schedule. */
export function useFormatIn(timeZone: string): Format {
  const language = useLanguage()
  return useMemo(() => createFormat(language, timeZone), [language, timeZone])
}
