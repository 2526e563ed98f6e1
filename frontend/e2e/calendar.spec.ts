import type { Page } from '@playwright/test'
import { clockChangeInBerlin, DAY, dayOf, noonWithinWeek } from './days'
import { expect, expectAccessible, expectAccessibleInBothLooks, password, speak, test, type Api, type Assistant } from './fixtures'

/** Create a manual post that is scheduled. */
async function schedule(api: Api, { accounts }: Assistant, content: string, at: string, timeZone = 'UTC') {
  const written = (await api('post', '/social-media-posts/', {
    id: crypto.randomUUID(),
    content,
    account_ids: accounts.map(({ id }) => id),
    time_zone: timeZone,
    language: 'en',
  })) as { id: string; version: number }
  await api('post', `/social-media-posts/${written.id}/publish/`, { version: written.version, planned_at: at })
  return written
}

const entry = (page: Page, time: string) => page.getByRole('link', { name: new RegExp(`^${time}`) })

test('a post is moved by mouse and by keys', async ({ api, demo, page, request }, info) => {
  test.setTimeout(240_000)
  // in the middle of a day and of a week's row, so that no move leaves either
  const slot = noonWithinWeek()
  await schedule(api, demo, 'Studs on before the ice.', slot.toISOString())

  await page.goto(`/calendar?view=month&date=${dayOf(slot)}`)
  const post = page.locator('.cev').filter({ hasText: 'Studs on before the ice.' })
  await expect(post).toBeVisible()
  await page.screenshot({ path: info.outputPath('month.png') })

  // drag to another day, at the same time; the mouse only reaches visible elements
  await post.scrollIntoViewIfNeeded()
  const from = await post.boundingBox()
  const day = await page.locator('.rbc-day-bg').first().boundingBox()
  if (!from || !day) throw new Error('the post is not drawn')
  await page.mouse.move(from.x + 30, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 30 + day.width / 2, from.y + 12, { steps: 6 })
  await page.mouse.move(from.x + 30 + day.width, from.y + 12, { steps: 6 })
  await page.mouse.up()
  await expect(page.getByText(/^Moved to .*, 12:00\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(new RegExp(`^Moved to .*\\b${String(slot.getUTCDate())}\\b.*, 12:00\\.$`))).toBeVisible()

  // drag within the day's columns, to an hour later
  await page.goto(`/calendar?view=day&date=${dayOf(slot)}`)
  const box = await page.locator('.rbc-event', { has: entry(page, '12:00') }).boundingBox()
  if (!box) throw new Error('the post is not drawn')
  const hour = (await page.locator('.rbc-time-column .rbc-timeslot-group').first().boundingBox())?.height ?? 0
  const [x, y] = [box.x + box.width / 2, box.y + 8]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + hour / 2, { steps: 6 })
  await page.mouse.move(x, y + hour, { steps: 6 })
  await page.mouse.up()
  await expect(page.getByText(/^Moved to .*, 13:00\.$/)).toBeVisible()
  await expect(entry(page, '13:00')).toBeVisible()
  await expect(page).toHaveURL(/\/calendar/)

  // by keyboard: a quarter of an hour, and to a date and time
  await entry(page, '13:00').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(entry(page, '13:15')).toBeFocused()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Move this post' })
  await dialog.getByLabel(/Date and time/).fill(`${dayOf(slot)}T14:30`)
  await dialog.getByRole('button', { name: 'Move post' }).click()
  await expect(page.getByText(/^Moved to .*, 14:30\.$/)).toBeVisible()
  await page.reload()
  await expect(entry(page, '14:30')).toBeVisible()
  await page.getByRole('link', { name: /^14:30/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Studs on before the ice.' })
  await expect(drawer.getByText(/^Complete · scheduled for /)).toBeVisible()
  await expect(drawer.getByRole('article').first()).toContainText('Studs on before the ice.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(entry(page, '14:30')).toBeFocused()
  await page.keyboard.press('Enter')
  await drawer.getByRole('link', { name: 'Open post' }).click()
  await expect(page).toHaveURL(/\/social-media-posts\/.+/)

  // across the clock change on the last Sunday of October: the local time stays, by mouse and by keyboard
  await api('patch', '/users/me/', { time_zone: 'Europe/Berlin' })
  const sunday = clockChangeInBerlin(9)
  const saturday = new Date(sunday.getTime() - DAY)
  const written = await schedule(api, demo, 'An hour more to sleep.', `${dayOf(saturday)}T07:00:00Z`, 'Europe/Berlin')
  const plannedAt = async () => Date.parse(((await api('get', `/social-media-posts/${written.id}/`)) as { planned_at: string }).planned_at)
  await page.goto(`/calendar?view=month&date=${dayOf(saturday)}&planned=hidden`)
  await entry(page, '09:00').scrollIntoViewIfNeeded()
  await expect(page.getByTitle('Clocks change by 60 minutes').first()).toBeVisible()
  const before = await entry(page, '09:00').boundingBox()
  const width = (await page.locator('.rbc-day-bg').first().boundingBox())?.width ?? 0
  if (!before) throw new Error('the post is not drawn')
  await page.mouse.move(before.x + 30, before.y + 10)
  await page.mouse.down()
  await page.mouse.move(before.x + 30 + width / 2, before.y + 12, { steps: 6 })
  await page.mouse.move(before.x + 30 + width, before.y + 12, { steps: 6 })
  await page.mouse.up()
  await expect.poll(plannedAt).toBe(Date.parse(`${dayOf(sunday)}T08:00:00Z`))
  await expect(entry(page, '09:00').locator(`time[datetime^="${dayOf(sunday)}T08:00"]`)).toBeVisible()
  await entry(page, '09:00').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(plannedAt).toBe(Date.parse(`${dayOf(saturday)}T07:00:00Z`))
  await expect(entry(page, '09:00')).toBeFocused()
  await api('patch', '/users/me/', { time_zone: 'UTC' })

  // other programs read the calendar without a login
  await page.goto('/calendar')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Your password' }).fill(password)
  await page.getByRole('button', { name: 'Create link' }).click()
  const address = await page.getByLabel('Private link').inputValue()
  const file = await request.get(new URL(address).pathname)
  expect(await file.text()).toContain(`DTSTART:${dayOf(slot).replaceAll('-', '')}T143000Z`)
})

test('a month of six weeks fits a page, and the days of a week are equally wide below their heads', async ({ page, api, demo }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  // the next month with six rows
  const day = new Date()
  day.setUTCDate(1)
  while ((((day.getUTCDay() + 6) % 7) + new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()) / 7 <= 5) day.setUTCMonth(day.getUTCMonth() + 1)
  await page.goto(`/calendar?view=month&date=${dayOf(day)}`)
  await expect(page.locator('.rbc-month-row')).toHaveCount(6)
  const bottom = await page.locator('.rbc-month-view').evaluate((view) => view.getBoundingClientRect().bottom)
  expect(bottom).toBeLessThanOrEqual(900)

  // several posts at the same time
  const noon = noonWithinWeek()
  for (let number = 0; number < 5; number += 1) {
    await schedule(api, demo, `Number ${number}`, new Date(noon.getTime() + number * 60_000).toISOString())
  }
  await page.goto(`/calendar?view=week&date=${dayOf(noon)}`)
  await expect(page.locator('.rbc-event .cev-open').first()).toBeVisible()
  const sides = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]))
  const [heads, days] = [await sides('.rbc-time-header .rbc-header'), await sides('.rbc-time-column.rbc-day-slot')]
  expect(days).toHaveLength(7)
  days.forEach(([left = 0, right = 0], at) => {
    expect(Math.abs(right - left - (days[0]![1]! - days[0]![0]!))).toBeLessThan(2)
    expect(Math.abs(left - heads[at]![0]!)).toBeLessThan(2)
    expect(Math.abs(right - heads[at]![1]!)).toBeLessThan(2)
  })
})

test('the calendar is for everybody', async ({ page, api, demo }, info) => {
  test.setTimeout(240_000)
  const noon = noonWithinWeek()
  await schedule(api, demo, 'Studs on before the ice.', noon.toISOString())
  await speak(page, 'en')
  for (const view of ['month', 'week', 'day', 'agenda']) {
    await page.goto(`/calendar?view=${view}&date=${dayOf(noon)}`)
    await expect(page.locator('.cev-open').first()).toBeVisible()
    await page.screenshot({ path: info.outputPath(`${view}.png`) })
    await expectAccessibleInBothLooks(page, 'en')
  }
  // longer words, on a phone
  await api('patch', '/users/me/', { language: 'de' })
  await speak(page, 'de')
  await page.setViewportSize({ width: 360, height: 720 })
  await page.goto('/calendar')
  await expect(page.locator('.cal-agenda')).toBeVisible()
  await page.screenshot({ path: info.outputPath('phone.png') })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
