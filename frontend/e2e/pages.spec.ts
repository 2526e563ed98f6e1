import { expect, expectAccessibleInBothLooks, languages, speak, test } from './fixtures'

const visitors = [
  '/',
  '/signin',
  '/signin?forgot',
  '/signin?reset#token=unknown',
  '/signup#code=K7QMW-3XRTA&email=mara@lindhof.example',
  '/privacy-policy',
  '/verify-email#token=unknown',
  '/nowhere',
]
// account and invitations with content: security.spec.ts
const users = [
  '/',
  '/templates',
  '/templates?new',
  '/marketplace',
  '/calendar',
  '/topics',
  '/posts',
  '/media-gallery',
  '/assistants',
  '/assistants?new',
  '/social-media-posts',
  '/social-media-posts?compose=new',
  '/websites',
  '/transactions',
  '/subscription',
  '/privacy-policy',
  '/nowhere',
]

for (const path of visitors) {
  test(`everybody can use ${path}`, async ({ page }) => {
    for (const language of languages) {
      await speak(page, language)
      await page.goto('about:blank') // a URL that differs only after the # would not be loaded again
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expectAccessibleInBothLooks(page, language)
    }
    await page.setViewportSize({ width: 360, height: 720 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
}

test('everybody can wait for the verification of the email', async ({ page, newcomer, request }) => {
  for (const language of languages) {
    await request.patch('/api/users/me/', {
      headers: { Authorization: `Bearer ${newcomer.token}` },
      data: { language },
    })
    await speak(page, language)
    await page.goto('/email-verification')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expectAccessibleInBothLooks(page, language)
  }
  await page.setViewportSize({ width: 360, height: 720 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('everybody can use the pages behind the sign-in', async ({ page, api }) => {
  test.setTimeout(240_000)
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(`${page.url()}: ${error.message}`))
  for (const language of languages) {
    await api('patch', '/users/me/', { language })
    await speak(page, language)
    for (const path of users) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expectAccessibleInBothLooks(page, language)
    }
  }
  expect(failures).toEqual([])
})

test('the buttons in the head of a page can be read on a phone, in German too', async ({ page, api }) => {
  await api('patch', '/users/me/', { language: 'de' })
  await page.setViewportSize({ width: 360, height: 720 })
  for (const path of ['/topics', '/templates', '/assistants', '/media-gallery', '/social-media-posts']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
    const labels = page.locator('.phead-actions .mantine-Button-label')
    const cut = labels.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
    expect(await cut, path).toEqual([])
  }
})

test('the pictures of the home page are there', async ({ page }) => {
  const missing: string[] = []
  page.on('response', (answer) => {
    // 304: the browser has it in its cache
    const there = answer.status() === 304 || answer.headers()['content-type']?.startsWith('image/')
    if (answer.url().includes('/screens/') && !there) missing.push(answer.url())
  })
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const language of languages) {
      await speak(page, language)
      await page.goto('/')
      const pictures = page.locator('main img')
      await expect(pictures).toHaveCount(4)
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded()
        await expect(picture).not.toHaveJSProperty('naturalWidth', 0)
      }
    }
  }
  expect(missing).toEqual([])
})

test('a page that is not there leads back and home', async ({ page }) => {
  await page.goto('/privacy-policy')
  await page.goto('/nowhere')
  await expect(page).toHaveTitle('Page Not Found · Postloom')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL('/privacy-policy')
  await page.goto('/nowhere')
  await page.getByRole('link', { name: 'Go Home' }).click()
  await expect(page).toHaveURL('/')
})

test('without a token the app leads to the sign-in and back after it', async ({ page }) => {
  await page.goto('/assistants?state=active')
  await expect(page).toHaveURL('/signin?next=%2Fassistants%3Fstate%3Dactive')
})
