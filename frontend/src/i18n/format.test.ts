import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFormat } from './format'

const en = createFormat('en', 'Europe/Berlin')
const de = createFormat('de', 'Europe/Berlin')
const now = new Date('2026-10-21T06:41:00Z') // Wednesday, 8:41 in Berlin

/** Replace the no-break spaces of Intl. */
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
    expect(de.timeInSentence(slot)).toBe('9:00\u00a0Uhr')
    expect(de.timeInSentence('2026-10-20T22:00:00Z')).toBe('0:00\u00a0Uhr')
    expect(en.longDay(slot)).toBe('Wednesday, 21 October')
    expect(de.longDay(slot)).toBe('Mittwoch, 21. Oktober')
  })

  test('are near in words, by the days of the zone and not by 24 hours', () => {
    expect(en.dayInSentence('2026-10-20T22:30:00Z', now)).toBe('today')
    expect(de.dayInSentence('2026-10-21T22:30:00Z', now)).toBe('morgen')
    expect(en.dayInSentence('2026-10-23T07:00:00Z', now)).toBe('Friday')
    expect(de.dayInSentence('2026-10-28T08:00:00Z', now)).toBe('Mi. 28. Okt.')
  })

  test.each([
    ['2026-10-21T06:05:00Z', '8:05', '8:05\u00a0Uhr'],
    ['2026-10-20T22:00:00Z', '0:00', '0:00\u00a0Uhr'],
    ['2026-10-20T21:59:00Z', 'yesterday at 23:59', 'gestern um 23:59\u00a0Uhr'],
    ['2026-10-22T07:00:00Z', 'tomorrow at 9:00', 'morgen um 9:00\u00a0Uhr'],
    ['2026-10-14T07:00:00Z', 'Wed 14 Oct at 9:00', 'Mi. 14. Okt. um 9:00\u00a0Uhr'],
    ['2025-10-21T07:00:00Z', 'Tue 21 Oct 2025 at 9:00', 'Di. 21. Okt. 2025 um 9:00\u00a0Uhr'],
  ])('name the day where it is another one: %s', (at, english, german) => {
    expect(en.momentInSentence(at, now)).toBe(english)
    expect(de.momentInSentence(at, now)).toBe(german)
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
    expect(en.duration((7 * 60 + 34) * 60_000)).toBe('7\u00a0hrs 34\u00a0mins')
    expect(de.duration((7 * 60 + 34) * 60_000)).toBe('7\u00a0Std. 34\u00a0Min.')
    expect(en.duration(3 * 24 * 60 * 60_000)).toBe('3\u00a0days')
    expect(de.duration(200)).toBe('< 1\u00a0Sek.')
  })

  test('as seconds, never as none', () => {
    expect([0, 49, 50, 149, 2_140].map(en.secondsTaken)).toEqual(['< 0.1\u00a0secs', '< 0.1\u00a0secs', '0.1\u00a0secs', '0.1\u00a0secs', '2.1\u00a0secs'])
    expect(de.secondsTaken(0)).toBe('< 0,1\u00a0Sek.')
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

describe('any moment', () => {
  const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })

  test('has a time of day that can be read back', () => {
    fc.assert(
      fc.property(moment, (at) => {
        const utc = createFormat('en', 'UTC')
        expect(utc.seconds(at)).toBe(at.toISOString().slice(11, 19))
        expect(utc.time(at)).toBe(at.toISOString().slice(11, 16))
        expect(utc.time(at.toISOString())).toBe(utc.time(at))
      }),
    )
  })

  test('says the year exactly where it is another one', () => {
    fc.assert(
      fc.property(moment, moment, (at, today) => {
        const utc = createFormat('de', 'UTC')
        const other = at.getUTCFullYear() !== today.getUTCFullYear()
        expect(utc.day(at, today).endsWith(` ${at.getUTCFullYear()}`)).toBe(other)
      }),
    )
  })

  test('is today, tomorrow and yesterday by the days of the zone', () => {
    fc.assert(
      fc.property(moment, (today) => {
        const utc = createFormat('en', 'UTC')
        const days = (count: number) => new Date(today.getTime() + count * 24 * 60 * 60_000)
        expect([-1, 0, 1].map((count) => utc.dayInSentence(days(count), today))).toEqual(['yesterday', 'today', 'tomorrow'])
        for (const count of [2, 3, 4, 5, 6]) expect(utc.dayInSentence(days(count), today)).toMatch(/day$/)
        expect(utc.dayInSentence(days(7), today)).toBe(utc.day(days(7), today))
        expect(utc.dayInSentence(days(-2), today)).toBe(utc.day(days(-2), today))
      }),
    )
  })
})

describe('any wait', () => {
  test('counts down to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (wait) => {
        const [hours = 0, minutes = 0, seconds = 0] = en.countdown(wait).split(':').map(Number)
        expect((hours * 60 + minutes) * 60 + seconds).toBe(Math.floor(wait / 1_000))
        expect(minutes).toBeLessThan(60)
        expect(seconds).toBeLessThan(60)
      }),
    )
  })

  test('is told by two units at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (wait) => {
        expect((en.duration(wait).match(/\d[\d,]*/g) ?? []).length).toBeLessThanOrEqual(2)
      }),
    )
  })

  test.each([
    [999, '< 1\u00a0sec'],
    [1_000, '1\u00a0sec'],
    [59_999, '59\u00a0secs'],
    [60_000, '1\u00a0min'],
    [3_599_999, '59\u00a0mins 59\u00a0secs'],
    [3_600_000, '1\u00a0hr'],
    [3_605_000, '1\u00a0hr'],
    [90_000_000, '1\u00a0day 1\u00a0hr'],
  ])('of %i ms is %s', (wait, text) => {
    expect(en.duration(wait)).toBe(text)
  })
})

describe('any amount', () => {
  test('of money is never rounded to nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (micros) => {
        expect(en.money(micros, 'EUR')).not.toMatch(/^€0\.?0*$/)
      }),
    )
  })

  test.each([
    [10_000, '€0.01'],
    [9_999, '€0.01'],
    [9_949, '€0.0099'],
    [-4_100, '-€0.0041'],
    [1_000_000_000, '€1,000.00'],
  ])('of %i millionths is %s', (micros, text) => {
    expect(en.money(micros, 'EUR')).toBe(text)
  })

  test('of one item and none is listed plainly', () => {
    expect(en.list([])).toBe('')
    expect(de.list(['LinkedIn'])).toBe('LinkedIn')
    expect(de.list(['LinkedIn', 'Facebook'])).toBe('LinkedIn und Facebook')
  })
})
