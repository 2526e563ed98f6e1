import { connectLinkedIn, countClicks, expect, expectAccessible, freshEmail, invitationCode, mailedLink, password, test } from './fixtures'

test('a newcomer writes a post by hand and publishes it, in thirteen clicks and three minutes', async ({ page, request }) => {
  test.setTimeout(180_000)
  const email = freshEmail()
  await page.goto('/')
  const began = Date.now()
  const clicks = await countClicks(page)
  await page.getByRole('link', { name: 'Sign Up' }).first().click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByLabel('Invitation code').fill(invitationCode())
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/email-verification/)
  await page.goto(await mailedLink(request, email, '/verify-email'))
  await page.getByRole('button', { name: 'Verify email' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.getByRole('link', { name: 'Connect an account' }).first().click()
  await connectLinkedIn(page, 'Mara Lind')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Posts' }).click()
  await page.getByRole('link', { name: 'New post' }).first().click()
  await page.getByRole('textbox', { name: 'Text for all channels' }).fill('Rain is no reason to drive. #bikes')
  await expect(page.getByText('All rules met')).toBeVisible()
  await page.getByRole('button', { name: 'Publish now' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByRole('link', { name: 'View on LinkedIn' })).toBeVisible({ timeout: 90_000 })
  // and one click on the page of the mail's link: a visit alone verifies nothing
  expect(clicks() + 1).toBeLessThanOrEqual(13)
  expect(Date.now() - began).toBeLessThan(3 * 60_000)
})

test('a post for two accounts has a text of its own for one, is planned, changed, and copied', async ({ person, api, page }) => {
  test.setTimeout(180_000)
  expect(person.token).toBeTruthy()
  await page.goto('/account')
  await connectLinkedIn(page, 'Mara Lind')
  await page.goto('/account')
  await connectLinkedIn(page, 'Jonas Weber')

  await page.goto('/social-media-posts?compose=new')
  await page.getByRole('button', { name: 'Add account' }).click()
  await page.getByRole('menuitem', { name: 'All accounts' }).click()
  await page.getByRole('textbox', { name: 'Text for all channels' }).fill('Studded tyres are in.')
  await page.getByRole('button', { name: 'Custom text' }).click()
  await page.getByRole('menuitem', { name: /Jonas/ }).click()
  await page.getByRole('textbox', { name: /Custom text for Jonas/ }).fill('Come in, I fit them while you wait.')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText('Come in, I fit them while you wait.')).toBeVisible()
  await expect(preview.getByText('Studded tyres are in.')).toBeVisible()
  await expectAccessible(page)

  // saved automatically: a reload loses nothing
  await expect(page.getByText(/^Draft saved at/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Text for all channels' })).toHaveValue('Studded tyres are in.')

  const soon = new Date(Date.now() + 2 * 24 * 60 * 60_000)
  await page.getByLabel(/Date and time/).fill(soon.toISOString().slice(0, 16))
  await page.getByRole('button', { name: 'Schedule' }).first().click()
  await expect(page.getByText(/^Scheduled for .+\.$/)).toBeVisible()
  await expect(page).toHaveURL(/\/social-media-posts\/[0-9a-f-]{36}$/)

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text for all channels' }).fill('Studded tyres are in, 40 pairs.')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByText('Studded tyres are in, 40 pairs.').first()).toBeVisible()
  const { items } = (await api('get', '/social-media-posts/')) as {
    items: { status: string; content: string; deliveries: { state: string; content: string | null }[] }[]
  }
  expect(items[0]).toMatchObject({ status: 'complete', content: 'Studded tyres are in, 40 pairs.' })
  expect(items[0]?.deliveries.map(({ state }) => state)).toEqual(['pending', 'pending'])
  expect(items[0]?.deliveries.map(({ content }) => content).sort()).toEqual(['Come in, I fit them while you wait.', null].sort())

  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page.getByRole('textbox', { name: 'Text for all channels' })).toHaveValue('Studded tyres are in, 40 pairs.')
  await expect(page.getByText('Draft', { exact: true }).first()).toBeVisible()
})
