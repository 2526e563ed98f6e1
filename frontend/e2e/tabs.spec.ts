import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'

const SOON = { timeout: 20_000 } // ms: the machine is busy with eight pages, a frozen one would wait for ever
const live = (page: Page) => page.locator('.side-foot [role=status]')

test('eight tabs share one stream: each loads, navigates and gets every change, whichever of them closes', async ({
  context,
  page,
  api,
}) => {
  test.setTimeout(180_000)
  let streams = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/live/') streams += 1
  })
  await api('post', '/topics/', { name: 'Rain', text: '- Rain\n-- Mudguards' })
  await page.goto('/topics')
  const tabs = [page]
  for (let index = 1; index < 8; index += 1) {
    const tab = await context.newPage()
    await tab.goto('/templates')
    await tab.getByRole('link', { name: 'Topic Trees' }).click()
    tabs.push(tab)
  }
  for (const tab of tabs) {
    await expect(tab.getByRole('link', { name: 'Rain' })).toBeVisible(SOON)
    await expect(live(tab)).toHaveText('Live')
  }
  expect(streams).toBe(1)

  await api('post', '/topics/', { name: 'Snow', text: '- Snow\n-- Tyres' })
  for (const tab of tabs) await expect(tab.getByRole('link', { name: 'Snow' })).toBeVisible(SOON)

  const [first, ...others] = tabs
  await first?.close()
  await api('post', '/topics/', { name: 'Wind', text: '- Wind\n-- Jackets' })
  for (const tab of others) {
    await expect(tab.getByRole('link', { name: 'Wind' })).toBeVisible(SOON)
    await expect(live(tab)).toHaveText('Live')
  }

  // and the log-out of one is the log-out of all
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
