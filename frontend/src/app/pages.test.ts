import { describe, expect, test } from 'vitest'
import { paths } from '@/lib/paths'
import { allTranslations } from '@/test/texts'
import { accountPages, furtherPages } from './further-pages'
import { groups, isCurrent } from './pages'

const all = groups.flatMap(({ pages }) => pages)
function currentAt(address: string) {
  const { pathname, search } = new URL(address, 'http://localhost')
  return all.filter((page) => isCurrent(page, pathname, search)).map(({ name }) => name)
}

describe('the entry that stands for an address', () => {
  test.each([
    ['/', ['dashboard']],
    ['/templates', ['myTemplates']],
    ['/templates/7', ['myTemplates']],
    ['/marketplace', ['marketplace']],
    ['/social-media-posts', ['posts']],
    ['/social-media-posts/7', ['posts']],
    // pages reached from the list of posts
    ['/posts', ['posts']],
    ['/posts/7', ['posts']],
    ['/websites/7/posts/8', ['posts']],
    ['/assistants/7', ['assistants']],
    ['/account', ['socialAccounts']],
    ['/account?tab=accounts', ['socialAccounts']],
    // tabs without an entry in the navigation
    ['/account?tab=profile', []],
    ['/account?tab=api-keys&new', []],
    ['/account/connect/linkedin/callback', ['socialAccounts']],
    ['/subscription', ['subscription']],
    ['/transactions/7', ['subscription']],
    // paths that only share their beginning
    ['/accounting', []],
    ['/templates-of-others', []],
    ['/nowhere', []],
  ])('%s: %o', (pathname, names) => {
    expect(currentAt(pathname)).toEqual(names)
  })

  test('is one for every page of the app', () => {
    const visitors: string[] = [paths.signIn, paths.signUp, paths.verifyEmail, paths.emailVerification, paths.privacyPolicy]
    for (const path of Object.values(paths).filter((path) => !visitors.includes(path))) {
      expect(currentAt(path.replaceAll(/:\w+/g, '7')), path).toHaveLength(1)
    }
  })
})

describe('every entry', () => {
  const texts = allTranslations

  test('leads to a page of its own', () => {
    const addresses = [...all, ...furtherPages, ...accountPages].map(({ to }) => to)
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('leads to an address of the app', () => {
    const known = new Set<string>(Object.values(paths))
    for (const { to } of [...all, ...furtherPages, ...accountPages]) expect(known.has(to.split('?')[0] ?? ''), to).toBe(true)
  })

  test.each(['en', 'de'] as const)('has a name in %s, which no other one has', (language) => {
    const t = texts[language]
    const names = [...all, ...furtherPages].map(({ name }) => t(`navigation:${name}`))
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).not.toMatch(/^navigation:/)
  })
})
