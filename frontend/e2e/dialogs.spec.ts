import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessibleInBothLooks, speak, test } from './fixtures'

/** Open a dialog by keyboard, check it, and close it by keyboard: the focus returns. */
async function judge(page: Page, opener: Locator, key = 'Enter') {
  await opener.focus()
  await page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await expectAccessibleInBothLooks(page, 'en', '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
}

test('everybody can use the pages of posts and what opens on them, by keys alone', async ({ api, assistant, demo, page }) => {
  test.setTimeout(240_000)
  const asking = await assistant({ name: 'Asks first', mode: 'approval', time: new Date(Date.now() + 90 * 60_000), lead_minutes: 1440 })
  await api('post', `/assistants/${asking.id}/activate/`)
  const written = ['Mudguards are not vain.', 'Lights are not optional.'].map((content) => ({ id: crypto.randomUUID(), content }))
  for (const one of written) {
    const post = { ...one, account_ids: demo.accounts.map(({ id }) => id), time_zone: 'UTC', language: 'en' }
    const { version } = (await api('post', '/social-media-posts/', post)) as { version: number }
    const planned_at = new Date(Date.now() + 2 * 24 * 60 * 60_000).toISOString()
    await api('post', `/social-media-posts/${one.id}/publish/`, { version, planned_at })
  }
  await expect(async () => {
    const asked = (await api('get', '/approvals/')) as { items: unknown[] }
    expect(asked.items).toHaveLength(1)
  }).toPass({ timeout: 60_000 })

  await speak(page, 'en')
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()

  // an approval waits, on the dashboard and in the list of approvals
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Review and decide' })).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await judge(page, button(/^Notifications/))
  await page.goto('/social-media-posts?tab=approvals')
  await expect(button(/^Approve: /)).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await judge(page, button(/^Rewrite: /))
  await button(/^Decline: /).press('Enter')
  await expect(page.getByRole('textbox', { name: /^Reason/ })).toBeFocused()
  await expectAccessibleInBothLooks(page, 'en', '.inbox-card')

  // the list, with rows and bulk actions
  await page.goto('/social-media-posts')
  await expect(page.getByRole('link', { name: 'Mudguards are not vain.' })).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await judge(page, button('Filters'))
  await page.getByRole('checkbox', { name: /Mudguards/ }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(/selected/).first()).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await page.keyboard.press('Escape')
  await page.goto('/social-media-posts?import=csv')
  await page.locator('input[type=file]').setInputFiles({
    name: 'posts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('content,planned_at,accounts\nsch\xf6n,,\nGood.,3/5/2126,\n,yesterday,Nobody\n', 'latin1'),
  })
  await expect(page.getByText('Line 4')).toBeVisible()
  await page.getByText('Columns', { exact: true }).click()
  await expectAccessibleInBothLooks(page, 'en', '[role=dialog]')

  // one post, and the questions before its actions
  await page.goto(`/social-media-posts/${written[0]?.id}`)
  await expect(button('Move')).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  for (const name of ['Move', 'Do not publish', 'Delete']) await judge(page, button(name))

  // the calendar: a future slot, a scheduled post, and the address for other programs
  await page.goto('/calendar?view=agenda')
  const post = page.getByRole('link', { name: 'Mudguards are not vain.' })
  await expect(post).toBeVisible()
  await judge(page, page.locator('button.cev-open').first())
  await judge(page, post, 'm')
  await judge(page, button('Subscribe'))

  // the composer, with its images and the question before it publishes
  await page.goto('/social-media-posts?compose=new')
  await button('Add account').press('Enter')
  await page.getByRole('menuitem', { name: 'All accounts' }).press('Enter')
  await page.getByRole('textbox', { name: 'Text for all channels' }).fill('Rain is no reason to drive. #bikes')
  await expect(page.getByText('All rules met').first()).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await judge(page, button('Choose files'))
  await judge(page, button('Publish now'))
})
