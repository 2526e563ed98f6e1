import { expect, freshEmail, invitationCode, password, test } from './fixtures'

test('wrong credentials and a used code say so at the right place', async ({ page, request }) => {
  const code = invitationCode()
  const email = freshEmail()
  const answer = await request.post('/api/auth/signup/', {
    data: { email, password, invitation_code: code, language: 'en', consent: true },
  })
  expect(answer.status()).toBe(201)

  await page.goto('/signin')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password at all')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Login failed. Please try again.')).toBeVisible()

  await page.goto(`/signup#code=${code}`)
  await page.getByLabel('Email').fill(freshEmail())
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await expect(page.getByLabel('Invitation code')).toHaveValue(code)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByLabel('Invitation code')).toHaveAttribute('aria-invalid', 'true')
})

test('a revoked token ends at the sign-in', async ({ page, api, person }) => {
  await page.goto('/assistants')
  await expect(page.getByRole('heading', { level: 1, name: 'Assistants' })).toBeVisible()
  // an open page would notice at an unpredictable time
  await page.goto('about:blank')
  await api('post', '/auth/logout/')
  expect(person.token).toBeTruthy()
  await page.goto('/topics')
  await expect(page).toHaveURL(/\/signin/)
  await expect(page.getByText('Your session has expired.')).toBeVisible()
})
