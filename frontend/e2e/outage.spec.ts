import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { connectLinkedIn, expect, expectAccessible, livePosts, loseAnswers, test } from './fixtures'

/** Return the process id of the running installation's Temporal server, found by its database file. */
function temporalServer(): number {
  const file = join(process.env.E2E_DATA_DIR ?? '', 'temporal.db')
  const found = execFileSync('pgrep', ['-f', file], { encoding: 'utf8' }).trim().split('\n')
  expect(found).toHaveLength(1)
  return Number(found[0])
}

test('while Temporal does not answer the app says so, stays readable and keeps what is saved', async ({ page, api }) => {
  const banner = page.getByText('Until this is fixed, nothing is published.')
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

test('what the network never answered is settled together, and deleted there as well', async ({ page, person, api, request }) => {
  test.setTimeout(240_000)
  await page.goto('/account')
  await connectLinkedIn(page, 'Mara Lind')
  const [account] = (await api('get', '/accounts/')) as { id: string }[]
  const texts = ['first', 'second'].map((which) => `The ${which} of ${person.email}`)
  // LinkedIn escapes the @, so match only the part before it
  await loseAnswers(request, person.email.split('@')[0] ?? '', texts.length)
  for (const content of texts) {
    const id = crypto.randomUUID()
    await api('post', '/social-media-posts/', { id, content, account_ids: [account?.id], time_zone: 'Europe/Berlin', language: 'en' })
    await api('post', `/social-media-posts/${id}/publish/`, { version: 1 })
  }
  await page.goto('/')
  const needs = page.getByRole('listitem').filter({ hasText: 'It is unclear whether 2 posts were published' })
  await expect(needs).toBeVisible({ timeout: 90_000 })
  await needs.getByRole('link', { name: 'Resolve together' }).click()

  // the user resolves them, then undoes it
  const dialog = page.getByRole('dialog', { name: 'Resolve 2 unclear posts' })
  const account0 = dialog.getByRole('region', { name: 'Mara Lind' })
  await expect(account0.getByRole('link', { name: 'Look on LinkedIn' })).toHaveAttribute('href', /recent-activity/)
  await expect(account0.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'All online', exact: true }).check()
  await dialog.getByRole('button', { name: 'Resolve 2 posts' }).click()
  await expect(page.getByText('2 posts marked as published.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()

  // sent again unchanged, the network names the first posts as duplicates
  await page.getByRole('button', { name: 'Resolve together' }).click()
  await dialog.getByRole('radio', { name: 'Send again unchanged' }).check()
  await dialog.getByRole('button', { name: 'Resolve 2 posts and send again' }).click()
  await expect(page.getByText('2 posts are sent again.')).toBeVisible()
  await expect(async () => {
    const { items } = (await api('get', '/social-media-posts/')) as { items: { status: string; deliveries: { permalink: string | null }[] }[] }
    expect(items.map(({ status, deliveries }) => [status, deliveries[0]?.permalink?.includes('urn:li:')])).toEqual([['published', true], ['published', true]])
  }).toPass({ timeout: 60_000 })
  expect((await livePosts(request)).filter((text) => texts.includes(text)).sort()).toEqual(texts)

  // one post is deleted, here and at the network
  await page.goto('/social-media-posts')
  await page.getByRole('link', { name: texts[0] }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete this post?' })
  await asked.getByRole('checkbox', { name: 'Delete on LinkedIn too' }).check()
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Delete here and on LinkedIn' }).click()
  await expect(page).toHaveURL(/\/social-media-posts$/)
  await expect(page.getByRole('link', { name: texts[1] })).toBeVisible()
  await expect(page.getByRole('link', { name: texts[0] })).toBeHidden({ timeout: 30_000 })
  expect((await livePosts(request)).filter((text) => texts.includes(text))).toEqual([texts[1]])
})
