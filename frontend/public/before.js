// Sets the colour scheme and the language before the first paint. Mantine's ColorSchemeScript is an inline script, which
// the content security policy forbids. Keys: src/lib/storage-keys.ts
{
  let scheme = null
  let language = null
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value')
    language = localStorage.getItem('i18nextLng')
  } catch {
    // storage is blocked: the browser's preferences decide
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (language) document.documentElement.lang = language
}
