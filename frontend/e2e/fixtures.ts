import AxeBuilder from '@axe-core/playwright'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type APIRequestContext, type Page } from '@playwright/test'

const root = join(import.meta.dirname, '..', '..')

let dataFolder = process.env.E2E_DATA_DIR
/** Let this process's helpers use an installation of its own. What is set in the environment would reach other workers. */
export function useDataFolder(folder: string): void {
  dataFolder = folder
}

// fetched in batches: a process per code would take longer than many tests
const codes: string[] = []

/** Return a new invitation code from the running installation. */
export function invitationCode(): string {
  if (codes.length === 0) {
    const lines = execFileSync(process.env.E2E_PYTHON ?? 'python3', ['-m', 'cli', 'invite', '24'], {
      cwd: root,
      env: { ...process.env, DATA_DIR: dataFolder },
      encoding: 'utf8',
    })
    codes.push(...lines.trim().split('\n'))
  }
  const code = codes.pop()
  if (!code) throw new Error('the installation gave no invitation code')
  return code
}

let count = 0
// two workers may call it in the same millisecond
export const freshEmail = () => `person-${process.env.TEST_WORKER_INDEX}-${Date.now()}-${++count}@example.org`
export const password = 'warp over weft under warp'

export interface Person {
  email: string
  token: string
}

export interface Assistant {
  id: string
  topic_tree_id: string
  variables: Record<string, string>
  accounts: { id: string }[]
  template: { version_id: string } | null
}

interface Mail {
  text: string
  subject: string
}

/** Return the sandbox's address from the running installation's `run.json`. */
export function sandbox(): string {
  const state = readFileSync(join(dataFolder ?? '', 'run.json'), 'utf8')
  return (JSON.parse(state) as { environment: { LINKEDIN_API_URL: string } }).environment.LINKEDIN_API_URL
}

/** Make the sandbox's LinkedIn, which all tests share, refuse the next posts that contain this text. */
export const refusePosts = (request: APIRequestContext, containing: string, times: number) =>
  orderFault(request, { on: 'posts', kind: 'status', status: 422, times, containing })

/** Make it publish the next posts that contain this text, but lose its answers. */
export const loseAnswers = (request: APIRequestContext, containing: string, times: number) =>
  orderFault(request, { on: 'posts', kind: 'lost_answer', times, containing })

/** Make the networks refuse the next posts that contain this text as if the user had revoked access. */
export const refuseAccess = (request: APIRequestContext, containing: string, times: number) =>
  orderFault(request, { on: 'posts', kind: 'revoked', times, containing })

async function orderFault(request: APIRequestContext, fault: object): Promise<void> {
  const answer = await request.post(`${sandbox()}/sandbox/faults`, { data: fault })
  expect(answer.ok(), await answer.text()).toBe(true)
}

interface SandboxPost {
  text: string
  images?: { alt_text: string }[]
  documents?: { title: string; pages: number }[]
  videos?: object[]
}

/** Return a feed of the sandbox whose clock only `pass` moves, in seconds: a minute makes a new item. */
export const feedOfSandbox = (request: APIRequestContext, clock: string) => ({
  address: `${sandbox()}/sandbox/feed?clock=${clock}`,
  itemPage: (number: number) => `${sandbox()}/sandbox/feed/items/${number}`,
  pass: async (seconds: number) => {
    const answer = await request.post(`${sandbox()}/sandbox/feed/clocks/${clock}`, { data: { seconds } })
    expect(answer.ok(), await answer.text()).toBe(true)
  },
})

/** Return all posts published in the sandbox, as its board shows them. */
export const sandboxPosts = async (request: APIRequestContext) =>
  (await (await request.get(`${sandbox()}/sandbox/posts`)).json()) as SandboxPost[]

/** Return the texts of all posts published in the sandbox. */
export const livePosts = async (request: APIRequestContext): Promise<string[]> =>
  (await sandboxPosts(request)).map(({ text }) => text)

/** Move the clock of the sandbox's Stripe forward, which makes charges and ends subscriptions. */
export async function passDays(request: APIRequestContext, days: number): Promise<void> {
  const answer = await request.post(`${sandbox()}/stripe/clock/`, { data: { days } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Choose LinkedIn among the networks and give consent on the sandbox's page. */
export async function connectLinkedIn(page: Page, name: string) {
  await page.getByRole('button', { name: /^LinkedIn(?! Pages)/ }).click()
  await page.waitForURL(/oauth\/v2\/authorization/)
  await page.getByText(name).first().click()
  await page.getByRole('button', { name: /Allow|Zulassen|Erlauben/ }).click()
  await expect(page.getByRole('heading', { name: 'LinkedIn is connected' })).toBeVisible()
}

/** Wait for a mail with a link to a path of the app. Return the newest link, without its origin. */
export async function mailedLink(request: APIRequestContext, email: string, path: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const answer = await request.get(`${sandbox()}/sandbox/mails`, { params: { to: email } })
    const mails = (await answer.json()) as Mail[]
    const links = mails.flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []).map((found) => new URL(found))
    const found = links.find(({ pathname }) => pathname === path)
    expect(found, `a mail to ${email} with a link to ${path}`).toBeDefined()
    link = found && found.pathname + found.search + found.hash
  }).toPass({ timeout: 30_000 })
  return link ?? ''
}

/** Verify an address with the token of its mail, without a browser. */
export async function verify(request: APIRequestContext, email: string): Promise<void> {
  const link = await mailedLink(request, email, '/verify-email')
  const token = new URLSearchParams(link.split('#')[1]).get('token')
  const answer = await request.post('/api/users/verify-email/', { data: { token } })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Sign up a new user by the API. */
async function signUp(request: APIRequestContext): Promise<Person> {
  const email = freshEmail()
  const answer = await request.post('/api/auth/signup/', {
    data: { email, password, invitation_code: invitationCode(), language: 'en', consent: true },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  const { token } = (await answer.json()) as { token: string }
  return { email, token }
}

/** Sign in on the page without the form, from the next navigation on. */
const signInOn = (page: Page, token: string) =>
  page.addInitScript((value) => {
    // only once per tab, so that a later log-out by the page counts
    if (sessionStorage.getItem('signed-in') === null) localStorage.setItem('token', value)
    sessionStorage.setItem('signed-in', 'yes')
  }, token)

export type Api = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, data?: unknown) => Promise<unknown>

interface Fixtures {
  /** A new user without a verified e-mail, signed in on the page. */
  newcomer: Person
  /** A new, verified user, signed in on the page. */
  person: Person
  /** Call the API as `person`. */
  api: Api
  /** An assistant of the demo data with an account. All demo assistants are inactive. */
  demo: Assistant
  /** Create an inactive assistant like `demo`, with a daily slot and these changes. */
  assistant: (changes: { name: string; mode: string; time: Date; lead_minutes?: number }) => Promise<Assistant>
}

export const test = base.extend<Fixtures>({
  newcomer: async ({ page, request }, use) => {
    const newcomer = await signUp(request)
    await signInOn(page, newcomer.token)
    await use(newcomer)
  },
  person: async ({ page, request }, use) => {
    const person = await signUp(request)
    await verify(request, person.email)
    await signInOn(page, person.token)
    await use(person)
  },
  api: async ({ person, request }, use) => {
    await use(async (method, path, data) => {
      const answer = await request[method](`/api${path}`, {
        headers: { Authorization: `Bearer ${person.token}` },
        ...(data === undefined ? {} : { data }),
      })
      expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
      return answer.status() === 204 ? undefined : ((await answer.json()) as unknown)
    })
  },
  demo: async ({ api }, use) => {
    await api('post', '/users/me/demo-data/')
    const { items } = (await api('get', '/assistants/')) as { items: Assistant[] }
    // active ones would write and publish during the test
    for (const { id } of items) await api('post', `/assistants/${id}/deactivate/?prepared=cancel`)
    const demo = items.find(({ accounts }) => accounts.length > 0)
    if (!demo) throw new Error('the demo data has no assistant with an account')
    await use(demo)
  },
  assistant: async ({ api, demo }, use) => {
    await use(async ({ time, ...changes }) => {
      const made = await api('post', '/assistants/', {
        topic_tree_id: demo.topic_tree_id,
        template_version_id: demo.template?.version_id,
        variables: demo.variables,
        account_ids: demo.accounts.map(({ id }) => id),
        language: 'en',
        schedule: { frequency: 'daily', time_zone: 'UTC', time_slots: [time.toISOString().slice(11, 16)] },
        ...changes,
      })
      return made as Assistant
    })
  },
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP = 30_000 // ms

/** Return the code of an authenticator app (RFC 6238), now or some steps of 30 s away. */
export function appCode(secret: string, stepsAway = 0): string {
  const bits = [...secret.replaceAll(/[\s=]/g, '')].map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => parseInt(octet, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP) + stepsAway))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Log in with the form. */
export async function logIn(page: Page, email: string) {
  await page.goto('/signin')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Return a function for the number of clicks since, on this page and the following ones. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => (clicks += 1))
  const listen = () => addEventListener('pointerdown', () => void (window as unknown as { countClick: () => void }).countClick(), true)
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return () => clicks
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
/** Rules about colours, half of the run time: each text is compared with its background. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Expect that axe finds no violation on the page. */
export async function expectAccessible(page: Page) {
  await judge(page, (axe) => axe.withTags(TAGS))
}

async function judge(page: Page, asked: (axe: AxeBuilder) => AxeBuilder) {
  // legacy mode, because there are no cross-origin frames, whose results would need a separate page
  const found = await asked(new AxeBuilder({ page }).setLegacyMode()).analyze()
  expect(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`), page.url()).toEqual([])
}

export const languages = ['en', 'de'] as const

/** Use that language and the system's colour scheme, from the next navigation on. */
export const speak = (page: Page, language: (typeof languages)[number]) =>
  page.addInitScript((chosen) => {
    localStorage.setItem('mantine-color-scheme-value', 'auto')
    localStorage.setItem('i18nextLng', chosen)
  }, language)

/** Rules about texts, the only ones that another language can break: names and the page's language. */
const OF_WORDS = [
  'html-has-lang',
  'html-lang-valid',
  'valid-lang',
  'document-title',
  'button-name',
  'link-name',
  'label',
  'image-alt',
  'input-button-name',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'aria-dialog-name',
  'aria-command-name',
  'aria-meter-name',
  'label-content-name-mismatch',
]

/**
 * Check all rules in light mode, and only the rules about colours in dark mode. In a language other than English check
 * only the rules about texts. `part`: check only this part, if the rest of the page, which a dialog does not change,
 * was checked before.
 */
export async function expectAccessibleInBothLooks(page: Page, language: (typeof languages)[number], part?: string) {
  const html = page.locator('html')
  const seen = (axe: AxeBuilder) => (part ? axe.include(part) : axe)
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
  if (language !== languages[0]) return judge(page, (axe) => seen(axe).withRules(OF_WORDS))
  await judge(page, (axe) => seen(axe).withTags(TAGS))
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  // wait for colour transitions
  await page.evaluate(() =>
    Promise.all(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : []))),
  )
  await judge(page, (axe) => seen(axe).withRules(OF_COLOURS))
  await page.emulateMedia({ colorScheme: 'light' })
}

export { expect }
