import { readFileSync } from 'node:fs'
import { expect, expectAccessible, expectAccessibleInBothLooks, test } from './fixtures'

test('what the list shows goes out as a file, is changed there, and comes back as drafts once every line is right', async ({ page, person, api }) => {
  for (const [content, tags] of [['Mudguards help.', ['winter']], ['Lights on.', ['winter']], ['Sun cream.', ['summer']]] as const)
    await api('post', '/social-media-posts/', { id: crypto.randomUUID(), content, tags, time_zone: 'Europe/Berlin', language: 'en' })
  expect(person.token).toBeTruthy()
  await page.goto('/social-media-posts?tag=winter')
  await expect(page.getByRole('link', { name: 'Lights on.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sun cream.' })).toBeHidden()

  await page.getByRole('button', { name: 'Import and export' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export 2 posts as CSV' }).click()
  const file = readFileSync(await (await downloading).path(), 'utf8')
  expect(file).toContain('Lights on.')
  expect(file).not.toContain('Sun cream.')

  // edit the file, with a date that does not exist
  const [names = '', ...lines] = file.trimEnd().split('\r\n')
  const at = names.replace('\ufeff', '').split(',').indexOf('planned_at')
  const planned = (when: string) =>
    [names, ...lines.map((line) => line.replace('Lights on.', 'Lights on every day.')).map((line, index) => {
      const cells = line.split(',')
      if (index === 0) cells[at] = when
      return cells.join(',')
    })].join('\r\n')
  const choose = (csv: string) =>
    page.locator('input[type=file]').setInputFiles({ name: 'posts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })

  await page.getByRole('button', { name: 'Import and export' }).click()
  await page.getByRole('menuitem', { name: 'Import from CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import from CSV' })
  await choose(planned('2099-02-30 09:00'))
  await expect(dialog.getByText('1 line has errors.')).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Lines with errors' }).getByRole('listitem')).toContainText(['planned_at'])
  await expect(dialog.getByRole('button', { name: 'Save 1 draft' })).toBeDisabled()
  await expectAccessible(page)

  await choose(planned('2099-02-28 09:00'))
  await expect(dialog.getByText('2 posts.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save 2 drafts' }).click()
  await expect(page.getByText('2 drafts saved.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Lights on every day.' })).toBeVisible()
  const { items } = (await api('get', '/social-media-posts/?tag=winter')) as { items: { content: string; planned_at: string | null }[] }
  expect(items.map(({ content }) => content).sort()).toEqual(['Lights on every day.', 'Lights on.', 'Mudguards help.', 'Mudguards help.'])
  expect(items.map(({ planned_at }) => planned_at).filter(Boolean)).toEqual([expect.stringMatching(/^2099-02-28T09:00:00/)])
})

test('a file of Excel on a Mac is asked about, by keyboard and on a phone, and comes in as it was meant', async ({ page, person, api }) => {
  expect(person.token).toBeTruthy()
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/social-media-posts?import=csv')
  const dialog = page.getByRole('dialog', { name: 'Import from CSV' })
  // “schön” in Mac Roman, and two ambiguous dates
  const file = Buffer.from('Idea;Image URL;Go live\rsch\x9an;https://a.de/b.png;3/5/2099\rK\x9aln;;4/6/2099\r', 'latin1')
  await page.locator('input[type=file]').setInputFiles({ name: 'excel.csv', mimeType: 'text/csv', buffer: file })
  await expect(dialog.getByText('Choose which column contains the text of the posts.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Idea' }).selectOption('Text')
  await dialog.getByRole('combobox', { name: 'Go live' }).selectOption('Date, with or without time')
  await expect(dialog.getByRole('radiogroup', { name: 'Which day is “3/5/2099”?' })).toBeVisible()
  await expectAccessibleInBothLooks(page, 'en', '[role=dialog]')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  const right = dialog.getByRole('radio', { name: 'schön' })
  await right.focus()
  await page.keyboard.press('Space')
  await expect(right).toBeChecked()
  const march = dialog.getByRole('radio', { name: 'Thu 5 Mar 2099' })
  await march.focus()
  await page.keyboard.press('Space')
  await expect(march).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Save drafts' })).toBeDisabled()
  await dialog.getByLabel(/Time of day/).fill('09:30')
  await expect(dialog.getByText('Images are not imported.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save 2 drafts' }).click()
  await expect(page.getByText('2 drafts saved.')).toBeVisible()
  const { items } = (await api('get', '/social-media-posts/?sort=created_earliest')) as { items: { content: string; planned_at: string }[] }
  expect(items.map(({ content }) => content)).toEqual(['schön', 'Köln'])
  expect(items.map(({ planned_at }) => planned_at.slice(0, 10))).toEqual(['2099-03-05', '2099-04-06'])
})
