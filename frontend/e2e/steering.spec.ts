import { expect, expectAccessibleInBothLooks, speak, test } from './fixtures'

// four slots a day, at any time of the run none within two hours, since its post would be prepared already
const hours = [3, 9, 15, 21].map((ahead) => new Date(Date.now() + ahead * 3_600_000))
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', hour: '2-digit' })
const FORM = {
  name: 'Cycling tips',
  schedule: { frequency: 'daily', time_zone: 'Europe/Berlin', time_slots: hours.map((at) => `${clock.format(at)}:00`) },
  mode: 'draft',
  language: 'en',
}

test('an assistant is steered while it sleeps, in German', async ({ page, api }, info) => {
  const template = { type: 'text', name: 'Tip', description: '', language: 'en', tags: [], body: 'About ((Topic)).' }
  const { version_id } = (await api('post', '/templates/', template)) as { version_id: string }
  const { id: topic_tree_id } = (await api('post', '/topics/', { name: 'Cycling', text: '- Cycling\n-- Rain' })) as { id: string }
  const body = { ...FORM, topic_tree_id, template_version_id: version_id }
  const { id } = (await api('post', '/assistants/', body)) as { id: string }
  await api('post', `/assistants/${id}/activate/`)

  await api('patch', '/users/me/', { language: 'de' })
  await speak(page, 'de')
  await page.goto(`/assistants/${id}`)
  const head = page.locator('.live-head h2')
  await expect(head).toHaveText(/^Nächster Entwurf/)

  // by keyboard only
  await page.getByRole('button', { name: 'Cycling tips pausieren' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Für eine Woche' }).press('Enter')
  await expect(head).toHaveText(/^Pausiert bis/)
  await page.screenshot({ path: info.outputPath('paused.png') })
  await expectAccessibleInBothLooks(page, 'de')
  await page.getByRole('button', { name: 'Fortsetzen' }).press('Enter')
  await expect(head).toHaveText(/^Nächster Entwurf/)

  const first = page.locator('.occ li').first()
  await page.getByRole('button', { name: 'Nächsten auslassen' }).click()
  await expect(first).toContainText('ausgelassen')
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await expect(first).not.toContainText('ausgelassen')

  await page.getByRole('button', { name: 'Jetzt ausführen' }).click()
  await expect(page.locator('.rows li').first()).toContainText('von Hand gestartet')
  await expect(page.locator('.rows li').first()).toContainText('Entwurf')
  await expect(head).toHaveText(/^Nächster Entwurf/)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: info.outputPath(`steered-${width}.png`) })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(width)
  }
})
