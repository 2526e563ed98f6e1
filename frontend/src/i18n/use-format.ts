import { use } from 'react'
import { browserTimeZone, knownZone } from '@/lib/time-zones'
import { createFormat, type Format } from './format'
import type { Language } from './languages'
import { TimeZoneContext, useLanguage } from './locale'

const formats = new Map<string, Format>()

/** One for the whole page: to make one takes milliseconds, and many components need one. */
function formatFor(language: Language, timeZone: string): Format {
  const name = `${language} ${timeZone}`
  const format = formats.get(name) ?? createFormat(language, knownZone(timeZone))
  formats.set(name, format)
  return format
}

/** Dates, times, money and numbers in the user's language and time zone. */
export function useFormat(): Format {
  const timeZone = use(TimeZoneContext)
  return formatFor(useLanguage(), timeZone ?? browserTimeZone())
}

/** The user's own zone, or else the browser's. */
export const useTimeZone = (): string => use(TimeZoneContext) ?? browserTimeZone()

/** The same in another time zone, such as that of a schedule; in a draft it may not be chosen yet. */
export const useFormatIn = (timeZone: string): Format => formatFor(useLanguage(), timeZone || 'UTC')
