import { countClicks, expect, freshEmail, invitationCode, mailedLink, password, test } from './fixtures'

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
  await page.getByRole('button', { name: 'Verify email' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()

  // a template whose variables are filled by themselves
  const headers = { Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` }
  const market = await request.get('/api/marketplace/?type=text&language=en&sort=popular', { headers })
  const { items } = (await market.json()) as { items: { name: string; variables: string[] }[] }
  const plain = items.find(({ variables }) => variables.every((name) => /^(Topic|Channel|Language|Date|Brand Voice)/.test(name)))
  if (!plain) throw new Error('the first page of the marketplace has no template without variables')

  // from the dashboard to an active assistant: each step links to the next
  await page.goto('/')

  // the demo data that the empty dashboard offers, and its removal
  await page.getByRole('button', { name: 'Add demo data' }).click()
  await page.getByRole('button', { name: 'Remove demo data' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove demo data' }).click()
  await expect(page.getByRole('button', { name: 'Add demo data' })).toBeVisible()

  const clicks = await countClicks(page)
  await page.getByRole('link', { name: 'Connect an account' }).first().click()
  await page.getByRole('button', { name: /^LinkedIn(?! Pages)/ }).click()
  await page.waitForURL(/oauth\/v2\/authorization/)
  await page.getByText('Mara Lind').first().click()
  await page.getByRole('button', { name: /Allow|Zulassen|Erlauben/ }).click()
  await expect(page.getByRole('heading', { name: 'LinkedIn is connected' })).toBeVisible()

  await page.getByRole('link', { name: 'Choose a template' }).click()
  await page.getByRole('list', { name: 'Marketplace' }).getByRole('link', { name: plain.name }).click()
  await page.getByRole('button', { name: 'Copy to my templates' }).click()

  await page.getByRole('link', { name: 'Create a topic tree' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import topics' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Commuting')
  await dialog.getByRole('textbox', { name: 'Lines' }).click()
  await dialog.getByRole('textbox', { name: 'Lines' }).fill('- Commuting\n-- Weather\n---- Rain without drama')
  await expect(dialog.getByText('Line 3: the depth jumps from 2 to 4.').first()).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Lines' }).fill('- Commuting\n-- Weather\n--- Rain without drama')
  await dialog.getByRole('button', { name: 'Import 3 topics' }).click()
  await expect(page.getByRole('treeitem', { name: /Rain without drama/ })).toBeVisible()

  await page.getByRole('link', { name: 'Create an assistant' }).click()
  await expect(page.getByLabel('Name').first()).toHaveValue('Commuting')
  await page.getByText('Publish automatically').click()
  await page.getByRole('button', { name: 'Save and activate' }).click()
  await expect(page).toHaveURL(/\/assistants\/[0-9a-f-]{36}$/)
  await expect(page.getByText('Active', { exact: true }).first()).toBeVisible()
  expect(clicks()).toBe(13)

  // a slot soon, instead of Monday morning
  await page.getByRole('tab', { name: 'Configuration' }).or(page.getByRole('link', { name: 'Configuration' })).click()
  await page.getByText('Advanced CRON').click()
  await page.getByLabel('CRON expression').fill('* * * *')
  await expect(page.getByText(/five fields/i).first()).toBeVisible()
  await page.getByLabel('CRON expression').fill('* * * * *')
  await page.getByLabel(/Lead time/).fill('1')
  await page.getByRole('button', { name: 'Save assistant' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  // without another click: the slot comes, and the post is on the network
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
