import { expect, expectAccessible, passDays, test } from './fixtures'

const HOUR = 3_600_000 // ms

test('a subscription from its trial to its end', async ({ page, api, assistant, request }) => {
  test.setTimeout(120_000)
  const status = (name: string | RegExp) => page.getByRole('definition').filter({ hasText: name })
  const { id } = await assistant({ name: 'Shop news', mode: 'draft', time: new Date(Date.now() + 3 * HOUR) })
  await api('post', `/assistants/${id}/activate/`)

  // from the checklist to Stripe's page, which is left once and declines once
  await page.goto('/')
  await page.getByRole('link', { name: 'Start the free trial' }).click()
  await expect(status('No subscription')).toBeVisible()
  await page.getByRole('button', { name: 'Start the free trial' }).click()
  await page.waitForURL(/stripe\/checkout/)
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByText('Checkout canceled')).toBeVisible()
  await expect(page).toHaveURL(/\/subscription$/)
  await page.getByRole('button', { name: 'Start the free trial' }).click()
  await page.waitForURL(/stripe\/checkout/)
  await page.getByRole('radio', { name: /Card that is declined/ }).check()
  await page.getByRole('button', { name: 'Start trial' }).click()
  await expect(page.getByText('The card was declined. Choose another one.')).toBeVisible()
  await page.getByRole('radio', { name: /No card/ }).check()
  await page.getByRole('button', { name: 'Start trial' }).click()
  await expect(page.getByText('The trial has begun')).toBeVisible()
  await expect(status('Trial, 14 days left')).toBeVisible()
  await expectAccessible(page)

  // nobody gave a card: it ends, and the assistant pauses with its reason
  await passDays(request, 15)
  await expect(status(/^Canceled$/)).toBeVisible({ timeout: 30_000 })
  await page.goto(`/assistants/${id}`)
  await expect(page.getByText('Paused: The subscription has ended.')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('link', { name: 'See subscription' }).first().click()

  // paid, and resumed by one click
  await page.getByRole('button', { name: 'Subscribe again' }).click()
  await page.waitForURL(/stripe\/checkout/)
  await page.getByRole('button', { name: 'Pay and subscribe' }).click()
  await expect(page.getByText('Thank you, the subscription is active')).toBeVisible()
  await page.getByRole('button', { name: 'Resume the assistant' }).click()
  await expect(async () => {
    expect((await api('get', `/assistants/${id}/`)) as { pause: unknown }).toMatchObject({ pause: null })
  }).toPass()

  // canceled, taken back, canceled again, and over
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(status(/Canceled, active until/)).toBeVisible()
  await page.getByRole('button', { name: 'Resume subscription' }).click()
  await expect(status(/^Active$/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(status(/Canceled, active until/)).toBeVisible()
  await passDays(request, 32)
  await expect(status(/^Canceled$/)).toBeVisible({ timeout: 30_000 })
})
