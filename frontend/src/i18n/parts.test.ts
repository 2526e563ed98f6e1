import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { en } from './en'
import { commandParts, frameParts, pageParts, parts, type Part } from './parts'

let i18n: typeof import('.')
const said = (name: string) => i18n.spoken().t(name as 'common.save')

beforeEach(async () => {
  localStorage.clear()
  // each test begins as a visitor does
  vi.resetModules()
  i18n = await import('.')
  await i18n.startI18n()
})

test('a part is there once it was asked for, under the names that all texts have', async () => {
  expect(said('system.workerAway')).toBe('system.workerAway')
  await i18n.loadTexts('system')
  expect(said('system.workerAway')).toBe('The background service is off.')
  expect(said('common.skip')).toBe(en.common.skip)
})

test('parts follow the language that is chosen later', async () => {
  await i18n.loadTexts('system', 'privacy')
  await i18n.changeLanguage('de')
  expect(said('system.workerAway')).toBe('Der Hintergrunddienst läuft nicht.')
  expect(said('privacy.title')).toBe('Datenschutzerklärung')
})

test.each([
  ['before', () => [i18n.changeLanguage('de'), i18n.loadTexts('system')]],
  ['after', () => [i18n.loadTexts('system'), i18n.changeLanguage('de')]],
])('a language that is chosen in the moment %s a part is asked for has it, too', async (_, both) => {
  await Promise.all(both())
  expect(i18n.spoken().language).toBe('de')
  expect(said('system.workerAway')).toBe('Der Hintergrunddienst läuft nicht.')
})

test('two parts that say something under one name both say it', async () => {
  await i18n.loadTexts('posts', 'post-list', 'errors')
  expect(said('posts.all')).toBe('All')
  expect(said('posts.files.exportFailed')).not.toContain('posts.')
  expect(i18n.spoken().t(['errors.from_the_future', 'errors.internal'] as 'errors.internal'[])).toBe(en.errors.internal)
})

test.each([
  [null, 'de-AT', 'de'],
  [null, 'fr', 'en'],
  ['de', 'en-GB', 'de'],
  ['fr', 'de-DE', 'en'],
])('with %s stored and a browser in %s it begins in %s, and remembers that', async (stored, browser, language) => {
  if (stored) localStorage.setItem('i18nextLng', stored)
  else localStorage.clear()
  const asked = vi.spyOn(navigator, 'language', 'get').mockReturnValue(browser)
  onTestFinished(() => asked.mockRestore())
  await i18n.startI18n()
  expect(i18n.spoken().language).toBe(language)
  expect([document.documentElement.lang, localStorage.getItem('i18nextLng')]).toEqual([language, language])
})

test('a language or a part that cannot be loaded is told, and the next try brings it', async () => {
  const { textFiles } = await import('./files')
  const failing = vi.spyOn(textFiles, 'load').mockRejectedValue(new Error('offline'))
  await expect(i18n.loadTexts('system')).rejects.toThrow('offline')
  await expect(i18n.changeLanguage('de')).rejects.toThrow('offline')
  expect(said('common.save')).toBe(en.common.save)
  failing.mockRestore()
  await Promise.all([i18n.loadTexts('system'), i18n.changeLanguage('de')])
  expect(said('system.workerAway')).toBe('Der Hintergrunddienst läuft nicht.')
})

const TEXTS = import.meta.glob<Record<string, object>>('./texts/*.en.ts', { eager: true })
const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], { query: '?raw', import: 'default', eager: true })
const EVERYBODYS = ['common', 'failure', 'navigation', 'status']
const partOf = (path: string) => path.replace('./texts/', '').replace('.en.ts', '')

test('every file of texts is a part, but for those that every page begins with', () => {
  expect([...parts, ...EVERYBODYS].sort()).toEqual(Object.keys(TEXTS).map(partOf).sort())
})

/** The module that another one imports under this name. */
function moduleOf(from: string, importer: string): string | undefined {
  const target = new URL(from.replace(/^@\//, '/'), `http://src${importer.slice(2)}`).pathname
  return ['.ts', '.tsx', '/index.ts'].map((ending) => `..${target}${ending}`).find((name) => name in SOURCES)
}

const WITH_TEXTS = /withTexts\(\s*import\('([^']+)'\)((?:,\s*'[\w-]+')*),?\s*\)/g

/** All modules that these import, also later; those of the routes and of the frame only where they are named. */
function withImports(...paths: string[]): string[] {
  const found = new Set(paths)
  for (const path of found) {
    // what brings its own texts is looked at by itself
    const source = (SOURCES[path] ?? '').replaceAll(WITH_TEXTS, '')
    const now = source.matchAll(/^(?:import|export) (?!type )(?:[^'"();=]*? from )?'([^']+)'/gm)
    for (const [, from = ''] of [...now, ...source.matchAll(/\bimport\('([^']+)'\)/g)]) {
      const module = moduleOf(from, path)
      if (module && !/\/(api|i18n)\/|\/(router|command-menu|notification-drawer|subscription-banner)\.tsx$/.test(module)) found.add(module)
    }
  }
  return [...found]
}

/** Name of a text, without the form for a count → the parts that have it; two where two parts share a name. */
const PARTS_OF_TEXTS = new Map<string, string[]>()
for (const [path, groups] of Object.entries(TEXTS))
  for (const [group, texts] of Object.entries(groups))
    for (const key of Object.keys(texts)) {
      const name = `${group}.${key.replace(/_(one|other|zero)$/, '')}`
      PARTS_OF_TEXTS.set(name, [...(PARTS_OF_TEXTS.get(name) ?? []), partOf(path)])
    }
const GROUPS = new Set([...PARTS_OF_TEXTS.keys()].map((name) => name.split('.')[0]))

/** The parts that modules name in their sources, with one module each. */
function asked(modules: string[], reasonsCome = false): Map<string, string> {
  const found = new Map<string, string>()
  // what they say stands behind a problem, which brings its words
  const behind = [
    '../lib/problems.ts',
    '../components/problem-text.tsx',
    '../features/session/sign-in-by-link.tsx',
    '../features/session/sign-up-form.tsx',
  ]
  for (const module of modules.filter((path) => !behind.includes(path))) {
    const source = SOURCES[module] ?? ''
    // why something failed for good is told in the words of the errors
    if (!reasonsCome && /\b(?:reasonText|retryText)\(/.test(source)) found.set('errors', module)
    for (const [, group = '', key = ''] of source.matchAll(/['"`]([a-zA-Z]+)\.(\w*)/g)) {
      if (!GROUPS.has(group)) continue
      const exact = PARTS_OF_TEXTS.get(`${group}.${key}`)
      const begun = [...PARTS_OF_TEXTS].filter(([name]) => name.startsWith(`${group}.${key}`)).flatMap(([, own]) => own)
      for (const part of exact ?? begun) found.set(part, module)
    }
  }
  for (const part of EVERYBODYS) found.delete(part)
  return found
}

/** Pages whose answers bring the words for why something failed, where they tell that: lib/with-reasons.ts */
const WITH_REASONS = ['assistant', 'assistants', 'composer', 'new-assistant', 'new-template', 'social-media-post', 'template', 'topic-tree', 'website-topics']

const START = new Set(withImports('../main.tsx'))

describe('the texts of', () => {
  test.each(Object.entries(pageParts))('%s are those that its modules name', (page, own: readonly Part[]) => {
    const modules = withImports(`../routes/${page}.tsx`).filter((module) => !START.has(module))
    const missing = [...asked(modules, WITH_REASONS.includes(page))].filter(([part]) => !own.includes(part as Part))
    expect(missing).toEqual([])
  })

  const brought = Object.entries(SOURCES).flatMap(([path, source]) =>
    [...source.matchAll(WITH_TEXTS)].map(([, from = '', parts = '']) => [from, moduleOf(from, path) ?? '', parts] as const),
  )
  test.each(brought)('%s, which comes later, are those that it brings', (_, module, parts) => {
    const modules = withImports(module).filter((one) => !START.has(one))
    expect([...asked(modules)].filter(([part]) => !parts.includes(`'${part}'`))).toEqual([])
  })

  test('the frame of users, of the command menu, of what the bell opens and of its banner, too', () => {
    const frame = asked(withImports('../app/user-frame.tsx').filter((module) => !START.has(module)))
    expect([...frame].filter(([part]) => !frameParts.includes(part as never))).toEqual([])
    const commands = asked(withImports('../app/command-menu.tsx').filter((module) => !START.has(module)))
    expect([...commands].filter(([part]) => !commandParts.includes(part as never))).toEqual([])
    const bell = asked(withImports('../features/notifications/notification-drawer.tsx'))
    expect([...bell.keys()]).toEqual(['notifications'])
    const banner = asked(withImports('../app/subscription-banner.tsx'))
    expect([...banner.keys()]).toEqual(['subscription'])
  })

  test('the start are those that every page begins with', () => {
    const start = asked([...START])
    expect([...start]).toEqual([])
  })
})
