import { expect, freshEmail, mailedLink, password, test } from './fixtures'

test('an invitation leads by mail to a verified account, and on to where somebody wanted to go', async ({
  api,
  browser,
  request,
}) => {
  const email = freshEmail()
  await api('post', '/invitations/', { email, send: true })
  const mailed = await mailedLink(request, email, '/signup')
  // the link as the inviter shares it: without the token that only the mail has
  const invitation = mailed.replace(/&proof=\w+/, '')
  expect(invitation).not.toBe(mailed)

  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(invitation)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Invitation code')).toHaveValue(/^[A-Z0-9]{5}-[A-Z0-9]{5}$/)
  const rules = page.getByRole('list', { name: 'Password requirements' })
  await page.getByRole('textbox', { name: 'Password' }).fill('loom')
  await expect(rules.getByText('10 to 128 characters: not met yet')).toBeVisible()
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await expect(rules.getByText('10 to 128 characters: met')).toBeVisible()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/email-verification')
  await expect(page.getByText(email).last()).toBeVisible()
  await expect(page.getByRole('button', { name: /Resend in 0:/ })).toBeVisible()

  await page.goto('/assistants?search=tips')
  await expect(page).toHaveURL('/email-verification?search=tips')
  await expect(page.getByRole('heading', { level: 1, name: 'Verify your email' })).toBeVisible()

  const mailbox = await context.newPage()
  await mailbox.goto(await mailedLink(request, email, '/verify-email'))
  await mailbox.getByRole('button', { name: 'Verify email' }).click()
  await expect(mailbox.getByRole('heading', { level: 1, name: 'Email verified' })).toBeVisible()
  await expect(mailbox).toHaveURL('/')
  await expect(mailbox.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(mailbox.getByRole('navigation', { name: 'Main' })).toBeVisible()

  // the first tab polls every 15 seconds
  await expect(page).toHaveURL('/assistants?search=tips', { timeout: 30_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'Assistants' })).toBeVisible()
  await page.goto('/email-verification')
  await expect(page).toHaveURL('/')
  await context.close()
})

test('who comes by the mail of an invitation has verified the address', async ({ api, browser, request }) => {
  const email = freshEmail()
  await api('post', '/invitations/', { email, send: true })
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(await mailedLink(request, email, '/signup'))
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await context.close()
})

test('a link verifies without a login too, by a click, and says so again', async ({ newcomer, request, browser }) => {
  const link = await mailedLink(request, newcomer.email, '/verify-email')
  const context = await browser.newContext()
  const page = await context.newPage()
  for (let visit = 0; visit < 2; visit++) {
    await page.goto(link)
    await page.getByRole('button', { name: 'Verify email' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Email verified' })).toBeVisible()
    await expect(page).toHaveURL('/signin')
  }
  await page.goto('/verify-email#token=unknown')
  await page.getByRole('button', { name: 'Verify email' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Verification failed. Please try again.' })).toBeVisible()
  await page.getByRole('link', { name: 'Log in for a new link' }).click()
  await expect(page).toHaveURL('/signin?next=%2Femail-verification')
  await context.close()
})

test('who waits for the mail can have it again, after the minute', async ({ newcomer, page }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/email-verification')
  await expect(page.getByText(newcomer.email).last()).toBeVisible()
  // the server says how long to wait, in case the mail of the sign-up counts
  await page.getByRole('button', { name: 'Send email again' }).click()
  await expect(page.getByRole('button', { name: /Resend in (1:00|0:\d\d)/ })).toBeVisible()
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'New email' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
})

test('a forgotten password is replaced by a mail, and every session ends', async ({ person, page, request, browser }) => {
  const context = await browser.newContext()
  const visitor = await context.newPage()
  await visitor.goto('/signin')
  await visitor.getByRole('link', { name: 'Forgot your password?' }).click()
  for (const email of ['nobody@example.org', person.email]) {
    await visitor.getByLabel('Email').fill(email)
    await visitor.getByRole('button', { name: 'Send link' }).click()
    await expect(visitor.getByText(`If ${email} belongs to an account here`)).toBeVisible()
    await visitor.getByRole('button', { name: 'Use another email' }).click()
  }
  const link = await mailedLink(request, person.email, '/signin')
  await visitor.goto(link)
  const renewed = 'a new weft over old warp'
  await visitor.getByRole('textbox', { name: 'New password' }).fill(renewed)
  await visitor.getByRole('button', { name: 'Save password' }).click()
  await expect(visitor.getByText('The new password is saved. You can now log in.')).toBeVisible()

  await page.goto('/topics?search=rain')
  await expect(page).toHaveURL('/signin?next=%2Ftopics%3Fsearch%3Drain')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Login failed. Please try again.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Password' }).fill(renewed)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/topics?search=rain')

  await visitor.goto(link)
  await visitor.getByRole('textbox', { name: 'New password' }).fill('yet another weft')
  await visitor.getByRole('button', { name: 'Save password' }).click()
  await expect(visitor.getByRole('heading', { level: 1, name: 'This link no longer works' })).toBeVisible()
  await visitor.getByRole('link', { name: 'Send a new link' }).click()
  await expect(visitor).toHaveURL('/signin?forgot')
  await context.close()
})

test('the language of the account comes with it', async ({ person, page, browser }) => {
  await page.goto('/topics')
  await page.getByRole('button', { name: `Your account: ${person.email}` }).click()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('menuitem', { name: 'Deutsch' }).click()
  expect((await saved).ok()).toBe(true)
  await expect(page.getByRole('heading', { level: 1, name: 'Themenbäume' })).toBeVisible()

  const context = await browser.newContext({ locale: 'en-US' })
  const elsewhere = await context.newPage()
  await elsewhere.goto('/signin?next=/topics')
  await elsewhere.getByLabel('Email').fill(person.email)
  await elsewhere.getByRole('textbox', { name: 'Password' }).fill(password)
  await elsewhere.getByRole('button', { name: 'Login' }).click()
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Themenbäume' })).toBeVisible()
  await context.close()
})
