import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storageKeys } from '@/lib/storage-keys'

const source = readFileSync(`${import.meta.dirname}/../public/before.js`, 'utf8')

let prefersDark: boolean

// eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the page runs it as a script, too
const run = () => void new Function(source)()

const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme')

beforeEach(() => {
  prefersDark = false
  localStorage.clear()
  document.documentElement.lang = 'en'
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => Object.assign(new EventTarget(), { matches: prefersDark, media }) as MediaQueryList)
})
afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
  document.documentElement.lang = 'en'
})

test.each([
  ['dark', false, 'dark'],
  ['light', true, 'light'],
  ['auto', true, 'dark'],
  [null, true, 'dark'],
  [null, false, 'light'],
])('colours: with %s stored, and a browser that prefers dark: %o, the scheme is %s', (chosen, dark, expected) => {
  if (chosen) localStorage.setItem(storageKeys.colourScheme, chosen)
  prefersDark = dark
  run()
  expect(scheme()).toBe(expected)
})

test.each([
  ['de', 'de'],
  [null, 'en'],
])('language: with %s stored the document is in %s', (stored, expected) => {
  if (stored) localStorage.setItem(storageKeys.language, stored)
  run()
  expect(document.documentElement.lang).toBe(expected)
})

test('where the storage is blocked, the browser decides', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  prefersDark = true
  run()
  expect([scheme(), document.documentElement.lang]).toEqual(['dark', 'en'])
})
