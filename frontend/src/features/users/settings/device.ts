import type { TFunction } from 'i18next'

/** The browser and system in a User-Agent, by which users recognise a device. */
export interface Device {
  browser: string | null
  system: string | null
  mobile: boolean
}

// the first match counts: most browsers also name their ancestors
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\biPad\b/, 'iPadOS'],
  [/\b(iPhone|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\b(Linux|X11)\b/, 'Linux'],
]

const named = (agent: string, patterns: [RegExp, string][]) => patterns.find(([sign]) => sign.test(agent))?.[1] ?? null

export function readDevice(agent: string): Device {
  const system = named(agent, SYSTEMS)
  return {
    // a program such as `curl/8.5.0` names itself first
    browser: named(agent, BROWSERS) ?? /^(?!Mozilla\b)([\w.-]+)(?:\/|$)/.exec(agent)?.[1] ?? null,
    system,
    mobile: system === 'iOS' || system === 'iPadOS' || system === 'Android' || /\bMobile\b/.test(agent),
  }
}

export function deviceName(t: TFunction<['common', 'settings']>, { browser, system }: Device): string {
  if (browser && system) return t('settings:deviceOn', { browser, system })
  return browser ?? system ?? t('settings:unknownDevice')
}
