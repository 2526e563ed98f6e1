/**
 * Everything the app keeps in local storage. `public/before.js` reads it before the app is there.
 */
export const storageKeys = {
  token: 'token',
  language: 'i18nextLng',
  colourScheme: 'mantine-color-scheme-value',
} as const
