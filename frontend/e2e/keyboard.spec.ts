import type { Locator, Page } from '@playwright/test'
import { countClicks, expect, freshEmail, invitationCode, logIn, mailedLink, password, test } from './fixtures'

/** Press Tab until the target has the focus, as users without a mouse do. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeAttached() // some targets are rendered by a focused neighbour
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
  await tabTo(own, dialog.getByRole('textbox', { name: 'Email' }))
  await own.keyboard.type(guest)
  const send = dialog.getByRole('checkbox', { name: 'Send the code by email' })
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

  // the fixture's page, another session of the user, shows it as well
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
  await expect(page.getByText('The new password is saved. You can now log in.')).toBeVisible()
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
  await expect(page.getByText('No other devices are logged in.')).toBeVisible()
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

/** Type two digits per part in the order of an American date and time field. */
async function typeTime(page: Page, wall: Date) {
  const [date = '', time = ''] = wall.toISOString().split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  const hour = Number(time.slice(0, 2))
  await page.keyboard.type(month + day + year)
  await page.keyboard.press('ArrowRight') // a year may have more digits, so the field does not advance
  await page.keyboard.type(String(hour % 12 || 12).padStart(2, '0') + time.slice(3, 5) + (hour < 12 ? 'AM' : 'PM'))
}

async function press(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Write a post for both accounts with an own text, an image and a tag, and schedule it. */
async function schedulePost(page: Page, planned: Date) {
  await press(page, page.getByRole('link', { name: 'New post' }).first())
  const add = page.getByRole('button', { name: 'Add account' })
  const text = page.getByRole('textbox', { name: 'Text for all channels' })
  await press(page, add)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Enter')
  // no more accounts to add: the button is gone, and the focus moved on
  await expect(add).toBeHidden()
  await expect(page.getByRole('group', { name: 'Publish to' })).toBeFocused()
  await tabTo(page, text)
  await page.keyboard.type('Studded tyres are in.')

  await press(page, page.getByRole('button', { name: 'Custom text' }))
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Enter')
  const own = page.getByRole('textbox', { name: /Custom text for/ })
  await tabTo(page, own)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Come in, I fit them while you wait.')

  const choose = page.getByRole('button', { name: 'Choose files' })
  await press(page, choose)
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  const tile = dialog.getByRole('listitem').getByRole('button').first()
  const others = dialog.getByRole('button', { name: /Show/ })
  await expect(tile.or(others).first()).toBeVisible()
  if (await others.isVisible()) await press(page, others)
  await press(page, tile, 'Space')
  await expect(dialog.getByRole('button', { pressed: true })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(choose).toBeFocused()
  await tabTo(page, page.getByRole('textbox', { name: 'Alt text' }))
  await page.keyboard.type('A tyre with studs')

  await tabTo(page, page.getByLabel(/Date and time/))
  await typeTime(page, planned)
  await expect(page.getByLabel(/Date and time/)).toHaveValue(planned.toISOString().slice(0, 16))
  await tabTo(page, page.getByRole('textbox', { name: 'Tags' }).or(page.getByRole('combobox', { name: 'Tags' })))
  await page.keyboard.type('winter')
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('button', { name: 'Schedule' }).last())
  await expect(page).toHaveURL(/\/social-media-posts\/[0-9a-f-]{36}$/)
}

/** Move a post in the calendar: by a quarter of an hour with one key, then to `planned` in the dialog. */
async function moveInCalendar(page: Page, id: string, planned: Date) {
  await jump(page, 'Calendar')
  await expect(page).toHaveURL(/\/calendar/)
  await tabTo(page, page.getByRole('radio', { name: 'Month' }))
  for (const view of ['week', 'day', 'agenda']) {
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(new RegExp(`view=${view}`))
  }
  const dialog = page.getByRole('dialog')
  const entry = page.locator(`a[data-entry][href$="${id}"]`)
  await tabTo(page, entry)
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByText(/^Moved to .*, 14:45\.$/)).toBeVisible()
  await expect(entry).toBeFocused()
  await page.keyboard.press('m')
  await expect(dialog.getByLabel(/Date and time/)).toBeFocused()
  await typeTime(page, planned)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Moved to .*, 16:00\.$/)).toBeVisible()
  await expect(entry).toBeFocused()
}

/** Unschedule a post on its page, and publish it. */
async function publishOnItsPage(page: Page) {
  const dialog = page.getByRole('dialog')
  const move = page.getByRole('button', { name: 'Move', exact: true })
  await press(page, move)
  await expect(dialog.getByLabel(/Date and time/)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(move).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Do not publish' }))
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await press(page, dialog.getByRole('button', { name: 'Do not publish' }))
  // the pressed button is gone: the focus is on the next actions
  await expect(page.getByRole('group', { name: 'Actions' })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Publish now' }))
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await press(page, dialog.getByRole('button', { name: 'Publish now' }))
  await expect(page.getByRole('link', { name: 'View on LinkedIn' })).toHaveCount(2, { timeout: 90_000 })
}

async function openApprovals(page: Page) {
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Posts/ }))
  await press(page, page.getByRole('navigation', { name: 'Kinds of posts' }).getByRole('link', { name: /Approvals/ }))
}

/** Approve a post and undo that, then open what else can be done, and decline the post. */
async function answerApproval(page: Page) {
  const dialog = page.getByRole('dialog')
  await openApprovals(page)
  const inbox = page.locator('.inbox-region')
  const approve = page.getByRole('button', { name: /^Approve: / })
  await expect(approve).toBeVisible({ timeout: 60_000 })
  await tabTo(page, approve)
  await page.waitForTimeout(500) // keys answer only after the post was visible for a moment
  await page.keyboard.press('a')
  await expect(page.getByText('No approvals waiting')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(approve).toBeVisible()
  await page.keyboard.press('w')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(inbox).toBeFocused() // a moment after the dialog closes; earlier keys do nothing
  await page.keyboard.press('d')
  await expect(page.getByRole('textbox', { name: /^Reason/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: /^Reason/ })).toBeHidden()
  await expect(inbox).toBeFocused()
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/compose=/)
  await openApprovals(page)
  await tabTo(page, approve)
  await page.waitForTimeout(500)
  await page.keyboard.press('d')
  await page.keyboard.type('Name the street')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No approvals waiting')).toBeVisible()
}

test('a post is written, planned, moved and published, and another one decided on, by the keyboard alone', async ({ api, assistant, page }) => {
  test.setTimeout(240_000)
  const asking = await assistant({ name: 'Asks first', mode: 'approval', time: new Date(Date.now() + 90 * 60_000), lead_minutes: 1440 })
  await api('post', `/assistants/${asking.id}/activate/`)
  const clicks = await countClicks(page)

  await page.goto('/')
  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Posts/ }))
  const planned = new Date(Date.now() + 2 * 24 * 60 * 60_000)
  planned.setUTCHours(14, 30, 0, 0)
  await schedulePost(page, planned)
  const id = page.url().split('/').at(-1) ?? ''
  const stored = async () => (await api('get', `/social-media-posts/${id}/`)) as {
    planned_at: string
    content: string
    tags: string[]
    files: { alt: string }[]
    deliveries: { content: string | null }[]
  }
  expect(await stored()).toMatchObject({ content: 'Studded tyres are in.', tags: ['winter'], files: [{ alt: 'A tyre with studs' }] })
  expect((await stored()).deliveries.map(({ content }) => content).sort()).toEqual(['Come in, I fit them while you wait.', null].sort())

  planned.setUTCHours(16, 0)
  await moveInCalendar(page, id, planned)
  expect(Date.parse((await stored()).planned_at)).toBe(planned.getTime())
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('dialog').getByRole('link', { name: 'Open post' }))

  await expect(page).toHaveURL(new RegExp(`/social-media-posts/${id}$`))
  await publishOnItsPage(page)

  // an answer that is not sent yet can be undone; the last one stays
  await answerApproval(page)
  await jump(page, 'Dashboard') // leaving the page sends the answer
  await expect.poll(async () => ((await api('get', '/approvals/')) as { items: unknown[] }).items.length).toBe(0)
  expect(clicks()).toBe(0)
})
