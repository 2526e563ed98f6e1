/**
 * Make the screenshots of the home page from a running demo (`make demo`):
 *
 *   node scripts/screenshots.mjs 'http://localhost:8000/signin?link#token=…'
 *
 * The first argument is the link that the demo prints, further arguments are the names of the screenshots to make
 * (default: all). An assistant of each language must have published.
 */
/* global Buffer, URL, URLSearchParams, document, fetch, localStorage */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, env, getuid } from 'node:process'
import { chromium } from '@playwright/test'

const [, , address = '', ...wanted] = argv
const link = new URL(address)
const secret = new URLSearchParams(link.hash.slice(1)).get('token')
const web = join(import.meta.dirname, '..')
const target = join(web, 'public', 'screens')
const sizesFile = join(web, 'src', 'features', 'home', 'screen-sizes.json')
const TALLEST = 660 // CSS pixels; the rest is cut off
/** Screenshots for phones are as wide as the narrowest phone, so that they are never shrunk. */
const LOOKS = [
  { suffix: '', width: 1280, phone: false },
  { suffix: '.phone', width: 360, phone: true },
]
const STORIES = {
  en: { assistant: 'Commuter tips', tree: 'Commuting by cargo bike', weekly: 'Weekly', days: ['Tue', 'Thu'] },
  de: { assistant: 'Werkstatt-Wissen', tree: 'Werkstatt und Pflege', weekly: 'Wöchentlich', days: ['Di', 'Do'] },
}

const call = async (method, path, { token, body } = {}) => {
  const answer = await fetch(`${link.origin}/api${path}`, {
    method,
    headers: { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const { token } = await call('POST', '/auth/link/', { body: { token: secret } })
const named = async (path, name) => (await call('GET', path, { token })).items.find((item) => item.name === name)
const sizes = wanted.length ? JSON.parse(readFileSync(sizesFile, 'utf8')) : {}

/** Save an element with `margin` CSS pixels around it as WebP, two pixels per CSS pixel. */
async function shoot(page, { element, margin = 0 }, name) {
  await page.evaluate(() => document.fonts.ready)
  const box = await element.boundingBox()
  const size = {
    width: Math.floor(box.width) + 2 * margin,
    height: Math.min(Math.floor(box.height) + 2 * margin, TALLEST),
  }
  const clip = { x: box.x - margin, y: box.y - margin, ...size, scale: 1 }
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82, clip })
  writeFileSync(join(target, `${name}.webp`), Buffer.from(data, 'base64'))
  sizes[name] = size
}

const screens = {
  async topics(page, { tree }, phone) {
    const { id } = await named('/topics/', tree)
    await page.goto(`${link.origin}/topics?tree=${id}`)
    const topic = page.getByRole('treeitem').nth(3)
    await (phone ? topic.waitFor() : topic.click())
    return { element: page.locator('.panel').filter({ has: page.getByRole('tree') }) }
  },
  async schedule(page, { assistant, weekly, days }, phone) {
    const { id } = await named('/assistants/', assistant)
    // in a narrower window the dates are below the fields
    if (!phone) await page.setViewportSize({ width: 1440, height: 1400 })
    await page.goto(`${link.origin}/assistants/${id}?tab=configuration`)
    await page.getByText(weekly, { exact: true }).click()
    for (const day of days) await page.getByText(day, { exact: true }).click()
    for (const time of ['09:00', '16:30']) {
      await page.getByPlaceholder('HH:MM').fill(time)
      await page.keyboard.press('Enter')
    }
    if (phone) return { element: page.locator('.schedprev') }
    return { element: page.locator('.fsec').nth(1).locator('> :nth-child(2)'), margin: 18 }
  },
  async proof(page, { assistant }, phone) {
    const { id } = await named('/assistants/', assistant)
    const { items } = await call('GET', `/social-media-posts/?status=published&assistant_id=${id}`, { token })
    await page.goto(`${link.origin}/social-media-posts/${items[0].id}`)
    await page.locator('.cols .stack img').first().waitFor()
    return { element: page.locator('.cols > .stack').first(), margin: phone ? 0 : 14 }
  },
}

mkdirSync(target, { recursive: true })
const browser = await chromium.launch({
  executablePath: env.CHROMIUM_PATH,
  args: getuid?.() === 0 ? ['--no-sandbox'] : [],
})
for (const [language, story] of Object.entries(STORIES)) {
  await call('PATCH', '/users/me/', { token, body: { language } })
  for (const scheme of ['light', 'dark']) {
    for (const { suffix, width, phone } of LOOKS) {
      const context = await browser.newContext({
        viewport: { width, height: phone ? 4000 : 1400 }, // tall enough to show the whole element
        deviceScaleFactor: 2,
        timezoneId: 'Europe/Berlin',
      })
      await context.addInitScript(
        ([stored, chosen, theme]) => {
          localStorage.setItem('token', stored)
          localStorage.setItem('i18nextLng', chosen)
          localStorage.setItem('mantine-color-scheme-value', theme)
        },
        [token, language, scheme],
      )
      for (const [name, open] of Object.entries(screens)) {
        if (wanted.length && !wanted.includes(name)) continue
        const page = await context.newPage()
        const shot = await open(page, story, phone)
        await page.waitForTimeout(800)
        await shoot(page, shot, `${name}.${language}.${scheme}${suffix}`)
        await page.close()
      }
      await context.close()
    }
  }
}
await call('PATCH', '/users/me/', { token, body: { language: 'en' } })
await browser.close()
const sorted = Object.fromEntries(Object.entries(sizes).sort(([one], [other]) => one.localeCompare(other)))
writeFileSync(sizesFile, `${JSON.stringify(sorted, null, 2)}\n`)
