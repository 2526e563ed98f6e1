import { expect, freshEmail, invitationCode, mailedLink, password, test } from './fixtures'

test('a newcomer gets from an invitation to a post on the network', async ({ page, request }) => {
  test.setTimeout(240_000)
  const email = freshEmail()

  await page.goto('/')
  await page.getByRole('link', { name: 'Sign Up' }).first().click()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByLabel('Invitation code').fill(invitationCode())
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/email-verification/)
  await page.goto(await mailedLink(request, email, '/verify-email'))
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()

  await page.goto('/account')
  await page.getByRole('button', { name: /LinkedIn/ }).click()
  await page.waitForURL(/oauth\/v2\/authorization/)
  await page.getByText('Mara Lind').first().click()
  await page.getByRole('button', { name: /Allow|Zulassen|Erlauben/ }).click()
  await expect(page.getByRole('heading', { name: 'LinkedIn is connected' })).toBeVisible()

  await page.goto('/templates?new')
  await page.getByLabel('Name').first().fill('Practical tip')
  await page.getByRole('textbox', { name: 'Template', exact: true }).fill('Write a short post about ((Topic)) for people who ride to work.')
  await expect(page.getByText('An assistant can use this template.')).toBeVisible()
  await page.getByRole('button', { name: /Save/ }).click()
  await expect(page).toHaveURL(/\/templates\/[0-9a-f-]{36}/)

  await page.goto('/topics')
  await page.getByRole('button', { name: 'Import topics' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Commuting')
  await dialog.getByRole('textbox', { name: 'Lines' }).fill('- Commuting\n-- Weather\n---- Rain without drama')
  await expect(dialog.getByText('Line 3: the depth jumps from 2 to 4.').first()).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Lines' }).fill('- Commuting\n-- Weather\n--- Rain without drama')
  await dialog.getByRole('button', { name: 'Import 3 topics' }).click()
  await expect(page.getByRole('treeitem', { name: /Rain without drama/ })).toBeVisible()

  await page.goto('/assistants?new')
  await page.getByLabel('Name').first().fill('Commuter tips')
  await page.getByRole('combobox', { name: 'Topic tree' }).or(page.getByRole('textbox', { name: 'Topic tree' })).click()
  await page.getByRole('option', { name: /Commuting/ }).click()
  await page
    .getByRole('combobox', { name: 'Content template' })
    .or(page.getByRole('textbox', { name: 'Content template' }))
    .click()
  await page.getByRole('option', { name: /Practical tip/ }).click()
  await page.getByText('Advanced CRON', { exact: true }).click()
  await page.getByLabel('CRON expression').fill('* * * *')
  await expect(page.getByText(/five fields/i).first()).toBeVisible()
  await page.getByLabel('CRON expression').fill('* * * * *')
  await page.getByLabel(/Prepare ahead/).fill('1')
  await page.getByText('Mara Lind').click()
  await page.getByText('Publish automatically').click()
  await page.getByRole('button', { name: 'Save assistant' }).click()
  await expect(page).toHaveURL(/\/assistants\/[0-9a-f-]{36}/)
  await page.getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText('Active', { exact: true }).first()).toBeVisible()

  // from here on nobody clicks: the slot comes, and the post is on the network
  await page.goto('/social-media-posts?status=published')
  const row = page.getByRole('link', { name: /Rain without drama/ }).first()
  await expect(row).toBeVisible({ timeout: 150_000 })
  await row.click()
  const [network] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'View on LinkedIn' }).first().click(),
  ])
  await expect(network.getByText(/Rain without drama/).first()).toBeVisible()
})
