import { expect, mailedLink, test } from './fixtures'

test('a post is asked about by mail, approved as it was shown, moved, and goes out', async ({ person, api, assistant, page, request }) => {
  test.setTimeout(240_000)
  const asking = await assistant({ name: 'Asks first', mode: 'draft', time: new Date(Date.now() + 30 * 60_000) })

  // set it to ask for approval, with enough lead time
  await page.goto(`/assistants/${asking.id}?tab=configuration`)
  await page.getByText('Ask me first').click()
  await expect(page.getByRole('textbox', { name: 'Lead time' })).toHaveValue('1440')
  await page.getByRole('button', { name: 'Save assistant' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).or(page.getByRole('link', { name: 'Overview' })).first().click()
  await page.getByRole('button', { name: 'Activate' }).first().click()

  // the live page shows the approval, the mail links to the post
  await expect(page.getByText(/is waiting for your approval until/)).toBeVisible({ timeout: 45_000 })
  const { items: posts } = (await api('get', `/social-media-posts/?assistant_id=${asking.id}`)) as { items: { id: string }[] }
  await page.goto(await mailedLink(request, person.email, `/social-media-posts/${posts[0]?.id}`))
  await page.getByRole('button', { name: /^Approve/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Approved' })).toBeVisible()
  await page.getByRole('link', { name: 'Open in Postloom' }).click()
  await expect(page.getByText(/^Approved by you at/)).toBeVisible()

  // the post waits for its slot, and is moved to an earlier one
  await page.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog')
  // the field takes whole minutes: late enough for a slow machine to respond before
  const soon = new Date(Math.ceil((Date.now() + 30_000) / 60_000) * 60_000)
  await expect(dialog.getByText('In UTC')).toBeVisible() // the account's zone
  await dialog.getByLabel(/Date and time/).fill(soon.toISOString().slice(0, 16))
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByText(/^Moved. Will be published/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'View on LinkedIn' })).toBeVisible({ timeout: 120_000 })
  await expect(page.getByText('Published').first()).toBeVisible()

  await page.goto(`/assistants/${asking.id}?tab=runs`)
  await expect(page.getByText('Published').first()).toBeVisible()
})
