import { expect, mailedLink, test } from './fixtures'

interface Assistant {
  id: string
  name: string
  version: number
  accounts: { id: string }[]
  template: { version_id: string } | null
  image_template: { version_id: string } | null
  [field: string]: unknown
}

test('a post is asked about by mail, approved as it was shown, moved, and goes out', async ({ person, api, page, request }) => {
  test.setTimeout(240_000)
  await api('post', '/users/me/demo-data/')
  const { items } = (await api('get', '/assistants/')) as { items: Assistant[] }
  const demo = items.find(({ accounts }) => accounts.length > 0)
  if (!demo) throw new Error('the demo data has no assistant with an account')
  const slot = new Date(Date.now() + 30 * 60_000)
  const asking = (await api('post', '/assistants/', {
    name: 'Asks first',
    topic_tree_id: demo.topic_tree_id,
    template_version_id: demo.template?.version_id,
    variables: demo.variables,
    account_ids: demo.accounts.map(({ id }) => id),
    language: 'en',
    mode: 'draft',
    schedule: { frequency: 'daily', time_zone: 'UTC', time_slots: [slot.toISOString().slice(11, 16)] },
  })) as Assistant

  // it is told to ask, and prepares far enough ahead for that
  await page.goto(`/assistants/${asking.id}?tab=configuration`)
  await page.getByText('Ask me first').click()
  await expect(page.getByRole('textbox', { name: 'Prepare ahead' })).toHaveValue('1440')
  await page.getByRole('button', { name: 'Save assistant' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).or(page.getByRole('link', { name: 'Overview' })).first().click()
  await page.getByRole('button', { name: 'Activate' }).first().click()

  // the live page says what it waits for, the mail leads to the post
  await expect(page.getByText(/waits for your approval until/)).toBeVisible({ timeout: 45_000 })
  const { items: posts } = (await api('get', `/social-media-posts/?assistant_id=${asking.id}`)) as { items: { id: string }[] }
  await page.goto(await mailedLink(request, person.email, `/social-media-posts/${posts[0]?.id}`))
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Approved' })).toBeVisible()
  await page.getByRole('link', { name: 'Open the post' }).click()
  await expect(page.getByText(/^You approved it at/)).toBeVisible()

  // it waits for its time, and is moved to a nearer one
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog')
  // minutes are what the field takes: far enough that a slow machine has answered before it has passed
  const soon = new Date(Math.ceil((Date.now() + 30_000) / 60_000) * 60_000)
  await expect(dialog.getByText('In UTC')).toBeVisible() // as the account was made
  await dialog.getByLabel(/Date and time/).fill(soon.toISOString().slice(0, 16))
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByText(/^Moved. It goes out/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'View on LinkedIn' })).toBeVisible({ timeout: 120_000 })
  await expect(page.getByText('Published').first()).toBeVisible()

  await page.goto(`/assistants/${asking.id}?tab=runs`)
  await expect(page.getByText('Published').first()).toBeVisible()
})
