import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from './fixtures'

/** The running installation's Temporal server, told by its file of state. */
function temporalServer(): number {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'temporal.db')
  const found = execFileSync('pgrep', ['-f', file], { encoding: 'utf8' }).trim().split('\n')
  expect(found).toHaveLength(1)
  return Number(found[0])
}

test('while Temporal does not answer the app says so, stays readable and keeps what is saved', async ({ page, api }) => {
  const banner = page.getByText('Nothing is published until it is back.')
  await api('post', '/topics/', { name: 'Rain', text: '- Rain\n-- Mudguards' })
  await page.goto('/topics')
  await expect(page.getByRole('link', { name: 'Rain' })).toBeVisible()
  await expect(banner).toBeHidden()
  const server = temporalServer()
  process.kill(server, 'SIGSTOP')
  try {
    await page.reload()
    await expect(banner).toBeVisible()
    await expect(page.getByRole('link', { name: 'Rain' })).toBeVisible()
    await api('post', '/topics/', { name: 'Snow', text: '- Snow\n-- Tyres' })
    await page.getByRole('link', { name: 'My Templates' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'My Templates' })).toBeVisible()
    await expect(banner).toBeVisible()
  } finally {
    process.kill(server, 'SIGCONT')
  }
  await expect(banner).toBeHidden({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Topic Trees' }).click()
  await expect(page.getByRole('link', { name: 'Snow' })).toBeVisible()
})
