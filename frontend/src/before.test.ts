import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storageKeys } from '@/lib/storage-keys'
import source from './before.js?raw'

const TREE = '0190a000-0000-7000-8000-000000000001'
const EARLY = {
  files: ['de.js', 'en.js', 'frame.js', 'shared.js', 'dashboard.js', 'page.css', 'home.js', 'signin.js', 'post.js', 'link.js', 'system.en.js', 'posts.en.js'],
  parts: { de: [0], en: [1], frame: [2, 3], 'frame.en': [10], dashboard: [4, 5, 3], 'dashboard.en': [11], home: [6], signin: [7], post: [8], 'approval-link': [9] },
  pages: { '/signin': 'signin', '/social-media-posts/*': 'post', '/topics': 'home', '/topics?tree': 'signin' },
}

let prefersDark: boolean
let languageOfBrowser: string

/** Runs it as a page does that is opened at an address. */
function open(path: string, files?: object) {
  history.replaceState(null, '', path)
  const script = document.createElement('script')
  if (files) script.dataset.files = JSON.stringify(files)
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script)
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the page runs it as a script, too
  new Function(source)()
}

const loaded = () => [...document.head.querySelectorAll('link')].map((link) => `${link.rel} ${link.getAttribute('href')}`)

beforeEach(() => {
  prefersDark = false
  languageOfBrowser = 'en-GB'
  localStorage.clear()
  document.head.replaceChildren()
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => Object.assign(new EventTarget(), { matches: prefersDark, media }) as MediaQueryList)
  vi.spyOn(navigator, 'language', 'get').mockImplementation(() => languageOfBrowser)
})
afterEach(() => {
  vi.restoreAllMocks()
  history.replaceState(null, '', '/')
  document.head.replaceChildren()
})

describe('the colours', () => {
  test.each([
    ['dark', false, 'dark'],
    ['light', true, 'light'],
    ['auto', true, 'dark'],
    [null, true, 'dark'],
    [null, false, 'light'],
  ])('chosen %s, where the browser prefers dark: %o, are %s', (chosen, dark, scheme) => {
    if (chosen) localStorage.setItem(storageKeys.colourScheme, chosen)
    prefersDark = dark
    open('/')
    expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe(scheme)
  })
})

describe('the language', () => {
  test.each([
    ['de', 'en-GB', 'de'],
    ['en', 'de-DE', 'en'],
    [null, 'de-AT', 'de'],
    [null, 'fr-FR', 'en'],
  ])('chosen %s, in a browser that speaks %s, is %s', (chosen, browser, language) => {
    if (chosen) localStorage.setItem(storageKeys.language, chosen)
    languageOfBrowser = browser
    open('/')
    expect(document.documentElement.lang).toBe(language)
  })
})

describe('the files that the page needs', () => {
  test('are those of a visitor’s page, in the language', () => {
    open('/signin/', EARLY)
    expect(loaded()).toEqual(['modulepreload /en.js', 'modulepreload /signin.js'])
  })

  test('are those of a user’s, each once, styles as styles', () => {
    localStorage.setItem(storageKeys.token, 'mine')
    open('/', EARLY)
    expect(loaded()).toEqual(['modulepreload /en.js', 'modulepreload /system.en.js', 'modulepreload /frame.js', 'modulepreload /shared.js', 'modulepreload /posts.en.js', 'modulepreload /dashboard.js', 'preload /page.css'])
  })

  test.each([
    ['', ['post.js']],
    ['?decide=secret', ['link.js']],
    ['/elsewhere', ['post.js']],
  ])('are those of what is shown at an address under another: %o', (rest, own) => {
    open(`/social-media-posts/${TREE}${rest}`, EARLY)
    expect(loaded()).toEqual(['en.js', ...own].map((file) => `modulepreload /${file}`))
  })

  test.each([
    ['', 'home.js'],
    ['?search=rain', 'home.js'],
    ['?topic=rain&tree=t', 'signin.js'],
  ])('are those of the page that the query asks for: %o', (query, own) => {
    open(`/topics${query}`, EARLY)
    expect(loaded()).toEqual(['en.js', own].map((file) => `modulepreload /${file}`))
  })

  test('are what every page begins with where none is at the address', () => {
    open('/nowhere', EARLY)
    expect(loaded()).toEqual(['modulepreload /en.js'])
  })

  test('are asked for as the build does later: styles in another mode would be fetched twice', () => {
    open('/', { ...EARLY, files: EARLY.files.with(6, 'home.css') })
    expect(document.head.querySelector('link[href="/home.css"]')?.getAttribute('crossorigin')).toBe('')
  })

  test('are none while developing', () => {
    open('/')
    expect(loaded()).toEqual([])
  })
})

test('where the storage is blocked nobody is signed in, and the browser decides', () => {
  localStorage.setItem(storageKeys.token, 'mine')
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  prefersDark = true
  open('/', EARLY)
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark')
  expect(loaded()).toEqual(['modulepreload /en.js', 'modulepreload /home.js'])
})
