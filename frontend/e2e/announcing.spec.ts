import { connectLinkedIn, expect, expectAccessible, livePosts, test } from './fixtures'

const APP_PASSWORD = 'ann1 ann2 ann3 ann4 ann5 ann6'

test('a link goes out as a card, and a published article is announced by one', async ({ person, api, page, context, request }) => {
  test.setTimeout(180_000)
  const name = person.email.replace(/@.*/, '')
  await page.goto('/account')
  await connectLinkedIn(page, 'Mara Lind')

  // a post with a link, pasted into an empty text
  await page.goto('/social-media-posts?compose=new')
  const text = page.getByRole('textbox', { name: 'Text for all channels' })
  await text.evaluate((area) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'https://blog.example/rain')
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(page.getByRole('textbox', { name: 'Address of the link' })).toHaveValue('https://blog.example/rain')
  await text.fill(`Rain is no reason to drive, says ${name}.`)
  await expect(page.getByText(/This network shows the link as a card with a title/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Title of the card' }).fill('Riding in rain')
  await page.getByRole('textbox', { name: /Description of the card/ }).fill('What to wear')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText('Riding in rain')).toBeVisible()
  await expect(preview.getByText('blog.example')).toBeVisible()
  await expect(page.getByText('All rules met')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish now' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  const seen = page.getByRole('link', { name: 'View on LinkedIn' })
  await expect(seen).toBeVisible({ timeout: 60_000 })
  const network = await context.newPage()
  await network.goto((await seen.getAttribute('href')) ?? '')
  await expect(network.getByRole('link', { name: /Riding in rain/ })).toHaveAttribute('href', 'https://blog.example/rain')

  // a published article
  const { initial } = (((await api('get', '/websites/kinds/')) as { connection: { fields: { name: string; initial: string }[] } }[])
    .flatMap(({ connection }) => connection.fields)
    .find((field) => field.name === 'site')) ?? { initial: '' }
  const site = (await api('post', '/websites/connect/wordpress/', {
    fields: { site: initial, username: 'ada-lindqvist', app_password: APP_PASSWORD },
    language: 'en',
  })) as { id: string }
  const draft = (await api('post', '/articles/', {
    id: crypto.randomUUID(),
    website_id: site.id,
    content: '## When\n\nBelow **seven** degrees.',
    fields: { title: `Winter tyres of ${name}`, slug: `winter-tyres-${name}`.replaceAll(/[^a-z0-9]+/g, '-'), summary: `When ${name} changes them.` },
    time_zone: 'Europe/Berlin',
    language: 'en',
  })) as { id: string; version: number }
  await page.goto(`/posts/${draft.id}`)
  await api('post', `/social-media-posts/${draft.id}/publish/`, { version: draft.version })
  await page.goto(`/posts/${draft.id}`)
  await expect(page.getByRole('link', { name: 'View live' })).toBeVisible({ timeout: 30_000 })

  await page.getByRole('button', { name: 'Announce' }).click()
  const dialog = page.getByRole('dialog', { name: 'Announce the article' })
  await expect(dialog.getByText('The article is online at:')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: /Mara Lind/ })).toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'Immediately' }).check()
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await expect(dialog).toBeHidden()
  const announcements = page.locator('.panel', { has: page.getByRole('heading', { name: 'Announcements' }) })
  await expect(announcements.getByRole('link', { name: `When ${name} changes them.` })).toBeVisible()
  await expect(announcements.getByText('Published')).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  expect(await livePosts(request)).toContain(`When ${name} changes them.`)

  // again, as an edited draft
  await page.getByRole('button', { name: 'Announce' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('textbox', { name: 'Title of the card' })).toHaveValue(`Winter tyres of ${name}`)
  await expect(text).toHaveValue(`When ${name} changes them.`)
})
