import { describe, expect, test } from 'vitest'
import { createFormat } from './format'

const en = createFormat('en', 'Europe/Berlin')
const de = createFormat('de', 'Europe/Berlin')
const now = new Date('2026-10-21T06:41:00Z') // Wednesday, 8:41 in Berlin

/** Intl separates with spaces that do not break. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('days and times', () => {
  const slot = '2026-10-21T07:00:04Z'

  test('have their weekday and a 24-hour clock', () => {
    expect(en.dayAndTime(slot, now)).toBe('Wed 21 Oct, 09:00')
    expect(de.dayAndTime(slot, now)).toBe('Mi. 21. Okt., 09:00')
    expect(en.seconds(slot)).toBe('09:00:04')
  })

  test('name another year', () => {
    expect(en.day('2027-01-04T09:00:00Z', now)).toBe('Mon 4 Jan 2027')
    expect(de.day('2027-01-04T09:00:00Z', now)).toBe('Mo. 4. Jan. 2027')
  })

  test('read differently inside sentences', () => {
    expect(en.timeInSentence(slot)).toBe('9:00')
    expect(de.timeInSentence(slot)).toBe('9:00 Uhr')
    expect(de.timeInSentence('2026-10-20T22:00:00Z')).toBe('0:00 Uhr')
    expect(en.longDay(slot)).toBe('Wednesday, 21 October')
    expect(de.longDay(slot)).toBe('Mittwoch, 21. Oktober')
  })

  test('are near in words, by the days of the zone and not by 24 hours', () => {
    expect(en.dayInSentence('2026-10-20T22:30:00Z', now)).toBe('today')
    expect(de.dayInSentence('2026-10-21T22:30:00Z', now)).toBe('morgen')
    expect(en.dayInSentence('2026-10-23T07:00:00Z', now)).toBe('Friday')
    expect(de.dayInSentence('2026-10-28T08:00:00Z', now)).toBe('Mi. 28. Okt.')
  })

  test('cross the clock change', () => {
    expect(en.dayAndTime('2026-10-26T08:00:00Z', now)).toBe('Mon 26 Oct, 09:00')
  })
})

describe('distances', () => {
  test('relative to now, by the largest unit', () => {
    expect(en.relative('2026-10-26T08:00:00Z', now)).toBe('in 5 days')
    expect(de.relative('2026-10-26T08:00:00Z', now)).toBe('in 5 Tagen')
    expect(en.relative('2026-10-21T04:41:00Z', now)).toBe('2 hours ago')
  })

  test('as a duration, by the two largest units', () => {
    expect(en.duration((7 * 60 + 34) * 60_000)).toBe('7 hrs 34 mins')
    expect(de.duration((7 * 60 + 34) * 60_000)).toBe('7 Std. 34 Min.')
    expect(en.duration(3 * 24 * 60 * 60_000)).toBe('3 days')
    expect(de.duration(200)).toBe('0 Sek.')
  })

  test('as a clock', () => {
    expect(en.countdown(27_252_000)).toBe('07:34:12')
    expect(en.countdown(-1)).toBe('00:00:00')
    expect(en.countdown(30 * 60 * 60_000)).toBe('30:00:00')
  })
})

describe('amounts', () => {
  test('money comes in millionths', () => {
    expect(en.money(3_180_000, 'EUR')).toBe('€3.18')
    expect(plain(de.money(3_180_000, 'EUR'))).toBe('3,18 €')
  })

  test('tiny money is not rounded away', () => {
    expect(plain(de.money(4_100, 'EUR'))).toBe('0,0041 €')
    expect(en.money(0, 'EUR')).toBe('€0.00')
  })

  test('numbers, shares and lists', () => {
    expect(de.number(3412)).toBe('3.412')
    expect(plain(de.percent(0.984))).toBe('98,4 %')
    expect(en.list(['LinkedIn', 'Facebook', 'Instagram'])).toBe('LinkedIn, Facebook and Instagram')
  })
})
