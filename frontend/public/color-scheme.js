// Runs before the first paint, so that neither the colour scheme nor the language flashes. Keys: src/lib/storage-keys.ts
{
  const root = document.documentElement
  let scheme = null
  let language = null
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value')
    language = localStorage.getItem('i18nextLng')
  } catch {
    // storage is blocked: the browser's own preference decides
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (language === 'de' || language === 'en') root.lang = language
}
