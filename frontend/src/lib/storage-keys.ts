/**
 * All keys of the app in local storage. `public/before.js` reads some before the app is loaded.
 */
export const storageKeys = {
  token: 'token',
  language: 'i18nextLng',
  colourScheme: 'mantine-color-scheme-value',
} as const
