// Run Lighthouse on pages in light and dark mode: node judge.mjs ADDRESS…; prints one line of JSON per result.
// Uses the browser of CHROMIUM_PATH if set.
import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

async function runLighthouse(address, scheme, form) {
  const dark = scheme === 'dark' ? ['--force-dark-mode', '--blink-settings=preferredColorScheme=0'] : ['--blink-settings=preferredColorScheme=1']
  const chrome = await launch({
    chromePath: process.env.CHROMIUM_PATH,
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...dark],
  })
  try {
    const config = form === 'desktop' ? desktopConfig : undefined
    const { lhr } = await lighthouse(address, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: 'error' }, config)
    const scores = Object.fromEntries(CATEGORIES.map((name) => [name, Math.round(100 * lhr.categories[name].score)]))
    const failed = CATEGORIES.flatMap((name) => lhr.categories[name].auditRefs)
      .filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9)
      .map(({ id }) => id)
    const ms = (id) => Math.round(lhr.audits[id].numericValue)
    const kilobytes = Math.round(lhr.audits['total-byte-weight'].numericValue / 1024)
    const paint = { first: ms('first-contentful-paint'), largest: ms('largest-contentful-paint') }
    return { address, scheme, form, ...scores, ...paint, kilobytes, failed: [...new Set(failed)] }
  } finally {
    await chrome.kill()
  }
}

for (const address of process.argv.slice(2))
  for (const form of ['phone', 'desktop'])
    for (const scheme of ['light', 'dark']) console.log(JSON.stringify(await runLighthouse(address, scheme, form)))
