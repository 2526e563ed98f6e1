import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moved, placeOf } from './image-order'

test('an image goes where it is dropped', () => {
  const images = ['a', 'b', 'c', 'd']
  expect(moved(images, 3, placeOf(3, 0, false))).toEqual(['d', 'a', 'b', 'c'])
  expect(moved(images, 0, placeOf(0, 2, true))).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(images, 0, placeOf(0, 2, false))).toEqual(['b', 'a', 'c', 'd'])
  // on itself it stays
  expect(moved(images, 1, placeOf(1, 1, true))).toEqual(images)
  expect(moved(images, 1, placeOf(1, 1, false))).toEqual(images)
})

test('none is lost or doubled', () => {
  const places = fc.array(fc.integer(), { minLength: 1 }).chain((images) =>
    fc.tuple(fc.constant(images), fc.nat(images.length - 1), fc.nat(images.length - 1), fc.boolean()),
  )
  fc.assert(
    fc.property(places, ([images, from, over, behind]) => {
      const to = placeOf(from, over, behind)
      const result = moved(images, from, to)
      expect([...result].sort()).toEqual([...images].sort())
      expect(result[to]).toBe(images[from])
    }),
  )
})
