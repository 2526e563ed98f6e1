/** Everything the app keeps in local storage; `public/color-scheme.js` reads the last two before the first paint. */
export const storageKeys = {
  token: 'token',
  language: 'i18nextLng',
  colourScheme: 'mantine-color-scheme-value',
} as const
