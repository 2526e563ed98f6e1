import { expect, expectAccessible, sandboxPosts, test } from './fixtures'

/** What the story's post says; its sentences are the pages, since the installation has no model. */
const postOf = (word: string) =>
  [
    `Riding in winter needs three things, ${word}.`,
    'Lower your light by a finger. It blinds nobody and shows more of the road.',
    'We rode on 104 of 117 rainy days. The chain thanks us for oil.',
    'Dry your gloves on the heater. Warm hands brake better than cold ones.',
    'Come by on Saturday!',
  ].join('\n\n')

test('a carousel is tried in the marketplace’s template, made for a post, edited again and published in order', async ({
  person,
  page,
  api,
  request,
}) => {
  test.slow() // it tries, makes, publishes and edits
  expect(person.token).toBeTruthy()
  const word = crypto.randomUUID().slice(0, 8)
  await page.goto('/account')
  await page.getByRole('button', { name: /^Instagram/ }).click()
  await page.getByRole('radio', { name: /^Mara Lind/ }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Instagram is connected' })).toBeVisible()

  // the bundled template, page by page
  await page.goto('/marketplace')
  await page.getByRole('link', { name: 'Carousel: swipeable guide' }).click()
  const drawer = page.getByRole('dialog', { name: 'Carousel: swipeable guide' })
  await expect(drawer.getByRole('button', { name: 'Next page' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Copy to my templates' }).click()
  await drawer.getByRole('link', { name: 'Open copy' }).click()
  await page.getByLabel('Topic', { exact: true }).fill('Winter')
  await page.getByRole('button', { name: 'Run' }).click()
  const result = page.getByRole('region', { name: 'Result of the test run' })
  await expect(result.getByText(/Done in/)).toBeVisible({ timeout: 30_000 })
  await result.getByRole('button', { name: 'Next page' }).click()
  await expect(result.getByText(/^2\/\d$/)).toBeVisible()
  await expectAccessible(page)

  // a post that gets its pages
  await page.goto('/social-media-posts?compose=new')
  await page.getByRole('textbox', { name: 'Text for all channels' }).fill(postOf(word))
  await page.getByRole('button', { name: 'Create image with a template' }).click()
  const drawing = page.getByRole('group', { name: 'Create image with a template' })
  await drawing.getByLabel('Topic', { exact: true }).fill('Three things for winter')
  await drawing.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText(/^\d images were added\.$/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('textbox', { name: 'Alt text of image 1' })).toHaveValue('Three things for winter.')
  await expect(page.getByRole('link', { name: 'Edit as new carousel' })).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish now' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByRole('link', { name: 'View on Instagram' })).toBeVisible({ timeout: 60_000 })

  // the board has the pages in their order
  const found = (await api('get', `/social-media-posts/?search=${word}`)) as { items: { files: { alt: string }[] }[] }
  const files = found.items[0]?.files ?? []
  const posted = (await sandboxPosts(request)).filter(({ text }) => text.includes(word))
  expect(posted).toHaveLength(1)
  expect(posted[0]?.images?.map(({ alt_text }) => alt_text)).toEqual(files.map(({ alt }) => alt))

  // the carousel opens with all its pages
  await page.getByRole('link', { name: 'Edit as new carousel' }).click()
  await expect(page.getByRole('heading', { name: 'Carousel designer' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Pages' }).getByRole('listitem')).toHaveCount(files.length)
  await expectAccessible(page)
})
