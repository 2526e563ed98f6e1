import { expect, expectAccessible, test } from './fixtures'

const visitors = ['/', '/signin', '/signup', '/privacy-policy', '/nowhere']
const users = [
  '/',
  '/templates',
  '/templates?new',
  '/marketplace',
  '/calendar',
  '/account',
  '/invitations',
  '/topics',
  '/posts',
  '/media-gallery',
  '/assistants',
  '/assistants?new',
  '/social-media-posts',
  '/websites',
  '/transactions',
  '/subscription',
  '/email-verification',
  '/nowhere',
]

for (const path of visitors) {
  test(`everybody can use ${path}`, async ({ page }) => {
    for (const [scheme, language] of [
      ['light', 'en'],
      ['dark', 'de'],
    ]) {
      await page.addInitScript(
        ([theme, chosen]) => {
          localStorage.setItem('mantine-color-scheme-value', theme ?? '')
          localStorage.setItem('i18nextLng', chosen ?? '')
        },
        [scheme, language],
      )
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page)
    }
  })
}

test('everybody can use the pages behind the sign-in', async ({ page, person }) => {
  test.setTimeout(240_000)
  expect(person.token).toBeTruthy()
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(`${page.url()}: ${error.message}`))
  for (const [scheme, language] of [
    ['light', 'en'],
    ['dark', 'de'],
  ]) {
    await page.addInitScript(
      ([theme, chosen]) => {
        localStorage.setItem('mantine-color-scheme-value', theme ?? '')
        localStorage.setItem('i18nextLng', chosen ?? '')
      },
      [scheme, language],
    )
    for (const path of users) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      await expectAccessible(page)
    }
  }
  expect(failures).toEqual([])
})

test('without a token the app leads to the sign-in and back after it', async ({ page }) => {
  await page.goto('/assistants?state=active')
  await expect(page).toHaveURL(/\/signin/)
})
