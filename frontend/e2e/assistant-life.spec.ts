import { clockChangeInBerlin, DAY, dayOf } from './days'
import { expect, refusePosts, test } from './fixtures'

interface Assistant {
  id: string
  name: string
  accounts: { id: string }[]
}

const inBerlin = (moment: number) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' }).format(moment)

test('an assistant is built, tried, let loose, paused, edited while it sleeps, and says why a post failed', async ({ person, api, page, request }) => {
  test.setTimeout(240_000)
  expect(person.token).toBeTruthy()
  // prerequisites: a connected account, templates, a topic tree
  await api('post', '/users/me/demo-data/')
  const { items } = (await api('get', '/assistants/')) as { items: Assistant[] }
  for (const { id } of items) await api('post', `/assistants/${id}/deactivate/`)

  // created in the form, with a preview of the night of a clock change
  await page.goto('/assistants?new')
  await page.getByLabel('Name').first().fill('Night rides')
  await page.getByRole('combobox', { name: 'Topic tree' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('combobox', { name: 'Content template' }).click()
  await page.getByRole('option', { name: /Practical tip/ }).click()
  await page.getByText('Daily', { exact: true }).click()
  await page.getByLabel('New time').fill('02:30')
  await page.getByRole('button', { name: 'Add time' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
  await page.getByRole('option', { name: /Berlin/ }).first().click()
  await page.getByLabel('First day (optional)').fill(dayOf(new Date(clockChangeInBerlin(2).getTime() - DAY)))
  const change = page.getByRole('button', { name: /UTC\+1/ })
  await expect(change.first()).toBeVisible()
  await expect(page.locator('.occ li').filter({ has: change.first() })).toContainText('03:30') // forward by the gap
  await page.getByLabel('First day (optional)').fill('')
  // at any time of day no slot is soon: its post would be prepared already
  const [sooner = '', later = ''] = [8, 10].map((hours) => inBerlin(Date.now() + hours * 3_600_000))
  for (const time of [sooner, later]) {
    await page.getByLabel('New time').fill(time)
    await page.getByRole('button', { name: 'Add time' }).click()
  }
  for (const time of ['02:30', '09:00'].filter((time) => ![sooner, later].includes(time))) await page.getByRole('button', { name: `Remove ${time}` }).click()
  await page.getByText('Mara Lind').first().click()
  await page.getByText('Publish automatically').click()
  // identifies its posts at the network among those of other tests
  const link = `https://night.example/${crypto.randomUUID()}`
  await page.getByText('Hashtags and link', { exact: true }).click()
  await page.getByLabel(/^Link below the text/).fill(link)

  // a sample post before anything is saved
  await page.getByRole('button', { name: 'Show a sample post' }).click()
  const dryRun = page.getByRole('dialog')
  await expect(dryRun.getByRole('article').first()).toBeVisible({ timeout: 60_000 })
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Save and activate' }).click()
  await expect(page).toHaveURL(/\/assistants\/[0-9a-f-]{36}$/)
  const head = page.locator('.live-head h2')
  await expect(head).toHaveText(/^Next post/)

  // paused until tomorrow, resumed, the next one skipped
  await page.getByRole('button', { name: 'Pause Night rides' }).click()
  await page.getByRole('menuitem', { name: /^Until tomorrow/ }).click()
  // tomorrow in the assistant's zone, which may be a day later than in the browser's
  await expect(head).toHaveText(/^Paused until (tomorrow|\w+day) at /)
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(head).toHaveText(/^Next post/)
  await page.getByRole('button', { name: 'Skip next' }).click()
  await expect(page.locator('.occ li').first()).toContainText('skipped')

  // edited while it sleeps: its plan changes at once
  await page.getByRole('tab', { name: 'Configuration' }).or(page.getByRole('link', { name: 'Configuration' })).click()
  await page.getByRole('button', { name: `Remove ${sooner}` }).click()
  await page.getByRole('button', { name: 'Save assistant' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).or(page.getByRole('link', { name: 'Overview' })).first().click()
  await expect(page.locator('.occ li').first()).not.toContainText(sooner)

  // a run now, refused by the network: the page shows the reason and what to do
  await refusePosts(request, link, 1)
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /publish/ }).click()
  await expect(page.locator('.rows li').filter({ hasText: 'Failed' }).first()).toBeVisible({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Open post' }).first().click()
  await expect(page.getByText(/Answer from LinkedIn:/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('link', { name: 'View on LinkedIn' })).toBeVisible({ timeout: 60_000 })
})
