import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextPath, signInPath } from './paths'

test('the login leads back to where the visitor wanted to go', () => {
  const path = signInPath({ pathname: '/assistants/7', search: '?tab=runs' })
  expect(path).toBe('/signin?next=%2Fassistants%2F7%3Ftab%3Druns')
  expect(nextPath(new URL(path, location.origin).search)).toBe('/assistants/7?tab=runs')
})

test('the root needs no way back', () => {
  expect(signInPath({ pathname: '/', search: '' })).toBe('/signin')
  expect(nextPath('')).toBe('/')
})

test.each([
  '//evil.example/x',
  '/\\evil.example',
  '/.//evil.example',
  '/.//',
  '/topics/..//evil.example/x',
  '/.\\/evil.example',
  '/\t/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'topics',
  'http://[',
  '//[',
])('the way back never leaves the app: %j', (next) => {
  expect(nextPath(`?next=${encodeURIComponent(next)}`)).toBe('/')
})

test('the link of a mail is no place to come back to, whatever it carries', () => {
  expect(signInPath({ pathname: '/verify-email', search: '?token=once' })).toBe('/signin')
})

test('the root with something asked of it is worth the way back', () => {
  expect(nextPath(new URL(signInPath({ pathname: '/', search: '?range=30' }), location.origin).search)).toBe('/?range=30')
})

test('every page of the app is reached again, with what was asked of it', () => {
  const name = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).map(encodeURIComponent)
  const place = fc.record({
    pathname: fc.tuple(name, name).map((parts) => `/${parts.join('/')}`).filter((path) => path !== '/verify-email'),
    search: fc.dictionary(name, fc.string({ maxLength: 10, unit: 'grapheme' }), { minKeys: 1, maxKeys: 3 }).map((asked) => `?${new URLSearchParams(asked).toString()}`),
  })
  fc.assert(
    fc.property(place, (target) => {
      const { search } = new URL(signInPath(target), location.origin)
      const back = new URL(nextPath(search), location.origin)
      const meant = new URL(target.pathname + target.search, location.origin)
      expect([back.pathname, back.search]).toEqual([meant.pathname, meant.search])
    }),
  )
})

test('whatever an address says, the way back stays in the app', () => {
  const piece = fc.constantFrom('/', '\\', '//', 'https:', 'javascript:', 'evil.example', '@', '.', '..', '\t', '\n', ' ', '%2F', 'topics', '?', '#')
  const wild = fc.oneof(fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')), fc.string())
  fc.assert(
    fc.property(wild, (next) => {
      const path = nextPath(`?next=${encodeURIComponent(next)}`)
      expect(new URL(path, location.origin).origin).toBe(location.origin)
      expect(path.startsWith('/')).toBe(true)
    }),
    { numRuns: 500 },
  )
})
