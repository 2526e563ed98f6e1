import AxeBuilder from '@axe-core/playwright'
import { expect, expectAccessible, test } from './fixtures'

test('a feed is made, an article is read on it, and both are gone once it is removed', async ({ person, page, browser, request }) => {
  const address = `notes-${person.email.replace(/@.*/, '')}`
  await page.goto('/websites?connect=website')
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: /Postloom Feed/ }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('Notes from the workshop')
  await form.getByRole('textbox', { name: 'Address' }).fill(address)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(form).toBeHidden()
  await page.getByRole('link', { name: 'Notes from the workshop' }).click()
  const readers = page.getByRole('region', { name: 'For your readers' })
  const links = readers.getByRole('link')
  await expect(links).toHaveCount(3)
  await expectAccessible(page)
  const [home, rss, json] = await links.evaluateAll((found) => found.map((link) => (link as HTMLAnchorElement).href))

  await page.getByRole('button', { name: 'More actions for Notes from the workshop' }).click()
  await page.getByRole('menuitem', { name: 'Change settings' }).click()
  await form.getByRole('textbox', { name: 'Description' }).fill('Bicycles and weather.')
  await form.getByRole('textbox', { name: 'Author' }).fill('Mara Lind')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()

  await page.getByRole('link', { name: 'New article' }).or(page.getByRole('button', { name: 'New article' })).first().click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Winter tyres')
  await page.locator('.cm-content').click()
  await page.keyboard.type('## When\n\nBelow **seven** degrees.')
  await expect(page.getByText(/^Draft saved at/)).toBeVisible()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  const live = page.getByRole('link', { name: 'View live' })
  await expect(live).toBeVisible({ timeout: 30_000 })
  const permalink = (await live.getAttribute('href')) ?? ''

  // another visitor, without JavaScript
  const stranger = await browser.newContext({ javaScriptEnabled: false })
  const reading = await stranger.newPage()
  await reading.goto(home ?? '')
  await expect(reading.getByText('Bicycles and weather.')).toBeVisible()
  await reading.getByRole('link', { name: 'Winter tyres' }).click()
  await expect(reading).toHaveURL(permalink)
  await expect(reading.getByRole('heading', { level: 1, name: 'Winter tyres' })).toBeVisible()
  await expect(reading.locator('strong', { hasText: 'seven' })).toBeVisible()
  await expect(reading.getByText('by Mara Lind')).toBeVisible()
  await stranger.close()
  for (const colorScheme of ['light', 'dark'] as const) {
    const seen = await browser.newContext({ colorScheme })
    const look = await seen.newPage()
    for (const each of [home ?? '', permalink]) {
      await look.goto(each)
      const { violations } = await new AxeBuilder({ page: look }).setLegacyMode().analyze()
      expect(violations.map(({ id }) => id)).toEqual([])
    }
    await seen.close()
  }
  expect(await (await request.get(rss ?? '')).text()).toContain('<title>Winter tyres</title>')
  expect(await (await request.get(json ?? '')).json()).toMatchObject({ items: [{ title: 'Winter tyres', url: permalink }] })

  await page.goto('/websites')
  await page.getByRole('button', { name: 'More actions for Notes from the workshop' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(form.getByText(/deleted immediately/)).toBeVisible()
  await form.getByRole('button', { name: 'Remove website' }).click()
  await expect(page.getByRole('heading', { name: 'No website connected yet' })).toBeVisible()
  for (const each of [home, permalink, rss, json]) expect((await request.get(each ?? '')).status()).toBe(410)
})
