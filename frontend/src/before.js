// Runs before the first paint and before the code of the app is there. No module, so that nothing is drawn before it.
// Keys: src/lib/storage-keys.ts
{
  let token = null
  let scheme = null
  let language = null
  try {
    token = localStorage.getItem('token')
    scheme = localStorage.getItem('mantine-color-scheme-value')
    language = localStorage.getItem('i18nextLng')
  } catch {
    // storage is blocked: nobody is signed in, and the browser's own preferences decide
  }

  // neither the colours nor the language change once they are seen
  const root = document.documentElement
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  root.lang = (language ?? navigator.language).startsWith('de') ? 'de' : 'en'

  // the files that this page is certain to need; their names are put here by early-files.config.ts
  const { files: told } = document.currentScript.dataset
  if (told) {
    const { files, parts, pages } = JSON.parse(told)
    const path = location.pathname.replace(/\/+$/, '')
    const query = new URLSearchParams(location.search)
    const byLink = path.startsWith('/social-media-posts/') && query.has('decide')
    const byQuery = [...query.keys()].map((name) => pages[`${path}?${name}`]).find(Boolean)
    const start = token ? 'dashboard' : 'home'
    const page = byLink ? 'approval-link' : path ? (byQuery ?? pages[path] ?? pages[`/${path.split('/')[1]}/*`]) : start
    const names = [root.lang, token && 'frame', page].flatMap((name) => [`${name}.${root.lang}`, name])
    const wanted = names.flatMap((name) => parts[name] ?? []).map((index) => files[index])
    for (const file of new Set(wanted)) {
      const link = document.createElement('link')
      link.href = `/${file}`
      link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload'
      if (file.endsWith('.css')) {
        link.as = 'style'
        link.crossOrigin = '' // as the build asks for it later: otherwise the browser fetches it twice
      }
      document.head.append(link)
    }
  }

  // the first one in a process reads the browser's tables for 30 to 50 ms: here, while everybody waits for the network
  new Intl.NumberFormat()
}
