import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gridStep } from './grid-keys'

// 0 1 2
// 3 4 5
// 6
const step = (key: string, index: number) => gridStep(key, index, 3, 7)

test('arrows go to the neighbour, over the ends of rows too', () => {
  expect(step('ArrowRight', 2)).toBe(3)
  expect(step('ArrowLeft', 3)).toBe(2)
  expect(step('ArrowDown', 1)).toBe(4)
  expect(step('ArrowUp', 4)).toBe(1)
})

test('the edges hold', () => {
  expect(step('ArrowLeft', 0)).toBe(0)
  expect(step('ArrowUp', 2)).toBe(2)
  expect(step('ArrowRight', 6)).toBe(6)
  expect(step('ArrowDown', 6)).toBe(6)
})

test('down into a last row that is not full lands on its last picture', () => {
  expect(step('ArrowDown', 5)).toBe(6)
  expect(gridStep('ArrowDown', 4, 3, 5)).toBe(4)
})

test('home and end', () => {
  expect(step('Home', 4)).toBe(0)
  expect(step('End', 1)).toBe(6)
})

test('other keys lead nowhere', () => {
  expect(step('Enter', 1)).toBeNull()
  expect(step('constructor', 1)).toBeNull()
  expect(gridStep('End', 0, 3, 0)).toBeNull()
})

test('whatever the grid and the key, it leads to a picture that is there', () => {
  const key = fc.constantFrom('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End')
  fc.assert(
    fc.property(key, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 40 }), fc.nat(), (pressed, columns, count, place) => {
      const target = gridStep(pressed, place % count, columns, count)
      expect(target).not.toBeNull()
      expect(target).toBeGreaterThanOrEqual(0)
      expect(target).toBeLessThan(count)
    }),
  )
})

test('there and back again is where one was, wherever there is a neighbour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 40 }), fc.nat(), (columns, count, place) => {
      const index = place % count
      if (index + 1 < count) expect(gridStep('ArrowLeft', gridStep('ArrowRight', index, columns, count) ?? -1, columns, count)).toBe(index)
      if (index + columns < count) expect(gridStep('ArrowUp', gridStep('ArrowDown', index, columns, count) ?? -1, columns, count)).toBe(index)
    }),
  )
})
