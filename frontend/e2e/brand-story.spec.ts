import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Page } from '@playwright/test'
import { connectLinkedIn, expect, expectAccessible, livePosts, test as base } from './fixtures'
import { startInstallation } from './installation'

const PAGE = `<!doctype html><html lang="en"><head><title>Spoke and Chain</title>
<meta name="description" content="A small bicycle workshop"></head>
<body><nav>Menu</nav><main><h1>Spoke and Chain</h1><p>We repair commuter bikes. The workshop opened in 2014.</p></main></body></html>`

const BRAND = {
  name: 'Spoke and Chain',
  about: 'Repairs commuter bikes.',
  audience: 'People who ride to work.',
  voice: 'Friendly and dry, in short sentences.',
  dos: ['Begin with a situation from the road.'],
  donts: [],
  address: 'any',
  emoji: 'none',
  hashtags: 'network',
  words_to_use: ['commuter'],
  words_to_avoid: ['cheap'],
  // the page says nothing of 40 people
  facts: ['The workshop opened in 2014.', 'The workshop employs 40 people.'],
  languages: ['en'],
}

const LABELS = { linkedin: 'LinkedIn', facebook: 'Facebook', mastodon: 'Mastodon' }
type Texts = Record<keyof typeof LABELS, string>

/** What the model writes about each topic. Rules of the second look have nothing to say about it. */
const WRITTEN: Record<string, Texts> = {
  Mudguards: {
    linkedin:
      'Wet trousers end many rides to work.\n\nFull mudguards keep both legs dry, and the chain as well. We have mounted them since 2014, and the best sign is the bag: it stays clean.',
    facebook: 'Rain on the way to the office? Full mudguards keep the water on the road. Ask us for a set.',
    mastodon: 'A dry chain lasts longer than a wet one. That is half of what full mudguards are for.',
  },
  Lights: {
    linkedin:
      'The evening commute gets dark before anybody notices.\n\nA dynamo light needs no charging and shines as soon as the wheel turns. Drivers see it from afar, and nobody has to remember a cable.',
    facebook: 'Did your lamp run out halfway home? A dynamo never does, because your legs do the charging.',
    mastodon: 'Batteries run empty on the darkest evening of the week. A dynamo does not know evenings.',
  },
}
const EDITED = 'Rain on the way to the office? Full mudguards keep the water on the road. We mount a set while you have a coffee.'

interface Asked {
  instructions: string
  input: string
  text?: { format?: { schema?: { properties: Record<string, unknown> } } }
}

/** The world outside: a web page, and a model that drafts a brand and writes a text for each network. */
interface Outside {
  /** Address of the installation that uses them. */
  url: string
  page: string
  /** What the model was asked for, in order. */
  asked: Asked[]
}

const test = base.extend<object, { outside: Outside }>({
  outside: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from this pattern
    async ({}, use) => {
      const asked: Asked[] = []
      const server = createServer((request, response) => {
        void (async () => {
          if (request.method === 'GET' && request.url === '/about') {
            response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
          } else if (request.method === 'POST' && request.url === '/v1/responses') {
            const question = JSON.parse(await bodyOf(request)) as Asked
            asked.push(question)
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(question)))
          } else response.writeHead(404).end()
        })()
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('the system gave no port')
      const own = `http://127.0.0.1:${address.port}`
      const installation = await startInstallation({
        OPENAI_BASE_URL: `${own}/v1`,
        TEXT_MODEL: 'story-model',
        INTERNAL_PAGES: own,
      })
      await use({ url: installation.url, page: `${own}/about`, asked })
      await installation.stop()
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ outside }, use) => use(outside.url),
})

// a button that never comes is named long before the story's time is over
test.use({ actionTimeout: 30_000 })

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}

/** Return an answer of OpenAI's API: the draft of a brand, or the texts about the topic that the prompt names. */
function answerTo({ input, text }: Asked): object {
  const names = Object.keys(text?.format?.schema?.properties ?? {})
  const topic = /^About <value>(.*?)<\/value>/.exec(input)?.[1] ?? ''
  const answer = names.includes('words_to_avoid') ? BRAND : WRITTEN[topic]
  if (!answer || names.some((name) => !(name in answer))) throw new Error(`the story has no answer to: ${input}`)
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'story-model',
    output: [
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: JSON.stringify(answer), annotations: [] }],
      },
    ],
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
    usage: {
      input_tokens: 900,
      output_tokens: 200,
      total_tokens: 1100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
}

/** Connect an account of LinkedIn, Facebook and Mastodon, each on the network's own page. */
async function connectAccounts(page: Page) {
  await page.goto('/account')
  await connectLinkedIn(page, 'Mara Lind')
  await page.goto('/account')
  await page.getByRole('button', { name: /^Facebook/ }).click()
  await page.getByRole('radio', { name: /^Ada Lindqvist/ }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('checkbox', { name: 'Radwerk Weber' }).check()
  await page.getByRole('button', { name: 'Connect 1 account' }).click()
  await expect(page.getByRole('heading', { name: 'Facebook is connected' })).toBeVisible()
  await page.goto('/account')
  await page.getByRole('button', { name: /^Mastodon/ }).click()
  await page.getByRole('dialog', { name: 'Connect Mastodon' }).getByRole('button', { name: 'Continue to server' }).click()
  await page.waitForURL(/oauth\/authorize/)
  await page.getByRole('radio', { name: /^Jonas Weber/ }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Mastodon is connected' })).toBeVisible()
}

/** Start a run by hand, and open its post among those that wait for approval. */
async function askNow(page: Page, assistant: string, topic: string) {
  await page.goto(assistant)
  await page.getByRole('button', { name: 'Run now' }).click()
  await expect(page.getByText('“Spoke and Chain posts” has started a run.')).toBeVisible()
  await page.goto('/social-media-posts?tab=approvals')
  const card = page.getByRole('region', { name: topic })
  await expect(card).toBeVisible({ timeout: 60_000 })
  await expect(card.getByText('Will be published as soon as you approve.')).toBeVisible()
  return card
}

/** Expect the post about the topic to be published, and each network's own page of it to show that network's text. */
async function expectOnBoards(page: Page, topic: string, texts: Texts) {
  await page.goto('/social-media-posts?status=published')
  await page.getByRole('link', { name: texts.linkedin.split('\n')[0] }).first().click({ timeout: 60_000 })
  await expect(page.getByRole('heading', { level: 1, name: topic })).toBeVisible()
  for (const network of ['linkedin', 'facebook', 'mastodon'] as const) {
    const link = page.getByRole('link', { name: `View on ${LABELS[network]}` })
    await expect(link).toBeVisible({ timeout: 60_000 })
    const [board] = await Promise.all([page.waitForEvent('popup'), link.click()])
    for (const paragraph of texts[network].split('\n\n')) await expect(board.getByText(paragraph).first()).toBeVisible()
    await board.close()
  }
}

test('a brand drafted from a page writes for three networks, one text is edited, and the next run is told of that edit', async ({
  outside,
  person,
  api,
  page,
  request,
}, info) => {
  test.setTimeout(300_000)
  expect(person.token).toBeTruthy()
  await connectAccounts(page)

  // the brand: drafted from the page, shown before it is saved
  await page.goto('/templates?tab=brands')
  await page.getByRole('link', { name: 'New brand' }).first().click()
  await page.getByLabel('Website address').fill(outside.page)
  await page.getByRole('button', { name: 'Draft brand' }).click()
  await expect(page.getByText('The draft is in the fields below. Check it, then save.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(BRAND.name)
  await expect(page.getByRole('textbox', { name: /^Facts that are always true.*entry 1$/ })).toHaveValue('The workshop opened in 2014.')
  await expect(page.getByRole('textbox', { name: /^Facts that are always true.*entry 2$/ })).toBeHidden()
  expect(outside.asked[0]?.input).toContain('We repair commuter bikes. The workshop opened in 2014.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save brand' }).click()
  await expect(page.getByText('“Spoke and Chain” was saved.')).toBeVisible()

  // the template
  await page.goto('/templates?new')
  await page.getByLabel('Name', { exact: true }).fill('Workshop tip')
  await page.getByRole('textbox', { name: 'Template', exact: true }).fill('About ((Topic)), for ((Channel)).')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Workshop tip' })).toBeVisible()

  // the assistant, which asks first because a person's LinkedIn profile is among its accounts
  await api('post', '/topics/', { name: 'Commuting', text: '- Commuting\n-- Mudguards\n-- Lights' })
  await page.goto('/assistants?new')
  await page.getByLabel('Name').first().fill('Spoke and Chain posts')
  // the only tree and the only template are chosen already
  await expect(page.getByRole('combobox', { name: 'Topic tree' })).toHaveValue(/^Commuting/)
  await expect(page.getByRole('combobox', { name: 'Content template' })).toHaveValue(/^Workshop tip/)
  await page.getByRole('combobox', { name: /^Brand/ }).click()
  await page.getByRole('option', { name: BRAND.name }).click()
  await expect(page.getByRole('radio', { name: /^A text for each network/ })).toBeChecked()
  for (const name of ['Mara Lind', 'Radwerk Weber', 'Jonas Weber']) await page.getByRole('checkbox', { name: new RegExp(name) }).check()
  await expect(page.getByRole('radio', { name: /^Ask me first/ })).toBeChecked()
  // no slot of its own comes meanwhile: one in two weeks' time at the earliest
  await page.getByLabel('First day (optional)').fill(new Date(Date.now() + 14 * 24 * 3_600_000).toISOString().slice(0, 10))
  await page.getByRole('button', { name: 'Save and activate' }).click()
  await expect(page).toHaveURL(/\/assistants\/[0-9a-f-]{36}$/)
  const assistant = new URL(page.url()).pathname

  // three texts wait for approval, and the one for Facebook is edited
  const { Mudguards: first, Lights: second } = WRITTEN as { Mudguards: Texts; Lights: Texts }
  const card = await askNow(page, assistant, 'Mudguards')
  for (const text of Object.values(first)) await expect(card.getByText(text.split('\n\n').at(-1) ?? '')).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('three-texts.png') })
  expect(outside.asked[1]?.instructions).toContain('The workshop opened in 2014.')
  await card.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('tab', { name: 'Custom text for Facebook' }).click()
  const own = page.getByRole('textbox', { name: 'Custom text for Facebook' })
  await expect(own).toHaveValue(first.facebook)
  await own.fill(EDITED)
  await page.getByRole('button', { name: 'Approve with changes' }).click()
  await expect(page.getByText('Saved and approved.')).toBeVisible()
  await expectOnBoards(page, 'Mudguards', { ...first, facebook: EDITED })

  // the next run: the evidence shows that the prompt held the edit
  const next = await askNow(page, assistant, 'Lights')
  for (const text of Object.values(second)) await expect(next.getByText(text.split('\n\n').at(-1) ?? '')).toBeVisible()
  await page.goto(`${assistant}?tab=runs`)
  await page.getByRole('row').filter({ hasText: 'Lights' }).getByRole('link').first().click()
  const evidence = page.getByRole('dialog', { name: 'Lights' })
  await evidence.getByText('Prompt', { exact: true }).click()
  await expect(evidence.getByText('<value>Ask us for a set.</value> became <value>We mount a set while you have a coffee.</value>')).toBeVisible()
  await expect(evidence.getByText('About <value>Lights</value>, for <value>LinkedIn, Facebook, Mastodon</value>.')).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('evidence.png') })

  await page.goto('/social-media-posts?tab=approvals')
  for (const text of Object.values(second)) await expect(page.getByText(text.split('\n\n').at(-1) ?? '').last()).toBeVisible()
  const approved = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().includes('/decision/'))
  await page.getByRole('button', { name: /^Approve/ }).click()
  await approved // leaving the page ends a call
  await expectOnBoards(page, 'Lights', second)
  // each network has its own text, once, and no call to the model was made in vain
  const wanted = [...Object.values({ ...first, facebook: EDITED }), ...Object.values(second)]
  expect((await livePosts(request)).sort()).toEqual(wanted.sort())
  expect(outside.asked).toHaveLength(3)
})
