import { expect, expectAccessible, test } from './fixtures'
import { png } from './png'

// sign in a new user, who owns all objects of these tests
test.beforeEach(({ person }) => expect(person.token).not.toBe(''))

test('a template from the marketplace is copied, changed, compared and tried out', async ({ page }) => {
  await page.goto('/marketplace')
  // the marketplace also has templates of other users
  await page.getByRole('button', { name: 'Bundled' }).click()
  await expect(page.getByText('23 templates')).toBeVisible()
  await page.getByRole('link', { name: 'Three steps that work' }).click()
  const drawer = page.getByRole('dialog', { name: 'Three steps that work' })
  await expect(drawer.getByText('A timer set to ten keeps you honest.')).toBeVisible()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Copy to my templates' }).click()
  await drawer.getByRole('link', { name: 'Open copy' }).click()

  const text = page.getByRole('textbox', { name: 'Template', exact: true })
  await expect(text).toHaveValue(/instructions in as many steps as it takes, at most five: \(\(Topic\)\)/)
  await text.press('ControlOrMeta+End')
  await text.pressSequentially('\nMention the weather in ((Place)).')
  await expect(page.getByRole('button', { name: 'Insert variable Place' }).or(page.getByText('Place', { exact: true })).first()).toBeVisible()
  await page.getByRole('button', { name: 'Save version 2' }).click()
  await expect(page.getByText('Saved as version 2.')).toBeVisible()

  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(page.getByText('Mention the weather in').first()).toBeVisible()
  await expect(page.getByText(/line changed/).or(page.getByText(/lines changed/)).first()).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Write and try' }).click()
  await page.getByLabel('Topic', { exact: true }).fill('Riding in the rain')
  await page.getByLabel('Audience', { exact: true }).fill('people who commute')
  await page.getByLabel('Place', { exact: true }).fill('Bremen')
  await page.getByRole('button', { name: 'Run' }).click()
  const result = page.getByRole('region', { name: 'Result of the test run' })
  await expect(result.getByText(/Done in/)).toBeVisible({ timeout: 30_000 })
  await expect(result.getByText(/riding in the rain/i).first()).toBeVisible()
  await expect(result.getByText('Demo writer').first()).toBeVisible()
  // the demo writer uses no model, so its cost is known to be 0
  await expect(result.getByText(/[$€]0\.00/).first()).toBeVisible()
  await result.getByText('JSON', { exact: true }).click()
  await expect(result.getByText(/"model": "demo-writer"/)).toBeVisible()
  await expectAccessible(page)
})

test('a list with an error is mended and imported, and a branch moves by keyboard', async ({ page }) => {
  const lines = ['- Cycling', '-- Weather', '--- Rain', '--- Snow', '-- Money', '--- Service', '---- - x', '--- Insurance']
  const wrong = lines.with(6, '------ Tyres')
  await page.goto('/topics')
  await page.getByRole('button', { name: 'Import topics' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cycling')
  await dialog.getByRole('textbox', { name: 'Lines' }).fill(wrong.join('\n'))
  await expect(dialog.getByText('Line 7: the depth jumps from 3 to 6.').first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Import/ })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Lines' }).fill(lines.with(6, '---- Tyres').join('\n'))
  await dialog.getByRole('button', { name: 'Import 8 topics' }).click()

  const money = page.getByRole('treeitem', { name: /Money/ })
  await expect(money).toBeVisible()
  await money.click()
  await page.keyboard.press('Alt+ArrowUp')
  const titles = async () =>
    (await page.getByRole('treeitem').allInnerTexts()).map((found) => found.split('\n').find((part) => /[a-z]/i.test(part)))
  await expect.poll(titles).toEqual(['Cycling', 'Money', 'Service', 'Tyres', 'Insurance', 'Weather', 'Rain', 'Snow'])
  await expect(page.getByText('Money: now 1 of 2 under Cycling')).toBeAttached()
  await expectAccessible(page)
  await page.reload()
  await expect.poll(titles).toEqual(['Cycling', 'Money', 'Service', 'Tyres', 'Insurance', 'Weather', 'Rain', 'Snow'])
  // requested once, by the route in parallel with the page's code
  const fetched = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const ofTree = fetched.filter((name) => /\/(api\/topics\/[0-9a-f-]{36}\/|assets\/topic-tree-[^/]*\.js)$/.test(name))
  expect(ofTree.map((name) => name.split('/')[3]).sort()).toEqual(['api', 'assets'])
})

test('suggested subtopics stand in the tree, also after a reload, and are decided on by keyboard', async ({ page }) => {
  await page.goto('/topics?import')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cycling')
  await dialog.getByRole('textbox', { name: 'Lines' }).fill('- Cycling\n-- Weather\n--- Rain\n-- Money')
  await dialog.getByRole('button', { name: 'Import 4 topics' }).click()
  await page.getByRole('treeitem', { name: /^Weather/ }).click()
  await page.getByRole('button', { name: 'Suggest subtopics' }).click()
  const offers = page.getByRole('treeitem', { name: /^Suggestion/ })
  await expect(offers).toHaveCount(6, { timeout: 30_000 })
  await expectAccessible(page)
  await page.reload()
  await expect(offers).toHaveCount(6)
  const titles = (await offers.allTextContents()).map((text) => text.split('Suggestion')[0]?.trim() ?? '')

  await page.getByRole('tree').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Delete')
  await expect(offers).toHaveCount(4)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(offers).toHaveCount(5)
  await page.getByRole('button', { name: 'Keep all' }).click()
  await expect(offers).toHaveCount(0)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  for (const title of titles) await expect(page.getByRole('treeitem', { name: `${title}, never used` })).toBeVisible()
})

test('five images are uploaded, one of which is none, and a card is designed', async ({ page }) => {
  await page.goto('/media-gallery')
  await page.locator('input[type=file]').first().setInputFiles([
    ...[40, 90, 140, 200].map((shade) => ({ name: `shade-${shade}.png`, mimeType: 'image/png', buffer: png(640, 480, shade) })),
    { name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<!doctype html><script>alert(1)</script>') },
  ])
  await expect(page.getByText('4 of 5 files uploaded')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/This is not a JPEG, PNG, WebP, GIF, HEIC, AVIF, PDF or MP4/)).toBeVisible()
  await page.getByRole('button', { name: 'Close the list of uploads' }).click()
  await expect(page.getByText('4 files', { exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Design a card' }).or(page.getByRole('button', { name: 'Design a card' })).first().click()
  await page.getByLabel('Headline').fill('12 minutes')
  await page.getByLabel('Text (optional)').fill('A new tube while you have a coffee')
  await expect(page.getByText('1080 × 1080 pixels')).toBeVisible()
  await page.getByRole('button', { name: 'Save to images' }).click()
  await expect(page).toHaveURL(/[?&]image=/)
  await page.goto('/media-gallery?origin=card')
  await expect(page.getByText('1 image', { exact: true })).toBeVisible()
})
