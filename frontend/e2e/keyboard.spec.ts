import type { Locator, Page } from '@playwright/test'
import { expect, freshEmail, invitationCode, logIn, mailedLink, password, test } from './fixtures'

/** Moves on with the Tab key until it is there: whoever has no mouse gets there too. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let steps = 0; steps < 80; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target, 'reached by the Tab key').toBeFocused()
}

async function jump(page: Page, to: string) {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(to)
  await expect(page.getByRole('option', { name: to }).first()).toBeVisible()
  await page.keyboard.press('Enter')
}

test('sign-in, account and invitations by the keyboard alone', async ({ person, page, request, browser }) => {
  test.setTimeout(120_000)
  const context = await browser.newContext({ locale: 'en-US' })
  const own = await context.newPage()
  await own.goto('/')
  await tabTo(own, own.getByRole('link', { name: 'Login' }).first())
  await own.keyboard.press('Enter')
  await tabTo(own, own.getByLabel('Email'))
  await own.keyboard.type(person.email)
  await tabTo(own, own.getByRole('textbox', { name: 'Password' }))
  await own.keyboard.type(password)
  await own.keyboard.press('Enter')
  await expect(own.getByRole('navigation', { name: 'Main' })).toBeVisible()

  await jump(own, 'Security')
  const setUp = own.getByRole('button', { name: 'Set up two-step login' })
  await tabTo(own, setUp)
  await own.keyboard.press('Enter')
  const dialog = own.getByRole('dialog')
  await tabTo(own, dialog.getByRole('textbox', { name: 'Your password' }))
  await own.keyboard.type(password)
  await own.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await own.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(setUp).toBeFocused()

  await jump(own, 'Invitations')
  await tabTo(own, own.getByRole('link', { name: 'New invitation' }).first())
  await own.keyboard.press('Enter')
  const guest = freshEmail()
  await tabTo(own, dialog.getByLabel('Email'))
  await own.keyboard.type(guest)
  const send = dialog.getByRole('checkbox', { name: 'Send it there by mail' })
  await tabTo(own, send)
  await own.keyboard.press('Space')
  await expect(send).not.toBeChecked()
  await own.keyboard.press('Space')
  await expect(send).toBeChecked()
  await tabTo(own, dialog.getByRole('button', { name: 'Create invitation' }))
  await own.keyboard.press('Enter')
  await expect(own.getByText(guest).first()).toBeVisible()
  expect(await mailedLink(request, guest, '/signup')).toContain('code=')
  await context.close()

  // the page of the fixture, signed in at another place, shows it as well
  await page.goto('/invitations')
  await expect(page.getByText(guest).first()).toBeVisible()
})

test('a visitor signs up and asks for a new password by the keyboard alone', async ({ page, request }) => {
  const email = freshEmail()
  await page.goto(`/signup#code=${invitationCode()}&email=${email}`)
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(password)
  await tabTo(page, page.getByRole('checkbox'))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('button', { name: 'Create account' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/email-verification')
  await tabTo(page, page.getByRole('button', { name: 'Log out' }).first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')

  await page.goto('/signin')
  await tabTo(page, page.getByRole('link', { name: 'Forgot your password?' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`If ${email} belongs to an account here`)).toBeVisible()
  await page.goto(await mailedLink(request, email, '/signin'))
  await tabTo(page, page.getByRole('textbox', { name: 'New password' }))
  await page.keyboard.type('a new weft over old warp')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The new password is saved. Log in with it.')).toBeVisible()
})

test('profile, API keys, other devices, own data and the end of the account by the keyboard alone', async ({
  person,
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  await page.goto('/account?tab=profile')
  await tabTo(page, page.getByLabel(/Display name/))
  await page.keyboard.type('Mara')
  await tabTo(page, page.getByRole('button', { name: 'Save profile' }).or(page.getByRole('button', { name: /^Save/ })).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Save/ })).toBeHidden()
  await tabTo(page, page.getByRole('link', { name: 'API keys' }).or(page.getByRole('tab', { name: 'API keys' })))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('link', { name: 'New API key' }).first())
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByLabel('Name'))
  await page.keyboard.type('nightly')
  await tabTo(page, dialog.getByRole('textbox', { name: 'Your password' }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: /Copy/ }).first()).toBeVisible()
  await tabTo(page, dialog.getByRole('button', { name: /kept|Done/ }).last())
  await page.keyboard.press('Enter')
  await expect(page.getByText('nightly').first()).toBeVisible()
  const elsewhere = await browser.newContext({ locale: 'en-US' })
  const other = await elsewhere.newPage()
  await logIn(other, person.email)
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.goto('/account?tab=security')
  await tabTo(page, page.getByRole('button', { name: 'Log out all other devices' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('You are logged in nowhere else.')).toBeVisible()
  await elsewhere.close()

  await page.goto('/account?tab=data')
  const download = page.waitForEvent('download')
  await tabTo(page, page.getByRole('button', { name: 'Export data' }))
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^postloom.*\.zip$/)

  const leave = page.getByRole('button', { name: 'Delete account' })
  await tabTo(page, leave)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(leave).toBeFocused()
})
