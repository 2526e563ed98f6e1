import { expect, test } from 'vitest'
import { createPath, generatePath, matchPath } from './address'

test.each([
  ['/posts', '/posts', {}],
  ['/posts', '/Posts/', {}],
  ['/', '/', {}],
  ['/posts/:postId', '/posts/7', { postId: '7' }],
  ['/posts/:postId', '/posts/a%20b%2Fc', { postId: 'a b/c' }],
  ['/posts/:postId', '/posts/%E0%A4', { postId: '%E0%A4' }],
  ['/websites/:websiteId/posts/:postId', '/websites/w/posts/p/', { websiteId: 'w', postId: 'p' }],
  ['*', '/what/ever', {}],
])('%s finds in %s what is named in it', (pattern, pathname, params) => {
  expect(matchPath(pattern, pathname)).toEqual(params)
})

test.each([
  ['/posts', '/'],
  ['/posts', '/posts/7'],
  ['/posts/:postId', '/posts'],
  ['/posts/:postId', '/posts//'],
  ['/posts/:postId', '/articles/7'],
  ['/', '/posts'],
])('%s does not fit %s', (pattern, pathname) => {
  expect(matchPath(pattern, pathname)).toBeNull()
})

test('what fills a pattern is found in it again', () => {
  const filled = generatePath('/websites/:websiteId/posts/:postId', { websiteId: 'a/b?', postId: 7 })
  expect(filled).toBe('/websites/a%2Fb%3F/posts/7')
  expect(matchPath('/websites/:websiteId/posts/:postId', filled)).toEqual({ websiteId: 'a/b?', postId: '7' })
})

test('a query and an anchor get the marks that they lack', () => {
  expect(createPath({ pathname: '/a', search: 'b=1', hash: 'c' })).toBe('/a?b=1#c')
  expect(createPath({ pathname: '/a', search: '?b=1', hash: '#c' })).toBe('/a?b=1#c')
  expect(createPath({ pathname: '/a', search: '', hash: '' })).toBe('/a')
})
