/**
 * Everything the app keeps in local storage. `public/early-requests.js` reads the first and `public/color-scheme.js` the other
 * two, before the app is there.
 */
export const storageKeys = {
  token: 'token',
  language: 'i18nextLng',
  colourScheme: 'mantine-color-scheme-value',
} as const
