import { expect, test } from 'vitest'
import { hidden, narrows, originParameter, ORIGINS, readFilters, sortParameter } from './filters'

const read = (search: string) => readFilters((name) => new URLSearchParams(search).get(name) ?? '')

test('the address holds all filters', () => {
  expect(read('?search=bike&origin=card&kind=video&tag=Autumn%20sale&sort=largest')).toEqual({
    search: 'bike',
    origin: 'card',
    kind: 'video',
    tag: 'Autumn sale',
    sort: 'largest',
  })
})

test('an address without filters, or with unknown ones, shows the own ones, the newest first', () => {
  const all = { search: '', origin: 'own', kind: null, tag: null, sort: 'newest' }
  expect(read('')).toEqual(all)
  expect(read('?origin=painting&sort=prettiest&kind=sound&tag=')).toEqual(all)
})

test('an order narrows nothing', () => {
  expect(narrows(read('?sort=name&image=7'))).toBe(false)
  expect(narrows(read('?search=x'))).toBe(true)
  expect(narrows(read('?origin=ai'))).toBe(true)
  expect(narrows(read('?origin=all'))).toBe(true)
  expect(narrows(read('?tag=x'))).toBe(true)
})

test('the address names every origin but the own', () => {
  for (const origin of ORIGINS) expect(read(`?origin=${originParameter(origin) ?? ''}`).origin).toBe(origin)
  expect(originParameter('own')).toBeNull()
})

test('what assistants made is hidden until somebody asks for it', () => {
  const counts = { own: 2, upload: 2, ai: 0, card: 0, assistant: 34 }
  expect(hidden(read(''), counts)).toBe(34)
  expect(hidden(read('?origin=upload'), counts)).toBe(0)
  expect(hidden(read('?origin=all'), counts)).toBe(0)
})

test('the usual order is not written into the address', () => {
  expect(sortParameter('newest')).toBeNull()
  expect(sortParameter('oldest')).toBe('oldest')
})
