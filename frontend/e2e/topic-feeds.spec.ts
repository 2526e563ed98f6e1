import { connectLinkedIn, expect, expectAccessible, feedOfSandbox, livePosts, test } from './fixtures'

interface Topics {
  id: string
  topics: { id: string; title: string; link: string; notes: string }[]
}

test('a feed makes topics, each once, and posts about them and about any page carry the link', async ({ page, api, request }) => {
  test.setTimeout(240_000)
  await page.goto('/account')
  await connectLinkedIn(page, 'Mara Lind')
  const feed = feedOfSandbox(request, `story-${Date.now()}`)
  const tree = (await api('post', '/topics/', { name: 'Bicycles', text: '- Bicycles\n-- News\n-- Repairs' })) as Topics
  await api('post', '/templates/', { type: 'text', name: 'News', language: 'en', body: 'About ((Topic)). More: ((Link))' })
  const titles = async () => {
    const { topics } = (await api('get', `/topics/${tree.id}/`)) as Topics
    return topics.map(({ title }) => title).filter((title) => title.startsWith('Report'))
  }

  // the feed is added under the chosen branch, by keys
  await page.goto(`/topics?tree=${tree.id}`)
  await page.getByRole('treeitem', { name: /News/ }).click()
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Feeds' }) })
  await expect(panel.getByText('Add the feed of a blog')).toBeVisible()
  const more = page.getByRole('button', { name: 'More', exact: true })
  await expect(more).toBeEnabled() // its menu is loaded after the page
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Feeds' }).press('Enter')
  await expect(panel).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: 'Add feed' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add feed' })
  await expect(dialog.getByLabel('Address')).toBeFocused()
  await expect(dialog.getByRole('combobox', { name: 'Add under' })).toHaveValue('– News')
  await dialog.getByLabel('Address').fill('https://127.0.0.1/feed')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Address')).toHaveAccessibleDescription(/address/i)
  await dialog.getByLabel('Address').fill(feed.address)
  await dialog.getByLabel('At most per day').fill('20')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(panel.getByText('Bicycle news')).toBeVisible()

  // of thirty items the newest three become topics
  await expect(page.getByRole('treeitem', { name: /^Report/ })).toHaveCount(3, { timeout: 60_000 })
  await expect(panel.getByText(/30 items · 3 became topics/)).toBeVisible()
  await expectAccessible(page)
  const first = await titles()

  // two more minutes at the feed; it is asked again a minute after it was asked
  await feed.pass(120)
  await panel.getByRole('button', { name: 'Check “Bicycle news” now' }).click()
  await expect(page.getByText(/will be checked within a minute/)).toBeVisible()

  // meanwhile the composer writes about the newest one, whose link becomes that of the post
  await page.goto('/social-media-posts?compose=new')
  await page.getByRole('button', { name: 'Write with a template' }).click()
  const writing = page.getByRole('group', { name: 'Write with a template' })
  const choose = async (field: string, option: string | RegExp) => {
    await writing.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await choose('Template', 'News')
  await choose('Topic tree (optional)', 'Bicycles')
  await choose('Topic from the tree', new RegExp(first.at(-1) ?? ''))
  await expect(writing.getByRole('textbox', { name: 'Link' })).toBeHidden()
  await writing.getByRole('button', { name: 'Write' }).click()
  const text = page.getByRole('textbox', { name: 'Text for all channels' })
  await expect(text).toHaveValue(/Report/, { timeout: 30_000 })
  // a demo text repeats no sentence of the page
  await expect(text).not.toHaveValue(/workshop reports/)
  const link = page.getByRole('textbox', { name: 'Address of the link' })
  const { topics } = (await api('get', `/topics/${tree.id}/`)) as Topics
  await expect(link).toHaveValue(topics.find(({ title }) => title === first.at(-1))?.link ?? '')
  await page.keyboard.press('Control+z')
  await expect(text).toHaveValue('')
  await expect(link).toBeHidden()

  // and about a page that somebody names
  await page.getByRole('button', { name: 'Write about a page…' }).click()
  const about = page.getByRole('group', { name: 'Write about a web page' })
  await about.getByRole('textbox', { name: 'Page' }).fill(feed.itemPage(7))
  await about.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'News' }).click()
  await expectAccessible(page)
  await about.getByRole('button', { name: 'Write' }).click()
  await expect(text).toHaveValue(/Report 7/, { timeout: 30_000 })
  await expect(link).toHaveValue(feed.itemPage(7))
  const written = await text.inputValue()
  await expect(page.getByText('All rules met')).toBeVisible()
  await page.getByRole('button', { name: 'Publish now' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  const published = page.getByRole('link', { name: 'View on LinkedIn' })
  await expect(published).toBeVisible({ timeout: 60_000 })
  const board = await request.get((await published.getAttribute('href')) ?? '')
  expect(await board.text()).toContain(feed.itemPage(7))
  const line = written.split('\n')[0] ?? ''
  expect((await livePosts(request)).filter((post) => post.includes(line))).toHaveLength(1)

  // the two new items are topics by now, and no item is one twice
  await expect.poll(titles, { timeout: 90_000 }).toHaveLength(5)
  expect(new Set(await titles()).size).toBe(5)
  expect((await titles()).slice(0, 3)).toEqual(first)
  await page.goto(`/topics?tree=${tree.id}`)
  await expect(page.getByRole('treeitem', { name: /^Report/ })).toHaveCount(5)

  // a paused feed says so; once it is deleted its topics stay
  await panel.getByRole('button', { name: /More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect(panel.getByText('paused', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: /More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete feed' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete feed' }).click()
  await expect(panel.getByText('Add the feed of a blog')).toBeVisible()
  await expect(page.getByRole('treeitem', { name: /^Report/ })).toHaveCount(5)
})
