import { expect, expectAccessibleInBothLooks, languages, passDays, speak, test } from './fixtures'

const HOUR = 3_600_000 // ms

test('a subscription from its trial to its end', async ({ page, api, assistant, request }) => {
  test.setTimeout(120_000)
  const status = (name: string | RegExp) => page.getByRole('definition').filter({ hasText: name })
  const { id } = await assistant({ name: 'Shop news', mode: 'draft', time: new Date(Date.now() + 3 * HOUR) })
  await api('post', `/assistants/${id}/activate/`)

  // from the checklist to Stripe's page: leave it once, and be declined once
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
  await expectAccessibleInBothLooks(page, 'en')

  // the trial ends without a card, and the assistant is paused with the reason
  await passDays(request, 15)
  await expect(status(/^Canceled$/)).toBeVisible({ timeout: 30_000 })
  await expectAccessibleInBothLooks(page, 'en')
  await page.goto(`/assistants/${id}`)
  await expect(page.getByText('Paused: The subscription has ended.')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('link', { name: 'See subscription' }).first().click()

  // paid, and the assistant resumed by one click
  await page.getByRole('button', { name: 'Subscribe again' }).click()
  await page.waitForURL(/stripe\/checkout/)
  await page.getByRole('button', { name: 'Pay and subscribe' }).click()
  await expect(page.getByText('Thank you, the subscription is active')).toBeVisible()
  await page.getByRole('button', { name: 'Resume assistant' }).click()
  await expect(async () => {
    expect((await api('get', `/assistants/${id}/`)) as { pause: unknown }).toMatchObject({ pause: null })
  }).toPass()

  // canceled, resumed, canceled again, and ended
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

const WORDS = {
  en: { cancel: 'Cancel trial', begun: 'The trial has begun' },
  de: { cancel: 'Testphase beenden', begun: 'Die Testphase hat begonnen' },
}

test('everybody can use the pages of what is subscribed to and what was spent, and what opens on them', async ({ page, api, assistant, request }) => {
  test.setTimeout(120_000)
  const { id } = await assistant({ name: 'Shop news', mode: 'draft', time: new Date(Date.now() + 3 * HOUR) })
  await api('post', `/assistants/${id}/activate/`)
  await api('post', `/assistants/${id}/run/`, { request_id: crypto.randomUUID() })
  const { checkout_url } = (await api('post', '/users/create_checkout_session/')) as { checkout_url: string }
  await request.post(checkout_url, { form: { card: 'good' }, maxRedirects: 0 })
  const session = new URL(checkout_url).pathname.split('/').at(-1)
  await expect(async () => {
    expect((await api('get', '/transactions/')) as { total: number }).not.toMatchObject({ total: 0 })
  }).toPass({ timeout: 30_000 })

  for (const language of languages) {
    const words = WORDS[language]
    await api('patch', '/users/me/', { language })
    await speak(page, language)
    await page.goto(`/subscription?checkout=success&session_id=${session}`)
    await expect(page.getByText(words.begun)).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    const cancel = page.getByRole('button', { name: words.cancel })
    await cancel.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessibleInBothLooks(page, language, '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(cancel).toBeFocused()
    await page.goto('/transactions')
    const call = page.locator('a.rowlink').first()
    await expect(call).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    await call.press('Enter')
    await expect(page).toHaveURL(/\/transactions\/[0-9a-f-]{36}$/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
  }
})
