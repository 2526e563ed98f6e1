/**
 * Measure the composer, the article editor and the calendar in a browser. `python -m benchmarks.browser` starts the
 * server and this script:
 *
 *   node scripts/measure.mjs http://127.0.0.1:8000 <token> <rounds>
 *
 * Writes a line of JSON for each round: times in ms, from the browser's own clock.
 */
/* global MutationObserver, performance, requestAnimationFrame, MessageChannel, document, window, localStorage, addEventListener, getSelection */
import { argv, env, getuid, stdout } from 'node:process'
import { chromium } from '@playwright/test'

const [, , origin, token, rounds = '5'] = argv
const KEYS = 200
const PAUSE = 60 // ms between keys: faster than most people type
const WORDS = 'studded tyres are in and we fit them while you wait '
const MOVES = 240
const FRAME = 16 // ms

/** Runs in each page. `painted(seen)` resolves with the time at which what `seen` finds was painted. */
function helpers() {
  const afterPaint = (done) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => done(performance.now())
      port2.postMessage(null)
    })
  window.painted = (seen) =>
    new Promise((resolve) => {
      const look = () => {
        if (!seen()) return
        observer.disconnect()
        afterPaint(resolve)
      }
      const observer = new MutationObserver(look)
      observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
      look()
    })
}

const browser = await chromium.launch({
  executablePath: env.CHROMIUM_PATH,
  args: getuid?.() === 0 ? ['--no-sandbox'] : [],
})

async function newPage() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, locale: 'en-US', timezoneId: 'Europe/Berlin' })
  await context.addInitScript(helpers)
  await context.addInitScript((stored) => localStorage.setItem('token', stored), token)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  /** Return the ms that the page's main thread has worked. */
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value
  }
  return { context, page, worked }
}

/** Measure the time from a key to the frame in which all four previews show its letter. */
async function composer() {
  const { context, page, worked } = await newPage()
  await page.goto(`${origin}/social-media-posts?compose=new`)
  await page.getByRole('button', { name: 'Add account' }).click()
  await page.getByRole('menuitem', { name: 'All accounts' }).click()
  const field = page.getByRole('textbox', { name: 'Text for all channels' })
  await field.click()
  await page.locator('.composer-previews > li').nth(3).waitFor()
  await page.waitForTimeout(500)
  await page.evaluate(() => {
    window.taken = []
    const plain = (text) => text.replace(/\s+/g, ' ').trim()
    const area = document.querySelector('.composer-area')
    addEventListener(
      'keydown',
      async ({ timeStamp }) => {
        const before = area.value.length
        const seen = () => {
          const now = plain(area.value)
          const shown = [...document.querySelectorAll('.composer-previews .pv-text')].map((one) => plain(one.textContent ?? ''))
          return area.value.length > before && shown.length === 4 && shown.every((text) => text === now)
        }
        window.taken.push((await window.painted(seen)) - timeStamp)
      },
      true,
    )
  })
  const before = await worked()
  for (let at = 0; at < KEYS; at += 1) {
    await page.keyboard.press(WORDS[at % WORDS.length] === ' ' ? 'Space' : WORDS[at % WORDS.length])
    await page.waitForTimeout(PAUSE)
  }
  await page.waitForFunction((keys) => window.taken.length === keys, KEYS)
  const taken = await page.evaluate(() => window.taken)
  const work = ((await worked()) - before) / KEYS
  await context.close()
  return { taken, work }
}

/** Measure the time from the click on an article in the list to the frame with its text; then of keys in the middle of
 * the text. */
async function article() {
  const { context, page, worked } = await newPage()
  await page.goto(`${origin}/posts`)
  const link = page.getByRole('link', { name: 'A long article' }).first()
  await link.waitFor()
  await page.waitForTimeout(500)
  const shown = page.evaluate(
    () =>
      new Promise((resolve) => {
        const text = () => document.querySelector('.cm-content')?.textContent ?? document.querySelector('.article-plain')?.value ?? ''
        const onClick = async ({ timeStamp }) => resolve((await window.painted(() => text().length > 1000)) - timeStamp)
        addEventListener('click', (event) => void onClick(event), { capture: true, once: true })
      }),
  )
  await page.waitForTimeout(100)
  const opened = await worked()
  await link.click()
  const time = await shown
  const content = page.locator('.cm-content')
  await content.waitFor()
  await page.waitForTimeout(1000)
  const opening = { time, work: (await worked()) - opened }
  await content.locator('.cm-line').nth(6).click()
  await page.keyboard.press('End')
  await page.evaluate(() => {
    window.taken = []
    const text = document.querySelector('.cm-content')
    addEventListener(
      'keydown',
      async ({ timeStamp }) => {
        // only the line with the caret: reading all lines would be measured, too
        const line = () => getSelection().anchorNode?.parentElement?.closest('.cm-line')?.textContent.length ?? 0
        const before = line()
        window.taken.push((await window.painted(() => text.isConnected && line() > before)) - timeStamp)
      },
      true,
    )
  })
  const before = await worked()
  for (let at = 0; at < KEYS; at += 1) {
    await page.keyboard.press(WORDS[at % WORDS.length] === ' ' ? 'Space' : WORDS[at % WORDS.length])
    await page.waitForTimeout(PAUSE)
  }
  await page.waitForFunction((keys) => window.taken.length === keys, KEYS)
  const taken = await page.evaluate(() => window.taken)
  const work = ((await worked()) - before) / KEYS
  await context.close()
  return { opening, taken, work }
}

/** Measure the time from the click on a link to the frame with entries; then the time between frames of a drag. */
async function calendar() {
  const { context, page, worked } = await newPage()
  await page.goto(`${origin}/social-media-posts`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(500)
  /** Return the ms from the click until `entry` is painted. */
  const afterClick = async (click, entry) => {
    const time = page.evaluate(
      (selector) =>
        new Promise((resolve) => {
          const onClick = async ({ timeStamp }) => resolve((await window.painted(() => document.querySelector(selector))) - timeStamp)
          addEventListener('click', (event) => void onClick(event), { capture: true, once: true })
        }),
      entry,
    )
    await page.waitForTimeout(100)
    const before = await worked()
    await click()
    return { time: await time, work: (await worked()) - before }
  }
  const timeOf = (day) => `time[datetime^="${day}"]`
  const ofMonth = (day) => `.cev ${timeOf(day)}`
  const today = new Date()
  const monthAt = (step) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + step, 15)).toISOString().slice(0, 10)
  const first = await afterClick(() => page.getByRole('link', { name: 'Calendar' }).first().click(), ofMonth(monthAt(0).slice(0, 7)))
  const next = await afterClick(() => page.getByRole('button', { name: 'Next month' }).click(), ofMonth(monthAt(1)))
  await page.waitForTimeout(500)
  const entries = await page.locator('.cev').count()

  const box = await page.locator('.cev', { has: page.locator(timeOf(monthAt(1))) }).first().boundingBox()
  const [x, y] = [box.x + 30, box.y + 10]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 8, y)
  await page.evaluate(() => {
    window.frames = []
    window.dragging = true
    const frame = (at) => {
      window.frames.push(at)
      if (window.dragging) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const before = await worked()
  // over the days of its week and the next one, one step per frame
  for (let at = 0; at < MOVES; at += 1) {
    const turn = (at / MOVES) * 4 * Math.PI
    await page.mouse.move(x + 300 * Math.sin(turn), y + 60 * (1 - Math.cos(turn)))
    await page.waitForTimeout(FRAME)
  }
  const { frames, preview } = await page.evaluate(() => {
    window.dragging = false
    return { frames: window.frames, preview: document.querySelectorAll('.rbc-addons-dnd-drag-preview').length }
  })
  const work = ((await worked()) - before) / MOVES
  await page.keyboard.press('Escape')
  await context.close()
  if (preview === 0) throw new Error('nothing was dragged')
  return { first, next, entries, frames: frames.slice(1).map((at, index) => at - frames[index]), work }
}

for (let round = 0; round < Number(rounds); round += 1) {
  stdout.write(`${JSON.stringify({ composer: await composer(), article: await article(), calendar: await calendar() })}\n`)
}
await browser.close()
