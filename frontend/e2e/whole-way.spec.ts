import { appCode, expect, freshEmail, logIn, mailedLink, password, test } from './fixtures'

test('from an invitation to the end of all sessions, with two people', async ({ person, api, page, browser, request }) => {
  test.setTimeout(240_000)
  const email = freshEmail()

  // one person invites …
  await page.goto('/invitations?new')
  const inviting = page.getByRole('dialog')
  await inviting.getByRole('textbox', { name: 'Email' }).fill(email)
  await inviting.getByRole('checkbox').check()
  await inviting.getByRole('button', { name: 'Create invitation' }).click()
  const row = page.getByRole('listitem').or(page.getByRole('row')).filter({ hasText: email })
  await expect(row.first()).toContainText('days left')

  // … the other one comes by the mail
  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(await mailedLink(request, email, '/signup'))
  await guest.getByRole('textbox', { name: 'Password' }).fill(password)
  await guest.getByRole('checkbox').check()
  await guest.getByRole('button', { name: 'Create account' }).click()
  await expect(guest).toHaveURL('/email-verification')
  await guest.goto('/topics?search=rain')
  await expect(guest).toHaveURL('/email-verification?search=rain')
  const mailbox = await context.newPage()
  await mailbox.goto(await mailedLink(request, email, '/verify-email'))
  await expect(mailbox.getByRole('heading', { level: 1, name: 'Email verified' })).toBeVisible()
  await mailbox.close()
  // the waiting page looks by itself, and goes on to where its guest wanted to go
  await expect(guest).toHaveURL('/topics?search=rain', { timeout: 30_000 })

  await guest.goto('/account?tab=security')
  await guest.getByRole('button', { name: 'Set up two-step login' }).click()
  const dialog = guest.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = await dialog.getByRole('textbox', { name: 'Or type this secret into the app' }).inputValue()
  await dialog.getByRole('textbox', { name: 'Code from the app' }).fill(appCode(secret))
  await dialog.getByRole('button', { name: 'Turn on two-step login' }).click()
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await expect(guest.getByText('10 recovery codes left')).toBeVisible()

  await guest.getByRole('button', { name: `Your account: ${email}` }).click()
  await guest.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(guest).toHaveURL('/')
  expect(await guest.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await logIn(guest, email)
  await guest.getByRole('textbox', { name: 'Code' }).fill(appCode(secret, 1))
  await guest.getByRole('button', { name: 'Login' }).click()
  await expect(guest.getByRole('navigation', { name: 'Main' })).toBeVisible()

  // a new password from elsewhere ends what is open here
  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await elsewhere.goto('/signin?forgot')
  await elsewhere.getByLabel('Email').fill(email)
  await elsewhere.getByRole('button', { name: 'Send the link' }).click()
  await expect(elsewhere.getByText(`If ${email} belongs to an account here`)).toBeVisible()
  await elsewhere.goto(await mailedLink(request, email, '/signin'))
  await elsewhere.getByRole('textbox', { name: 'New password' }).fill('a new weft over old warp')
  await elsewhere.getByRole('button', { name: 'Save the password' }).click()
  await expect(elsewhere.getByText('The new password is saved. Log in with it.')).toBeVisible()
  await guest.goto('/assistants')
  await expect(guest).toHaveURL(/\/signin/)
  expect(await guest.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await context.close()
  await other.close()

  // nothing of it reached the one who invited but that the invitation was used
  await page.reload()
  await expect(row.first()).toContainText('Used')
  expect(((await api('get', '/users/me/')) as { email: string }).email).toBe(person.email)
})
