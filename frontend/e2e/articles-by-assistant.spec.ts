import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures'

const DAY = 86_400_000 // ms

/** Connect a WordPress site and open its page. Return the name of the website. */
async function connectWordPress(page: Page): Promise<string> {
  await page.goto('/websites?connect=website')
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: /WordPress/ }).click()
  await form.getByLabel('User name').fill('ada-lindqvist')
  await form.getByLabel('Application password').fill('e2e1 e2e2 e2e3 e2e4 e2e5 e2e6')
  await form.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(form).toBeHidden()
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Writing plan' })).toBeVisible()
  return page.getByRole('heading', { level: 1 }).innerText()
}

/** Fill the form of an assistant that asks before it publishes. */
async function fillAssistant(page: Page) {
  await page.getByLabel('Name').first().fill('Journal')
  for (const choice of ['Topic tree', 'Content template']) {
    const list = page.getByRole('combobox', { name: choice })
    if ((await list.inputValue()) !== '') continue
    await list.click()
    await page.getByRole('option').first().click()
  }
  for (const field of await page.getByRole('group', { name: 'Values for the template' }).getByRole('textbox').all())
    if ((await field.inputValue()) === '') await field.fill('Lindhof')
  // far enough ahead that no run starts by schedule
  const day = new Date(Date.now() + 4 * DAY).toLocaleDateString('en', { weekday: 'long' })
  const days = page.getByRole('group', { name: 'Days', exact: true })
  for (const one of await days.getByRole('checkbox').all()) {
    const isChosen = (await one.getAttribute('aria-label')) === day
    if ((await one.isChecked()) !== isChosen) await one.press(' ')
  }
  await page.getByText('Ask me first').click()
}

/** Announce the article of the page on LinkedIn at once. */
async function announceOnLinkedIn(page: Page) {
  await page.getByRole('button', { name: 'Announce' }).click()
  const announcing = page.getByRole('dialog', { name: 'Announce the article' })
  await expect(announcing.getByText('The article is online at:')).toBeVisible()
  await announcing.getByRole('checkbox', { name: /LinkedIn/ }).first().check()
  await announcing.getByRole('radio', { name: 'Immediately' }).check()
  await announcing.getByRole('button', { name: 'Publish now' }).click()
  await expect(announcing).toBeHidden()
  const announcements = page.locator('.panel', { has: page.getByRole('heading', { name: 'Announcements' }) })
  await expect(announcements.getByText('Published')).toBeVisible({ timeout: 60_000 })
}

test('an assistant writes an article for a website part by part, which goes out once it is edited and approved, is changed, announced and taken down', async ({ page, context, demo }) => {
  test.setTimeout(240_000)
  expect(demo.topic_tree_id).toBeTruthy()
  const name = await connectWordPress(page)
  const site = page.url()
  await expectAccessible(page)

  // without an assistant, the website's topics and plan link to the form, with the website set
  await page.goto(`${site}/topics`)
  await expect(page.getByRole('heading', { name: 'No assistant writes for this website yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Let an assistant write' }).click()
  await expect(page.getByRole('combobox', { name: 'Website' })).toHaveValue(name)
  await expect(page.getByText('Publish to')).toBeHidden()
  await fillAssistant(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save and activate' }).click()
  await expect(page).toHaveURL(/\/assistants\/[0-9a-f-]{36}$/)
  const assistant = page.url()

  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(page.getByText(/^The article is published as soon as you approve/)).toBeVisible({ timeout: 60_000 })
  const steps = page.locator('.live .step')
  for (const step of [/^Topic: /, /^Outline written/, /^Sections written/, /^Summary written/, /^SEO texts written/, /^All checks passed/])
    await expect(steps.filter({ hasText: step }).first()).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${assistant}?tab=runs`)
  await page.getByRole('table').getByRole('link').first().click()
  const run = page.getByRole('dialog')
  await run.getByText('Section 1', { exact: true }).click()
  await expect(run.getByText('Section 2', { exact: true })).toBeVisible()
  await expectAccessible(page)

  // in the list of approvals, as readers will see it
  await page.goto('/social-media-posts?tab=approvals')
  await expect(page.getByText(/minutes? to read/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Approve:/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill(`${await title.inputValue()}, read by a person`)
  const newTitle = await title.inputValue()
  await page.getByRole('button', { name: 'Approve' }).click()
  const live = page.getByRole('link', { name: 'View live' })
  await expect(live).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('link', { name: 'Journal' })).toBeVisible()
  await expectAccessible(page)
  const shown = await context.newPage()
  await shown.goto((await live.getAttribute('href')) ?? '')
  await expect(shown.getByRole('heading', { name: newTitle }).first()).toBeVisible()

  // changed here, and on the website after confirming
  const article = page.url()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(`${newTitle} twice`)
  await expect(page.getByText(/^Saved here at .*not on the website yet$/)).toBeVisible()
  await page.getByRole('button', { name: 'Update website' }).click()
  await expect(page.getByText('Updated on the website')).toBeVisible({ timeout: 30_000 })
  await shown.reload()
  await expect(shown.getByRole('heading', { name: `${newTitle} twice` }).first()).toBeVisible()

  await announceOnLinkedIn(page)

  // the website shows its assistant, cannot be disconnected, and shows its topics
  await page.goto(site)
  await expect(page.getByText(/^Next article /)).toBeVisible()
  await expect(page.getByText(`${newTitle} twice`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(page.getByRole('dialog').getByText('“Journal” writes for this website.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /^Topics: / }).click()
  await expect(page.getByRole('treeitem').first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name })).toHaveAttribute('href', new URL(site).pathname)
  await expectAccessible(page)

  await page.goto(article)
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
  await expect(page.getByText(/Deleted on Sandbox Times/)).toBeVisible({ timeout: 30_000 })
  expect((await shown.reload())?.status()).toBe(404)
})
