import i18next from 'i18next'
import { beforeEach, expect, test } from 'vitest'
import { en } from './en'
import { users } from './en-users'
import { changeLanguage, loadTexts, startI18n } from '.'

beforeEach(async () => {
  localStorage.clear()
  await startI18n()
  await i18next.changeLanguage('en')
  // files share one i18next: each test begins as a visitor does
  for (const part of ['users', 'privacy']) for (const language of ['en', 'de']) i18next.removeResourceBundle(language, part)
})

test('users’ texts are there once they were asked for, under the names that all texts have', async () => {
  expect(i18next.t('system.workerAway')).toBe('system.workerAway')
  await loadTexts('users')
  expect(i18next.t('system.workerAway')).toBe('The background service is off.')
  expect(i18next.t('common.skip')).toBe(en.common.skip)
})

test('a part follows the language that is chosen later', async () => {
  await loadTexts('users')
  await loadTexts('privacy')
  await changeLanguage('de')
  expect(i18next.t('system.workerAway')).toBe('Der Hintergrunddienst läuft nicht.')
  expect(i18next.t('privacy.title')).toBe('Datenschutzerklärung')
})

test.each([
  ['before', () => [changeLanguage('de'), loadTexts('users')]],
  ['after', () => [loadTexts('users'), changeLanguage('de')]],
])('a language that is chosen in the moment %s a part is asked for has it, too', async (_, both) => {
  await Promise.all(both())
  expect(i18next.language).toBe('de')
  expect(i18next.t('system.workerAway')).toBe('Der Hintergrunddienst läuft nicht.')
})

test('nothing stands in two parts: the first would hide the other', () => {
  const names = [...Object.keys(en), ...Object.keys(users), 'notifications', 'privacy']
  expect(names).toEqual([...new Set(names)])
})

const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], { query: '?raw', import: 'default', eager: true })

/** All modules that these import, without what they load later. */
function withImports(...paths: string[]): string[] {
  const found = new Set(paths)
  for (const path of found) {
    for (const [, from = ''] of (SOURCES[path] ?? '').matchAll(/^(?:import|export) (?!type )(?:[^'"();=]*? from )?'([^']+)'/gm)) {
      const target = new URL(from.replace(/^@\//, '/'), `http://src${path.slice(2)}`).pathname
      const module = ['.ts', '.tsx', '/index.ts'].map((ending) => `..${target}${ending}`).find((name) => name in SOURCES)
      if (module) found.add(module)
    }
  }
  return [...found]
}

test('what visitors see asks for no text of users', () => {
  const pages = ['home', 'signin', 'signup', 'verify-email', 'privacy-policy'].map((page) => `../routes/${page}.tsx`)
  const modules = withImports('../main.tsx', ...pages)
  expect(modules).toEqual(expect.arrayContaining(['../app/public-shell.tsx', '../features/home/living-thread.tsx']))
  const ofUsers = new RegExp(`\\bt\\(\\s*['"\`](?:${Object.keys(users).join('|')})\\.`)
  expect(modules.filter((module) => !module.startsWith('../api/') && ofUsers.test(SOURCES[module] ?? ''))).toEqual([])
})
