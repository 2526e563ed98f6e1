import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { connectLinkedIn, expect, expectAccessible, livePosts, loseAnswers, refuseAccess, sandbox, test } from './fixtures'
import { png } from './png'

const AHEAD = 10_000 // ms: time to save and schedule before a post is armed 3 s ahead
const GOES_ON = { timeout: 30_000 } // ms: held deliveries are checked every 15 s
const TOLD = { timeout: 60_000 } // ms: a bit more than the longest call

/** Return a word that no other test's posts contain. */
const uniqueWord = () => crypto.randomUUID().slice(0, 8)

const card = (page: Page, network: string) => page.getByRole('button', { name: new RegExp(`^${network}`) })

/** Give consent on the network's own page. */
async function allow(page: Page, name: string) {
  await page.getByRole('radio', { name: new RegExp(`^${name}`) }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
}

/** Submit the form with the suggested server. */
async function leaveForMastodon(page: Page) {
  const form = page.getByRole('dialog', { name: 'Connect Mastodon' })
  await expect(form.getByRole('textbox', { name: 'Server' })).toHaveValue(/^http/)
  await form.getByRole('button', { name: 'Continue to server' }).click()
  await page.waitForURL(/oauth\/authorize/) // wait, because the form has a Cancel button, too
}

async function connectMastodon(page: Page, name: string) {
  await card(page, 'Mastodon').click()
  await leaveForMastodon(page)
  await allow(page, name)
  await expect(page.getByRole('heading', { name: 'Mastodon is connected' })).toBeVisible()
}

const back = (page: Page) => page.getByRole('link', { name: 'Back to Social Accounts' }).click()

/** Choose these accounts among those that the consent offers. */
async function choose(page: Page, network: string, ...names: string[]) {
  await expect(page.getByRole('heading', { name: `${network} ` })).toBeVisible()
  for (const name of names) await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: names.length === 1 ? 'Connect 1 account' : `Connect ${names.length} accounts` }).click()
  await expect(page.getByRole('heading', { name: `${network} is connected` })).toBeVisible()
}

const account = (page: Page, network: string, name: string): Locator =>
  page.getByRole('region', { name: 'Social Accounts' }).getByRole('listitem').filter({ hasText: `${network} · ` }).filter({ hasText: name })

test('each network is connected in its own way, and one that was declined is begun again', async ({ person, page, request }) => {
  test.setTimeout(240_000)
  expect(person.token).toBeTruthy()
  await page.goto('/account')
  await connectLinkedIn(page, 'Mara Lind')
  await back(page)

  await card(page, 'LinkedIn Pages').click()
  await allow(page, 'Ada Lindqvist')
  await choose(page, 'LinkedIn Pages', 'Lindqvist Coffee')
  await back(page)

  await card(page, 'Facebook').click()
  await allow(page, 'Ada Lindqvist')
  await choose(page, 'Facebook', 'Lindqvist Coffee', 'Radwerk Weber')
  await back(page)

  // only one account: nothing to choose
  await card(page, 'Instagram').click()
  await allow(page, 'Mara Lind')
  await expect(page.getByRole('heading', { name: 'Instagram is connected' })).toBeVisible()
  await back(page)

  await card(page, 'Threads').click()
  await allow(page, 'Mara Lind')
  await expect(page.getByRole('heading', { name: 'Threads is connected' })).toBeVisible()
  await back(page)

  await card(page, 'Mastodon').click()
  await leaveForMastodon(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Access was denied' })).toBeVisible()
  await expect(page.getByText('Mastodon was not allowed. Start again and allow access there.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start again' }).click()
  await leaveForMastodon(page)
  await allow(page, 'Jonas Weber')
  await expect(page.getByRole('heading', { name: 'Mastodon is connected' })).toBeVisible()
  await back(page)

  // connected by the form only, without leaving the app
  await card(page, 'Bluesky').click()
  const form = page.getByRole('dialog', { name: 'Connect Bluesky' })
  await form.getByRole('textbox', { name: 'Handle' }).fill('nora-feld.test')
  await form.getByRole('textbox', { name: 'App password' }).fill('not one of those')
  await form.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(form.getByText('The login was not accepted. Check your entries.')).toBeVisible()
  await form.getByRole('textbox', { name: 'App password' }).fill('abcd-efgh-ijkl-mnop')
  await form.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(form).toBeHidden()

  for (const [network, name] of [
    ['LinkedIn', 'Mara Lind'],
    ['LinkedIn Pages', 'Lindqvist Coffee'],
    ['Facebook', 'Lindqvist Coffee'],
    ['Facebook', 'Radwerk Weber'],
    ['Instagram', 'mara.lind.studio'],
    ['Threads', 'Mara Lind'],
    ['Mastodon', 'Jonas Weber'],
    ['Bluesky', 'Nora Feld'],
  ] as const)
    await expect(account(page, network, name)).toContainText('Connected')
  // the sandbox's app for people lacks what comments need, that for pages has it
  await account(page, 'LinkedIn', 'Mara Lind').getByText('First comments: not allowed by this LinkedIn app').click()
  await expect(page.getByText(/w_member_social_feed in LINKEDIN_SCOPES/)).toBeVisible()
  await expect(account(page, 'LinkedIn Pages', 'Lindqvist Coffee')).not.toContainText('First comments')
  await expectAccessible(page)

  await publishWithImages(page, request)
})

interface LivePost {
  text: string
  images: unknown[]
  comments?: string[]
}

/** Publish two images, a link, a mention and a first comment on Threads, LinkedIn and a page of LinkedIn. */
async function publishWithImages(page: Page, request: APIRequestContext) {
  const word = uniqueWord()
  await page.goto('/social-media-posts?compose=new')
  for (const name of ['Threads Mara Lind Threads', 'LinkedIn Mara Lind LinkedIn', 'LinkedIn Pages Lindqvist Coffee LinkedIn Pages']) {
    await page.getByRole('button', { name: 'Add account' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await page
    .getByRole('textbox', { name: 'Text for all channels' })
    .fill(`With @[Radwerk Weber](urn:li:organization:2414184), ${word}. https://lindhof.example/rain`)
  await page.evaluate((images) => {
    const clipboardData = new DataTransfer()
    for (const [at, image] of images.entries()) {
      const bytes = Uint8Array.from(atob(image), (letter) => letter.charCodeAt(0))
      clipboardData.items.add(new File([bytes], `shade-${at}.png`, { type: 'image/png' }))
    }
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, [60, 160].map((shade) => png(800, 600, shade).toString('base64')))
  await expect(page.getByRole('textbox', { name: 'Alt text' })).toHaveCount(2)
  const comment = page.getByRole('textbox', { name: /First comment/ })
  await expect(comment).toHaveAccessibleDescription('Posted right after the post, on LinkedIn Pages. Not on LinkedIn: add it there yourself after publishing.')
  await comment.fill(`More of ${word}`)
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByText(`With Radwerk Weber, ${word}.`)).toHaveCount(3)
  await expect(page.getByText('All rules met')).toHaveCount(3)
  await page.getByRole('button', { name: 'Publish now' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByRole('link', { name: 'View on Threads' })).toBeVisible(TOLD)
  await expect(page.getByRole('link', { name: 'View on LinkedIn' })).toHaveCount(2, TOLD)
  await expect(page.getByText('Published without the first comment: copy it and add it on LinkedIn yourself.')).toBeVisible(TOLD)
  await expect(page.getByText('First comment published.')).toBeVisible(TOLD)
  await expectAccessible(page)

  const posts = (await (await request.get(`${sandbox()}/sandbox/posts`)).json()) as LivePost[]
  const live = posts.filter(({ text }) => text.includes(word))
  expect(live.map(({ images }) => images.length)).toEqual([2, 2, 2])
  expect(new Set(live.map(({ text }) => text))).toEqual(new Set([`With Radwerk Weber, ${word}. https://lindhof.example/rain`]))
  expect(live.flatMap(({ comments = [] }) => comments)).toEqual([`More of ${word}`])
}

test('a post whose access ended before its time is held, and goes out once, by itself, after the new login', async ({
  person,
  page,
  request,
}) => {
  expect(person.token).toBeTruthy()
  const text = `Rain from noon, ${uniqueWord()}.`
  const live = async () => (await livePosts(request)).filter((found) => found === text)
  await refuseAccess(request, text, 1)
  await page.goto('/account')
  await connectMastodon(page, 'Mara Lind')

  await page.goto('/social-media-posts?compose=new')
  await page.getByRole('textbox', { name: 'Text for all channels' }).fill(text)
  await expect(async () => {
    // users choose minutes, the test uses seconds to be faster. The field drops seconds of 0, and all seconds once the
    // draft has been saved automatically
    const soon = new Date(Date.now() + AHEAD).toISOString().slice(0, 19).replace(/:00$/, ':01')
    await page.getByLabel(/Date and time/).fill(soon)
    await page.getByRole('button', { name: 'Schedule' }).first().click()
    await expect(page).toHaveURL(/\/social-media-posts\/[0-9a-f-]{36}$/)
  }).toPass()

  await expect(page.getByText(/Held: reconnect Mastodon by .+\d\d:\d\d/)).toBeVisible(GOES_ON)
  await expect(page.getByText('Reconnect the account by then, and the post is published automatically.')).toBeVisible()
  await expectAccessible(page)
  expect(await live()).toEqual([])

  await page.getByRole('link', { name: 'Reconnect the account' }).click()
  await expect(account(page, 'Mastodon', 'Mara Lind')).toContainText('Needs a new login')
  await account(page, 'Mastodon', 'Mara Lind').getByRole('button', { name: 'Reconnect' }).click()
  await leaveForMastodon(page)
  await allow(page, 'Mara Lind')
  await expect(page.getByRole('heading', { name: 'Mastodon is connected' })).toBeVisible()
  await back(page)
  await expect(account(page, 'Mastodon', 'Mara Lind')).toContainText('Connected')

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Posts' }).click()
  await page.getByRole('link', { name: text }).click()
  await expect(page.getByRole('link', { name: 'View on Mastodon' })).toBeVisible(GOES_ON)
  await expect(page.getByText(/^Mastodon · Published/)).toBeVisible()
  expect(await live()).toEqual([text])
})

test('which of two posts that say the same got through a person finds there, and nothing is sent by it', async ({
  page,
  api,
  request,
}) => {
  const text = `Open as ever, ${uniqueWord()}.`
  const live = async () => (await livePosts(request)).filter((found) => found === text)
  await page.goto('/account')
  await connectMastodon(page, 'Mara Lind')
  const [connected] = (await api('get', '/accounts/')) as { id: string }[]
  // a lookup finds the posts, but not which delivery made which
  await loseAnswers(request, text, 1)
  for (const id of [crypto.randomUUID(), crypto.randomUUID()]) {
    const post = { id, content: text, account_ids: [connected?.id], time_zone: 'Europe/Berlin', language: 'en' }
    await api('post', '/social-media-posts/', post)
    await api('post', `/social-media-posts/${id}/publish/`, { version: 1 })
  }

  await page.goto('/')
  const unclear = page.getByRole('listitem').filter({ hasText: 'Unclear at Mastodon: is the post online?' })
  await expect(unclear).toBeVisible(TOLD)
  await unclear.getByRole('link', { name: text }).click()
  await expectAccessible(page)
  const { items } = (await api('get', '/social-media-posts/')) as { items: { status: string; deliveries: { permalink: string | null }[] }[] }
  const other = items.find(({ status }) => status === 'published')?.deliveries[0]?.permalink
  expect(other).toBeTruthy()

  const [network] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Look on Mastodon' }).click()])
  const found = network.getByRole('article').filter({ hasText: text }).getByRole('link')
  await expect(found).toHaveCount(2)
  const addresses = await found.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  const [address = ''] = addresses.filter((one) => one !== other)
  await network.close()
  await page.getByLabel('Address of the post (optional)').fill(address)
  await page.getByRole('button', { name: 'Yes, online', exact: true }).click()
  await expect(page.getByText(/Confirmed manually/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'View on Mastodon' })).toHaveAttribute('href', address)
  expect(await live()).toEqual([text, text])
})
