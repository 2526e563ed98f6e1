import { expect, test } from 'vitest'
import { narrows, readFilters, sortParameter } from './filters'

const read = (search: string) => readFilters((name) => new URLSearchParams(search).get(name) ?? '')

test('the address holds all filters', () => {
  expect(read('?search=bike&source=card&tag=Autumn%20sale&sort=largest')).toEqual({
    search: 'bike',
    source: 'card',
    tag: 'Autumn sale',
    sort: 'largest',
  })
})

test('an address without filters, or with unknown ones, shows everything, the newest first', () => {
  const all = { search: '', source: null, tag: null, sort: 'newest' }
  expect(read('')).toEqual(all)
  expect(read('?source=painting&sort=prettiest&tag=')).toEqual(all)
})

test('an order narrows nothing', () => {
  expect(narrows(read('?sort=name&image=7'))).toBe(false)
  expect(narrows(read('?search=x'))).toBe(true)
  expect(narrows(read('?source=ai'))).toBe(true)
  expect(narrows(read('?tag=x'))).toBe(true)
})

test('the usual order is not written into the address', () => {
  expect(sortParameter('newest')).toBeNull()
  expect(sortParameter('oldest')).toBe('oldest')
})
