import type { Locator, Page } from '@playwright/test'
import { expect, freshEmail, mailedLink, password, test } from './fixtures'

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
  await expect(page.getByRole('dialog')).toBeVisible()
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
  await tabTo(own, own.getByLabel('E-mail'))
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
  await tabTo(own, dialog.getByLabel('E-mail'))
  await own.keyboard.type(guest)
  const send = dialog.getByRole('checkbox', { name: 'Send it there by mail' })
  await tabTo(own, send)
  await own.keyboard.press('Space')
  await expect(send).not.toBeChecked()
  await own.keyboard.press('Space')
  await expect(send).toBeChecked()
  await tabTo(own, dialog.getByRole('button', { name: 'Make invitation' }))
  await own.keyboard.press('Enter')
  await expect(own.getByText(guest).first()).toBeVisible()
  expect(await mailedLink(request, guest, '/signup')).toContain('code=')
  await context.close()

  // the page of the fixture, signed in at another place, shows it as well
  await page.goto('/invitations')
  await expect(page.getByText(guest).first()).toBeVisible()
})
