import { expect, expectAccessibleInBothLooks, mailedLink, password, speak, test } from './fixtures'

interface Post {
  id: string
  content: string
  version: number
  status: string
}

test('a mail asks, its page decides without a login, and what it is told is told to the next writer', async ({ person, api, assistant, browser, page, request }) => {
  test.setTimeout(300_000)
  const asking = await assistant({ name: 'Asks by mail', mode: 'approval', time: new Date(Date.now() + 30 * 60_000), lead_minutes: 1440 })
  await api('post', `/assistants/${asking.id}/activate/`)

  const postsOf = async () => ((await api('get', `/social-media-posts/?assistant_id=${asking.id}&sort=created_latest`)) as { items: Post[] }).items
  /** Return the newest mail once there are that many. */
  const newest = async (count: number) => {
    await expect.poll(async () => (await postsOf()).length, { timeout: 60_000 }).toBe(count)
    const [post] = await postsOf()
    if (!post) throw new Error('no post')
    return post
  }
  const linkOf = (post: Post) => mailedLink(request, person.email, `/social-media-posts/${post.id}`)

  // another browser without a session
  const elsewhere = await browser.newContext()
  const visitor = await elsewhere.newPage()
  const asked: string[] = []
  visitor.on('request', (one) => asked.push(one.url()))

  // opening the link shows the post and decides nothing
  const first = await newest(1)
  const link = await linkOf(first)
  const token = new URLSearchParams(link.split('#')[1]).get('token') ?? ''
  expect(token.length).toBeGreaterThan(20)
  await speak(visitor, 'de')
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Veröffentlichung freigeben?' })).toBeVisible()
  await expectAccessibleInBothLooks(visitor, 'de')
  await speak(visitor, 'en')
  await visitor.reload()
  await expect(visitor.getByRole('heading', { level: 1, name: 'Publish this?' })).toBeVisible()
  await expect(visitor.getByText(first.content.split('\n')[0] ?? '').first()).toBeVisible()
  await expect(visitor.getByText(/left\.$/)).toBeVisible()
  await expectAccessibleInBothLooks(visitor, 'en')
  expect((await postsOf())[0]?.status).toBe('draft')

  // edited and approved after a login, then published
  await visitor.getByRole('link', { name: 'Edit' }).click()
  await visitor.getByLabel('Email').fill(person.email)
  await visitor.getByRole('textbox', { name: 'Password' }).fill(password)
  await visitor.getByRole('button', { name: 'Login' }).click()
  await visitor.getByRole('textbox', { name: 'Text for all channels' }).fill('Rain is no reason to drive.')
  await visitor.getByRole('button', { name: 'Approve with changes' }).click()
  await expect.poll(async () => (await postsOf())[0]?.status).toBe('complete')
  const edited = (await postsOf())[0]
  const soon = new Date(Date.now() + 25_000).toISOString()
  await api('post', `/social-media-posts/${first.id}/move/`, { version: edited?.version, planned_at: soon })
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { level: 1, name: 'The content has changed' })).toBeVisible()
  await visitor.getByRole('link', { name: 'Open in Postloom' }).click()
  await expect(visitor.getByRole('link', { name: 'View on LinkedIn' })).toBeVisible({ timeout: 120_000 })
  await elsewhere.close()

  // another post is declined with a reason, which the next writing gets
  const outside = await (await browser.newContext()).newPage()
  outside.on('request', (one) => asked.push(one.url()))
  await speak(outside, 'en')
  await api('post', `/assistants/${asking.id}/run/`, { request_id: crypto.randomUUID() })
  const second = await newest(2)
  const secondLink = await linkOf(second)
  // the bell of a signed-in page counts it until it is answered elsewhere
  await page.goto('/assistants')
  const bell = (unread: string) => page.getByRole('button', { name: `Notifications${unread}`, exact: true })
  await expect(bell(': 1 unread notification')).toBeVisible()
  await outside.goto(secondLink)
  await outside.getByRole('button', { name: 'Decline' }).click()
  await outside.getByRole('textbox', { name: /^Reason/ }).fill('Name the street')
  await outside.getByRole('button', { name: 'Decline' }).click()
  await expect(outside.getByRole('heading', { level: 1, name: 'Declined' })).toBeVisible()
  await expect(bell('')).toBeVisible()
  await outside.reload()
  await expect(outside.getByRole('heading', { level: 1, name: 'Declined' })).toBeVisible()
  await expectAccessibleInBothLooks(outside, 'en')
  await speak(outside, 'de')
  await outside.reload()
  await expect(outside.getByRole('heading', { level: 1, name: 'Abgelehnt' })).toBeVisible()
  await expectAccessibleInBothLooks(outside, 'de')

  await api('post', `/assistants/${asking.id}/run/`, { request_id: crypto.randomUUID() })
  const third = await newest(3)
  await bell(': 1 unread notification').click()
  await expectAccessibleInBothLooks(page, 'en')
  await page.getByRole('link', { name: /^Asks by mail needs your approval/ }).first().click()
  await expect(page).toHaveURL(`/social-media-posts/${third.id}`)
  await expect(bell('')).toBeVisible()
  const { items: runs } = (await api('get', `/assistants/${asking.id}/runs/`)) as { items: { id: string; post_id: string | null }[] }
  const run = runs.find(({ post_id }) => post_id === third.id)
  await page.goto(`/assistants/${asking.id}?tab=runs&run=${run?.id}`)
  await page.getByText('Prompt', { exact: true }).first().click()
  await expect(page.getByText(/Name the street/).first()).toBeVisible()

  // no requested URL contains a token, which stays after the #
  expect(asked.filter((url) => url.includes(token))).toEqual([])
})
