import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storageKeys } from '@/lib/storage-keys'
import source from './before.js?raw'

const TREE = '0190a000-0000-7000-8000-000000000001'
const EARLY = {
  files: ['frame.js', 'shared.js', 'dashboard.js', 'page.css', 'home.js', 'signin.js', 'post.js', 'link.js'],
  parts: { frame: [0, 1], dashboard: [2, 3, 1], home: [4], signin: [5], post: [6], 'approval-link': [7] },
  pages: { '/signin': 'signin', '/social-media-posts/*': 'post', '/topics': 'home', '/topics?tree': 'signin' },
}

let prefersDark: boolean

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
  localStorage.clear()
  document.head.replaceChildren()
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => Object.assign(new EventTarget(), { matches: prefersDark, media }) as MediaQueryList)
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

describe('the files that the page needs', () => {
  test('are those of a visitor’s page', () => {
    open('/signin/', EARLY)
    expect(loaded()).toEqual(['modulepreload /signin.js'])
  })

  test('are those of a user’s, each once, styles as styles', () => {
    localStorage.setItem(storageKeys.token, 'mine')
    open('/', EARLY)
    expect(loaded()).toEqual(['modulepreload /frame.js', 'modulepreload /shared.js', 'modulepreload /dashboard.js', 'preload /page.css'])
  })

  test.each([
    ['', ['post.js']],
    ['?decide=secret', ['link.js']],
    ['/elsewhere', ['post.js']],
  ])('are those of what is shown at an address under another: %o', (rest, own) => {
    open(`/social-media-posts/${TREE}${rest}`, EARLY)
    expect(loaded()).toEqual(own.map((file) => `modulepreload /${file}`))
  })

  test.each([
    ['', 'home.js'],
    ['?search=rain', 'home.js'],
    ['?topic=rain&tree=t', 'signin.js'],
  ])('are those of the page that the query asks for: %o', (query, own) => {
    open(`/topics${query}`, EARLY)
    expect(loaded()).toEqual([`modulepreload /${own}`])
  })

  test('are none where no page is at the address', () => {
    open('/nowhere', EARLY)
    expect(loaded()).toEqual([])
  })

  test('are asked for as the build does later: styles in another mode would be fetched twice', () => {
    open('/', { ...EARLY, files: EARLY.files.with(4, 'home.css') })
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
