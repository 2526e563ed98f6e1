import { readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import {
  appCode,
  expect,
  expectAccessible,
  expectAccessibleInBothLooks,
  freshEmail,
  languages,
  logIn,
  password,
  speak,
  test,
} from './fixtures'

async function logOut(page: Page, email: string) {
  await page.getByRole('button', { name: `Your account: ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
}

const arrived = (page: Page) => expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()

/** Log in on another device with a recovery code. */
async function elsewhere(browser: Browser, email: string, recoveryCode: string): Promise<Page> {
  const agent = 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const context = await browser.newContext({ userAgent: agent })
  const page = await context.newPage()
  await logIn(page, email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode)
  await page.getByRole('button', { name: 'Login' }).click()
  return page
}

test('two-step login: the app’s code, recovery codes once, and the end of every other session', async ({
  page,
  person,
  browser,
}) => {
  test.setTimeout(180_000)
  await page.goto('/account?tab=security')
  await page.getByRole('button', { name: 'Set up two-step login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('not the password at all')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('This is not your current password. Try again.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()

  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectAccessible(page)
  const secret = await dialog.getByRole('textbox', { name: 'Or type this secret into the app' }).inputValue()
  const wrong = appCode(secret) === '000000' ? '000001' : '000000'
  await dialog.getByRole('textbox', { name: 'Code from the app' }).fill(wrong)
  await dialog.getByRole('button', { name: 'Turn on two-step login' }).click()
  await expect(dialog.getByText(/This code is not correct/)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Code from the app' }).fill(appCode(secret))
  await dialog.getByRole('button', { name: 'Turn on two-step login' }).click()

  const codes = dialog.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [first = '', second = '', third = ''] = await codes.allTextContents()
  await expectAccessible(page)
  // shown only once: neither Escape nor a click outside closes the dialog
  await page.keyboard.press('Escape')
  await expect(codes).toHaveCount(10)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download codes' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('postloom-recovery-codes.txt')
  expect(readFileSync(await saved.path(), 'utf8')).toContain(first)
  await dialog.getByRole('button', { name: 'I have saved the codes' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('10 recovery codes left')).toBeVisible()

  await logOut(page, person.email)
  await logIn(page, person.email)
  await expect(page.getByRole('heading', { name: 'Two-step login' })).toBeVisible()
  // the code that turned two-step login on is used up; the next step's code is within the tolerance
  await page.getByRole('textbox', { name: 'Code' }).fill(appCode(secret, 1))
  await page.getByRole('button', { name: 'Login' }).click()
  await arrived(page)

  const other = await elsewhere(browser, person.email, first.toLowerCase())
  await arrived(other)
  const again = await elsewhere(browser, person.email, first)
  await expect(again.getByText(/This code is not correct/)).toBeVisible()
  await again.getByRole('textbox', { name: 'Recovery code' }).fill(second)
  await again.getByRole('button', { name: 'Login' }).click()
  await arrived(again)

  await page.goto('/account?tab=security')
  await expect(page.getByText('8 recovery codes left')).toBeVisible()
  const devices = page.getByRole('listitem').filter({ hasText: 'Last used' })
  await expect(devices.first()).toContainText('Chrome on Linux')
  await expect(devices.first()).toContainText('This device')
  const others = page.getByRole('button', { name: 'Log out Firefox on Linux' })
  await expect(others).toHaveCount(2)
  await others.first().click()
  await expect(others).toHaveCount(1)
  await page.getByRole('button', { name: 'Log out all other devices' }).click()
  await expect(page.getByText('No other devices are logged in.')).toBeVisible()
  for (const ended of [other, again]) {
    await ended.goto('/topics')
    await expect(ended).toHaveURL(/\/signin/)
    await ended.context().close()
  }
  await page.reload()
  await expect(page.getByText('No other devices are logged in.')).toBeVisible()

  await page.getByRole('button', { name: 'Turn off two-step login' }).click()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(third)
  await dialog.getByRole('button', { name: 'Turn off two-step login' }).click()
  await expect(page.getByRole('button', { name: 'Set up two-step login' })).toBeVisible()
})

test('an API key is shown once, works, and is refused after it was revoked', async ({ page, person, request }) => {
  expect(person.token).toBeTruthy()
  await page.goto('/account?tab=api-keys&new')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Weekly report')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByLabel('Key for Weekly report').inputValue()
  await expect(dialog.getByText(`Authorization: Bearer ${key}`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/account?tab=api-keys')

  const headers = { Authorization: `Bearer ${key}` }
  expect((await request.get('/api/topics/', { headers })).status()).toBe(200)
  expect((await request.patch('/api/users/me/', { headers, data: { display_name: 'Somebody' } })).status()).toBe(403)
  await page.reload()
  await expect(page.getByRole('row', { name: /Weekly report/ })).not.toContainText('Never')
  await page.getByRole('button', { name: 'Revoke Weekly report' }).click()
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  expect((await request.get('/api/topics/', { headers })).status()).toBe(401)
})

test('the profile, a new password and a mistyped address say what happened', async ({ page, person }) => {
  await page.goto('/account?tab=profile')
  await page.getByLabel(/Display name/).fill('Mara Lind')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel(/Display name/)).toHaveValue('Mara Lind')

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Change email' }).click()
  await dialog.getByLabel('New email').fill(person.email)
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog.getByText('This is already your email. Enter another one.')).toBeVisible()
  const next = freshEmail()
  await dialog.getByLabel('New email').fill(next)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(`We have sent a link to ${next}.`)).toBeVisible()

  await page.goto('/account?tab=security')
  await page.getByRole('textbox', { name: 'Current password' }).fill(password)
  await page.getByRole('textbox', { name: 'New password' }).fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText(/At least 10 characters\. A sentence works well\./).nth(1)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'New password' })).toBeFocused()
  await page.getByRole('textbox', { name: 'New password' }).fill('weft under warp over weft')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
})

test('an invitation is made, sent, shown and revoked', async ({ page, person }) => {
  expect(person.token).toBeTruthy()
  await page.goto('/invitations')
  await expect(page.getByRole('heading', { name: 'No invitations yet' })).toBeVisible()
  await page.getByRole('link', { name: 'New invitation' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Email/).fill('not an address')
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await expect(dialog.getByText(/This is not a valid email address/)).toBeVisible()
  const email = freshEmail()
  await dialog.getByLabel(/Email/).fill(email)
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  const code = await dialog.getByRole('textbox', { name: 'Code' }).inputValue()
  expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/)
  await expect(dialog.getByLabel('Sign-up link')).toHaveValue(new RegExp(`/signup#code=${code}`))
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await expect(page.getByText('1 of 10 open')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('Open, 14 days left')
  await page.getByLabel('Search email addresses').fill('nobody@example.net')
  await expect(page.getByText('No invitation matches “nobody@example.net”.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row.getByRole('button', { name: `More actions for ${code}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke invitation' }).click()
  await expect(row).toContainText('Revoked')
  await expect(page.getByText('0 of 10 open')).toBeVisible()
})

test('what is stored can be taken along, and the account goes for good', async ({ page, person, request }) => {
  await page.goto('/account?tab=data')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export data' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^postloom.*\.zip$/)
  expect(readFileSync(await saved.path()).subarray(0, 2).toString()).toBe('PK')
  await expect(page.getByText(`Saved as ${saved.suggestedFilename()}`)).toBeVisible()

  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByLabel(/to confirm/).fill('somebody@else.example')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByText(`This is not ${person.email}`)).toBeVisible()
  await dialog.getByLabel(/to confirm/).fill(person.email)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Your account was deleted.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  const headers = { Authorization: `Bearer ${person.token}` }
  expect((await request.get('/api/users/me/', { headers })).status()).toBe(401)
})

test('everybody can use the account and the invitations', async ({ page, api }) => {
  test.setTimeout(240_000)
  await api('post', '/users/me/api-keys/', { current_password: password, name: 'Weekly report', scope: 'write' })
  await api('post', '/invitations/', { email: null, send: false })
  const paths = [
    '/account',
    '/account?tab=profile',
    '/account?tab=security',
    '/account?tab=api-keys',
    '/account?tab=api-keys&new',
    '/account?tab=data',
    '/invitations',
    '/invitations?new',
  ]
  for (const language of languages) {
    await api('patch', '/users/me/', { language })
    await speak(page, language)
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible()
      if (path.endsWith('new')) await expect(page.getByRole('dialog')).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expectAccessibleInBothLooks(page, language)
    }
  }
  await page.setViewportSize({ width: 360, height: 720 })
  for (const path of paths) {
    await page.goto(path)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360)
  }
})
