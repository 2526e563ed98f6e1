import { use } from 'react'
import { browserTimeZone, knownZone } from '@/lib/time-zones'
import { createFormat, type Format } from './format'
import type { Language } from './languages'
import { TimeZoneContext, useLanguage } from './locale'

const formats = new Map<string, Format>()

/** Return a cached format: creating one takes milliseconds, and many components need it. */
function formatFor(language: Language, timeZone: string): Format {
  const name = `${language} ${timeZone}`
  const format = formats.get(name) ?? createFormat(language, knownZone(timeZone))
  formats.set(name, format)
  return format
}

/** Return formats of dates, times, money and numbers in the user's language and time zone. */
export function useFormat(): Format {
  const timeZone = use(TimeZoneContext)
  return formatFor(useLanguage(), timeZone ?? browserTimeZone())
}

/** Return the user's time zone, else the browser's. */
export const useTimeZone = (): string => use(TimeZoneContext) ?? browserTimeZone()

/** Return formats in another time zone, such as a schedule's; an empty one, as in a draft, stands for UTC. */
export const useFormatIn = (timeZone: string): Format => formatFor(useLanguage(), timeZone || 'UTC')
