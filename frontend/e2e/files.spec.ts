import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectLinkedIn, expect, expectAccessible, expectAccessibleInBothLooks, sandboxPosts, test } from './fixtures'

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

/** Return a file that Python's libraries make, as the tests of the server do. */
const made = (code: string): Buffer =>
  execFileSync(process.env.E2E_PYTHON ?? 'python3', ['-c', `import sys; ${code}`], { cwd: join(import.meta.dirname, '..', '..'), maxBuffer: 10_000_000 })

test('a PDF goes to LinkedIn as a document, and a video with its cover to two networks', async ({ page, person, request }) => {
  test.slow() // two posts, one with a video that networks process
  expect(person.token).toBeTruthy()
  const word = crypto.randomUUID().slice(0, 8)
  const posted = async () => (await sandboxPosts(request)).filter(({ text }) => text.includes(word))
  await page.goto('/account')
  await connectLinkedIn(page, 'Mara Lind')
  await page.goto('/account')
  await page.getByRole('button', { name: /^Mastodon/ }).click()
  await page.getByRole('dialog', { name: 'Connect Mastodon' }).getByRole('button', { name: 'Continue to server' }).click()
  await page.waitForURL(/oauth\/authorize/)
  await page.getByRole('radio', { name: /^Jonas Weber/ }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Mastodon is connected' })).toBeVisible()

  // the gallery takes both, and shows what they are
  await page.goto('/media-gallery')
  const pdf = made('from tests.documents import a_pdf; sys.stdout.buffer.write(a_pdf(3))')
  // LinkedIn takes no video below 75 KB
  const clip = made('from tests.clips import video; sys.stdout.buffer.write(video(120, (320, 240)))')
  await page.locator('input[type=file]').first().setInputFiles([
    { name: 'Eight_questions.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'Rain.mp4', mimeType: 'video/mp4', buffer: clip },
  ])
  await expect(page.getByText('2 of 2 files uploaded')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('link', { name: /Document ?3 pages/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Video ?2:00/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /Document ?3 pages/ }).click()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('2/3')).toBeVisible()
  await expectAccessible(page)

  const compose = async (file: RegExp, accounts: string[], text: string) => {
    await page.goto('/social-media-posts?compose=new')
    await page.getByRole('textbox', { name: 'Text for all channels' }).fill(text)
    for (const account of accounts) {
      await page.getByRole('button', { name: 'Add account' }).click()
      await page.getByRole('menuitem', { name: new RegExp(account) }).click()
    }
    await page.getByRole('button', { name: 'Choose files' }).click()
    const dialog = page.getByRole('dialog', { name: 'Files' })
    await dialog.getByRole('button', { name: file }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  const publish = async (...networks: string[]) => {
    await page.getByRole('button', { name: 'Publish now' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
    for (const network of networks) await expect(page.getByRole('link', { name: `View on ${network}` })).toBeVisible({ timeout: 60_000 })
  }

  await compose(/Eight_questions/, ['Mara Lind'], `Eight questions ${word}.`)
  const title = page.getByRole('textbox', { name: 'Title of the document' })
  await expect(title).toHaveValue('Eight questions')
  await title.fill('What people ask us')
  await expect(page.getByText('18 / 58')).toBeVisible()
  await expect(page.getByText('LinkedIn: the document')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Preview' }).getByText('What people ask us')).toBeVisible()
  await expect(page.getByText('All rules met').first()).toBeVisible()
  await expectAccessible(page)
  await publish('LinkedIn')
  expect(await posted()).toMatchObject([{ documents: [{ title: 'What people ask us', pages: 3 }] }])

  await compose(/Rain/, ['Mara Lind', 'Jonas Weber'], `Rain ${word}.`)
  await page.getByRole('textbox', { name: 'Alt text' }).fill('A wet street')
  await page.getByRole('button', { name: 'Choose from the video' }).click()
  const slider = page.getByRole('slider', { name: 'Moment in the video' })
  await expect(page.getByRole('button', { name: 'Use as cover' })).toBeEnabled()
  await slider.focus()
  for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowRight')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use as cover' }).click()
  await expect(page.getByText('Cover chosen.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove the cover' })).toBeVisible()
  await expect(page.getByText('LinkedIn and Mastodon: the video')).toBeVisible()
  await publish('LinkedIn', 'Mastodon')
  const videos = (await posted()).filter(({ text }) => text.startsWith('Rain'))
  expect(videos).toHaveLength(2)
  for (const post of videos) expect(post.videos).toHaveLength(1)
})
