import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'

const root = join(import.meta.dirname, '..', '..')

/** A new invitation code from the running installation. */
export function invitationCode(): string {
  const code = execFileSync(process.env.E2E_PYTHON ?? 'python3', ['-m', 'cli', 'invite'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR },
    encoding: 'utf8',
  })
  return code.trim()
}

let count = 0
export const freshEmail = () => `person-${Date.now()}-${++count}@example.org`
export const password = 'warp over weft under warp'

export interface Person {
  email: string
  token: string
}

interface Fixtures {
  /** Somebody who has signed up by the API, signed in on the page. */
  person: Person
  /** Calls the API as that person. */
  api: (method: 'get' | 'post' | 'put' | 'delete', path: string, data?: unknown) => Promise<unknown>
}

export const test = base.extend<Fixtures>({
  person: async ({ page, request }, use) => {
    const email = freshEmail()
    const answer = await request.post('/api/auth/signup/', {
      data: { email, password, invitation_code: invitationCode(), language: 'en', consent: true },
    })
    expect(answer.status()).toBe(201)
    const { token } = (await answer.json()) as { token: string }
    await page.addInitScript((value) => localStorage.setItem('token', value), token)
    await use({ email, token })
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
})

/** Everything on the page may be used by everybody: axe finds nothing. */
export async function expectAccessible(page: Page) {
  const { default: AxeBuilder } = await import('@axe-core/playwright')
  const found = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze()
  expect(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
}

export { expect }
