import type { Page } from '@playwright/test'
import { expect, expectAccessibleInBothLooks, speak, test } from './fixtures'

interface Assistant {
  id: string
  topic_tree_id: string
  variables: Record<string, string>
  accounts: { id: string }[]
  template: { version_id: string } | null
}

/** Opened by keys, judged, and closed by one: the focus is back where it was. */
async function judge(page: Page, opener: ReturnType<Page['locator']>, key = 'Enter') {
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

test('everybody can use what opens on the pages of posts, by keys alone', async ({ api, page }) => {
  test.setTimeout(240_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await speak(page, 'en')
  await api('post', '/users/me/demo-data/')
  const { items } = (await api('get', '/assistants/')) as { items: Assistant[] }
  const demo = items.find(({ accounts }) => accounts.length > 0)
  if (!demo) throw new Error('the demo data has no assistant with an account')
  for (const { id } of items) await api('post', `/assistants/${id}/deactivate/?prepared=cancel`)
  const slot = new Date(Date.now() + 90 * 60_000)
  const asking = (await api('post', '/assistants/', {
    name: 'Asks first',
    topic_tree_id: demo.topic_tree_id,
    template_version_id: demo.template?.version_id,
    variables: demo.variables,
    account_ids: demo.accounts.map(({ id }) => id),
    language: 'en',
    mode: 'approval',
    lead_minutes: 1440,
    schedule: { frequency: 'daily', time_zone: 'UTC', time_slots: [slot.toISOString().slice(11, 16)] },
  })) as Assistant
  await api('post', `/assistants/${asking.id}/activate/`)
  for (const content of ['Mudguards are not vain.', 'Lights are not optional.']) {
    const id = crypto.randomUUID()
    const written = { id, content, account_ids: demo.accounts.map((one) => one.id), time_zone: 'UTC', language: 'en' }
    const { version } = (await api('post', '/social-media-posts/', written)) as { version: number }
    const planned_at = new Date(Date.now() + 2 * 24 * 60 * 60_000).toISOString()
    await api('post', `/social-media-posts/${id}/publish/`, { version, planned_at })
  }
  await expect(async () => {
    const asked = (await api('get', '/approvals/')) as { items: unknown[] }
    expect(asked.items).toHaveLength(1)
  }).toPass({ timeout: 60_000 })

  // something waits, on the dashboard and among the approvals
  await page.goto('/')
  await expect(page.getByRole('link', { name: /Look and decide/ })).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await page.goto('/social-media-posts?tab=approvals')
  await expect(page.getByRole('button', { name: /^Approve/ }).first()).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')

  // the list, with rows and what is done to several of them
  await page.goto('/social-media-posts')
  await expect(page.getByRole('link', { name: 'Mudguards are not vain.' })).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await judge(page, page.getByRole('button', { name: 'Filters' }))
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
    buffer: Buffer.from('content,planned_at,accounts\nGood.,,\n,yesterday,Nobody\n'),
  })
  await expect(page.getByText('Line 3')).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en', '[role=dialog]')

  // the calendar: a slot to come, a post on its way, and the address for other programs
  await page.goto('/calendar?view=agenda')
  const post = page.getByRole('link', { name: 'Mudguards are not vain.' })
  await expect(post).toBeVisible()
  await judge(page, page.locator('button.cev-open').first())
  await judge(page, post, 'm')
  await judge(page, page.getByRole('button', { name: 'Subscribe' }))

  // the composer, with the question before it publishes
  await page.goto('/social-media-posts?compose=new')
  await page.getByRole('button', { name: 'Add account' }).press('Enter')
  await page.getByRole('menuitem', { name: 'All accounts' }).press('Enter')
  await page.getByRole('textbox', { name: 'Text for all channels' }).fill('Rain is no reason to drive. #bikes')
  await expect(page.getByText('All rules met').first()).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en')
  await judge(page, page.getByRole('button', { name: 'Publish now' }).first())
})
