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

test.each(['//evil.example/x', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', 'topics', 'http://[', '//['])(
  'the way back never leaves the app: %s',
  (next) => {
    expect(nextPath(`?next=${encodeURIComponent(next)}`)).toBe('/')
  },
)
