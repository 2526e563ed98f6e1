import AxeBuilder from '@axe-core/playwright'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type APIRequestContext, type Page } from '@playwright/test'

const root = join(import.meta.dirname, '..', '..')

// fetched by the dozen, since a process for each would take longer than many a test
const codes: string[] = []

/** A new invitation code from the running installation. */
export function invitationCode(): string {
  if (codes.length === 0) {
    const lines = execFileSync(process.env.E2E_PYTHON ?? 'python3', ['-m', 'cli', 'invite', '24'], {
      cwd: root,
      env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR },
      encoding: 'utf8',
    })
    codes.push(...lines.trim().split('\n'))
  }
  const code = codes.pop()
  if (!code) throw new Error('the installation gave no invitation code')
  return code
}

let count = 0
// two workers may ask in the same millisecond
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

/** Where the running installation's mails arrive, told by its file of state. */
function sandbox(): string {
  const state = readFileSync(join(process.env.E2E_DATA_DIR ?? '', 'run.json'), 'utf8')
  return (JSON.parse(state) as { environment: { LINKEDIN_API_URL: string } }).environment.LINKEDIN_API_URL
}

/** Makes the pretend LinkedIn, which all stories share, refuse the next posts with this in their text. */
export const refusePosts = (request: APIRequestContext, containing: string, times: number) =>
  orderFault(request, { on: 'posts', kind: 'status', status: 422, times, containing })

/** It publishes the next posts, and its answers are lost on the way. */
export const loseAnswers = (request: APIRequestContext, containing: string, times: number) =>
  orderFault(request, { on: 'posts', kind: 'lost_answer', times, containing })

/** The network says of the next posts with this in their text that its user has taken the access back. */
export const refuseAccess = (request: APIRequestContext, containing: string, times: number) =>
  orderFault(request, { on: 'posts', kind: 'revoked', times, containing })

async function orderFault(request: APIRequestContext, fault: object): Promise<void> {
  const answer = await request.post(`${sandbox()}/sandbox/faults`, { data: fault })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** What everybody sees at the pretend LinkedIn. */
export async function livePosts(request: APIRequestContext): Promise<string[]> {
  const found = (await (await request.get(`${sandbox()}/sandbox/posts`)).json()) as { text: string }[]
  return found.map(({ text }) => text)
}

/** Time passes at the pretend Stripe, and with it what is charged and what ends. */
export async function passDays(request: APIRequestContext, days: number): Promise<void> {
  const answer = await request.post(`${sandbox()}/stripe/clock/`, { data: { days } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Through the pretend LinkedIn's consent page, from where a network is chosen. */
export async function connectLinkedIn(page: Page, name: string) {
  await page.getByRole('button', { name: /^LinkedIn(?! Pages)/ }).click()
  await page.waitForURL(/oauth\/v2\/authorization/)
  await page.getByText(name).first().click()
  await page.getByRole('button', { name: /Allow|Zulassen|Erlauben/ }).click()
  await expect(page.getByRole('heading', { name: 'LinkedIn is connected' })).toBeVisible()
}

/** The newest link to a path of the app in the mails to an address, without its origin. Waits until it is there. */
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

/** Opens the link of the verification mail without a browser. */
export async function verify(request: APIRequestContext, email: string): Promise<void> {
  const link = await mailedLink(request, email, '/verify-email')
  const token = new URLSearchParams(link.split('#')[1]).get('token')
  const answer = await request.post('/api/users/verify-email/', { data: { token } })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Somebody new, by the API. */
async function signUp(request: APIRequestContext): Promise<Person> {
  const email = freshEmail()
  const answer = await request.post('/api/auth/signup/', {
    data: { email, password, invitation_code: invitationCode(), language: 'en', consent: true },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  const { token } = (await answer.json()) as { token: string }
  return { email, token }
}

/** Signs in on the page, without its form: from the next address on. */
const signInOn = (page: Page, token: string) =>
  page.addInitScript((value) => {
    // once for each tab: what the page does with it later counts
    if (sessionStorage.getItem('signed-in') === null) localStorage.setItem('token', value)
    sessionStorage.setItem('signed-in', 'yes')
  }, token)

export type Api = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, data?: unknown) => Promise<unknown>

interface Fixtures {
  /** Somebody who has signed up and not verified the email, signed in on the page. */
  newcomer: Person
  /** Somebody verified, signed in on the page. */
  person: Person
  /** Calls the API as that person. */
  api: Api
  /** An assistant of the demo data that has an account. Those of the demo data do nothing here. */
  demo: Assistant
  /** Another one like it, with a date each day, and what makes it another. It is not active yet. */
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
    // they would write and publish in between
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

/** What an authenticator app shows (RFC 6238), now or some steps of 30 s away. */
export function appCode(secret: string, stepsAway = 0): string {
  const bits = [...secret.replaceAll(/[\s=]/g, '')].map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => parseInt(octet, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP) + stepsAway))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** By the form. */
export async function logIn(page: Page, email: string) {
  await page.goto('/signin')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** How often a person has pressed since, on this page and those it leads to. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => (clicks += 1))
  const listen = () => addEventListener('pointerdown', () => void (window as unknown as { countClick: () => void }).countClick(), true)
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return () => clicks
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
/** Half of the work: each text is looked at with what lies behind it. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Everything on the page may be used by everybody: axe finds nothing. */
export async function expectAccessible(page: Page) {
  await judge(page, (axe) => axe.withTags(TAGS))
}

async function judge(page: Page, asked: (axe: AxeBuilder) => AxeBuilder) {
  // the page has no frame of another origin: so there's no need to gather the parts in a page of its own
  const found = await asked(new AxeBuilder({ page }).setLegacyMode()).analyze()
  expect(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`), page.url()).toEqual([])
}

export const languages = ['en', 'de'] as const

/** From the next address on: that language, and light or dark as the system says. */
export const speak = (page: Page, language: (typeof languages)[number]) =>
  page.addInitScript((chosen) => {
    localStorage.setItem('mantine-color-scheme-value', 'auto')
    localStorage.setItem('i18nextLng', chosen)
  }, language)

/** Another language changes words alone: what is named is still named, and the page says which language it is in. */
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
 * `expectAccessible` in light; in dark, which changes nothing but colours, what asks for those. Of another language what
 * asks for words; and of `part` alone, where the rest of the page, which a dialog leaves as it is, has been
 * looked at without it.
 */
export async function expectAccessibleInBothLooks(page: Page, language: (typeof languages)[number], part?: string) {
  const html = page.locator('html')
  const seen = (axe: AxeBuilder) => (part ? axe.include(part) : axe)
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light')
  if (language !== languages[0]) return judge(page, (axe) => seen(axe).withRules(OF_WORDS))
  await judge(page, (axe) => seen(axe).withTags(TAGS))
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark')
  // what fades to its new colour has it
  await page.evaluate(() =>
    Promise.all(document.getAnimations().flatMap((one) => (one instanceof CSSTransition ? [one.finished] : []))),
  )
  await judge(page, (axe) => seen(axe).withRules(OF_COLOURS))
  await page.emulateMedia({ colorScheme: 'light' })
}

export { expect }
