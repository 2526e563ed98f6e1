import type { Page, Request } from '@playwright/test'
import { expect, test } from './fixtures'

const SOON = { timeout: 20_000 } // ms: the machine is busy with eight pages; a blocked page would wait forever
const live = (page: Page) => page.locator('.side-foot [role=status]')

/** Switch to one tab by simulating its visibility: Playwright shows all pages at once. */
async function goTo(shown: Page, tabs: Page[]) {
  const tell = (state: string) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
    document.dispatchEvent(new Event('visibilitychange'))
  }
  for (const tab of tabs) await tab.evaluate(tell, tab === shown ? 'visible' : 'hidden')
}

test('eight tabs of a window: each loads, navigates, and shows every change as soon as it is seen', async ({
  context,
  page,
  api,
}) => {
  test.setTimeout(180_000)
  const open = new Set<Request>()
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/live/') open.add(request)
  })
  context.on('requestfailed', (request) => open.delete(request))
  await api('post', '/topics/', { name: 'Rain', text: '- Rain\n-- Mudguards' })
  await page.goto('/topics')
  const tabs = [page]
  for (let index = 1; index < 8; index += 1) {
    const tab = await context.newPage()
    await goTo(tab, tabs)
    await tab.goto('/templates')
    await tab.getByRole('link', { name: 'Topic Trees' }).click()
    tabs.push(tab)
    await expect(tab.getByRole('link', { name: 'Rain' })).toBeVisible(SOON)
    await expect(live(tab)).toHaveText('Live')
  }
  // hidden tabs close their streams
  await expect.poll(() => open.size, SOON).toBe(1)

  await api('post', '/topics/', { name: 'Snow', text: '- Snow\n-- Tyres' })
  await expect(tabs[7]!.getByRole('link', { name: 'Snow' })).toBeVisible(SOON)
  for (const tab of tabs) {
    await goTo(tab, tabs)
    await expect(tab.getByRole('link', { name: 'Snow' })).toBeVisible(SOON)
    await expect(live(tab)).toHaveText('Live')
  }

  const [first, ...others] = tabs
  await first?.close()
  await api('post', '/topics/', { name: 'Wind', text: '- Wind\n-- Jackets' })
  for (const tab of others) {
    await goTo(tab, others)
    await expect(tab.getByRole('link', { name: 'Wind' })).toBeVisible(SOON)
    await expect(live(tab)).toHaveText('Live')
  }

  // a log-out in one tab logs out all
  await others[0]?.getByRole('button', { name: /Your account/ }).click()
  await others[0]?.getByRole('menuitem', { name: 'Log out' }).click()
  for (const tab of others) await expect(tab.getByRole('link', { name: 'Snow' })).toBeHidden(SOON)
})

test('page loads in a row, and the way back through them, do not wait for each other', async ({ page, person }) => {
  expect(person.token).toBeTruthy()
  const addresses = ['/topics', '/templates', '/assistants', '/media-gallery', '/invitations', '/social-media-posts', '/marketplace']
  const heading = page.getByRole('heading', { level: 1 })
  for (const address of addresses) {
    await page.goto(address)
    await expect(heading).toBeVisible()
    await expect(live(page)).toHaveText('Live')
  }
  for (const address of addresses.toReversed().slice(1)) {
    await page.goBack({ waitUntil: 'commit' })
    await expect(page).toHaveURL(address)
    await expect(heading).toBeVisible()
    await expect(live(page)).toHaveText('Live')
  }
})
