import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cronMeaning } from './cron'

describe('times', () => {
  test.each([
    ['30 8 * * *', { kind: 'at', times: ['08:30'] }],
    ['0,45 8,20 * * *', { kind: 'at', times: ['08:00', '08:45', '20:00', '20:45'] }],
    ['0,30 8,20 * * *', { kind: 'minutes', step: 30, offset: 0, hours: [8, 20] }],
    ['0 8-10 * * *', { kind: 'at', times: ['08:00', '09:00', '10:00'] }],
    // more than six are told by their minutes
    ['0 8-14 * * *', { kind: 'hourly', minutes: [0], hours: [8, 9, 10, 11, 12, 13, 14] }],
    ['15 * * * *', { kind: 'hourly', minutes: [15], hours: null }],
    ['0 0-23 * * *', { kind: 'hourly', minutes: [0], hours: null }],
    ['*/15 * * * *', { kind: 'minutes', step: 15, offset: 0, hours: null }],
    ['5/20 9 * * *', { kind: 'minutes', step: 20, offset: 5, hours: [9] }],
    ['0,20,40 * * * *', { kind: 'minutes', step: 20, offset: 0, hours: null }],
    ['* * * * *', { kind: 'minutes', step: 1, offset: 0, hours: null }],
    // not the same distance round the hour
    ['*/7 9 * * *', { kind: 'hourly', minutes: [0, 7, 14, 21, 28, 35, 42, 49, 56], hours: [9] }],
    ['0,10,30 9 * * *', { kind: 'at', times: ['09:00', '09:10', '09:30'] }],
    ['10-50/20 9 * * *', { kind: 'minutes', step: 20, offset: 10, hours: [9] }],
  ])('%s', (expression, times) => {
    expect(cronMeaning(expression)?.times).toEqual(times)
  })
})

describe('days and months', () => {
  test.each([
    ['0 9 * * 1-5', [1, 2, 3, 4, 5]],
    ['0 9 * * MON,wed', [1, 3]],
    ['0 9 * * 5-7', [5, 6, 7]],
    ['0 9 * * 0-1', [1, 7]],
    ['0 9 * * 0,7', [7]],
    ['0 9 * * 0-6', null],
    ['0 9 * * 1-7', null],
    ['0 9 * * *', null],
  ])('%s is on the weekdays %o', (expression, days) => {
    expect(cronMeaning(expression)?.daysOfWeek).toEqual(days)
  })

  test.each([
    ['0 9 1,15 * *', [1, 15]],
    ['0 9 */10 * *', [1, 11, 21, 31]],
    ['0 9 1-31 * *', null],
  ])('%s is on the days %o', (expression, days) => {
    expect(cronMeaning(expression)?.daysOfMonth).toEqual(days)
  })

  test.each([
    ['0 9 1 jan-mar *', [1, 2, 3]],
    ['0 9 1 12 *', [12]],
    ['0 9 1 */6 *', [1, 7]],
    ['0 9 1 1-12 *', null],
  ])('%s is in the months %o', (expression, months) => {
    expect(cronMeaning(expression)?.months).toEqual(months)
  })
})

test.each([
  '60 9 * * *',
  '0 24 * * *',
  '0 9 0 * *',
  '0 9 32 * *',
  '0 9 * 13 *',
  '0 9 * * 8',
  '0 9 * * fri-mon', // the wrong way round
  '5-1 9 * * *',
  '*/0 9 * * *',
  '*-5 9 * * *',
  '0 9 * foo *',
  '1,,2 9 * * *',
  '-1 9 * * *',
  '0 9 ? * *',
  '@daily',
])('%s says more than can be put into words, or nothing', (expression) => {
  expect(cronMeaning(expression)).toBeNull()
})

test('spaces around and between do not matter', () => {
  expect(cronMeaning('  30   8 *\t* 1-5 ')).toEqual(cronMeaning('30 8 * * 1-5'))
})

test('lists in any order, with any repetition, are the same', () => {
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(minutes, (list) => {
      const ascending = [...list].sort((one, other) => one - other)
      expect(cronMeaning(`${[...list, list[0]].join(',')} 9 * * *`)).toEqual(cronMeaning(`${ascending.join(',')} 9 * * *`))
    }),
  )
})

test('whatever is typed, it is read or left to the server, and never fails', () => {
  const piece = fc.constantFrom('*', '/', '-', ',', ' ', '0', '5', '15', '31', '59', '99', 'mon', 'jan', 'L', '#', '?')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
      const meaning = cronMeaning(pieces.join(''))
      if (meaning === null) return
      for (const day of meaning.daysOfWeek ?? []) expect(day).toSatisfy((value: number) => value >= 1 && value <= 7)
      for (const month of meaning.months ?? []) expect(month).toSatisfy((value: number) => value >= 1 && value <= 12)
    }),
    { numRuns: 500 },
  )
})
