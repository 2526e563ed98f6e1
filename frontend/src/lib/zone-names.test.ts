import { describe, expect, test } from 'vitest'
import { timeZones } from './time-zones'
import { matchesZone, namesOf, withChosen } from './zone-names'

const zones = timeZones()
const found = (search: string) => zones.filter((zone) => matchesZone(zone, search))

describe('a zone', () => {
  // browsers list only one of the two names, and not the same one
  test.each([
    ['Kolkata', 'Asia/Calcutta', 'Asia/Kolkata'],
    ['Calcutta', 'Asia/Calcutta', 'Asia/Kolkata'],
    ['Kyiv', 'Europe/Kiev', 'Europe/Kyiv'],
    ['kiev', 'Europe/Kiev', 'Europe/Kyiv'],
    ['ho chi minh', 'Asia/Saigon', 'Asia/Ho_Chi_Minh'],
    ['Asia/Yangon', 'Asia/Rangoon', 'Asia/Yangon'],
    ['Argentina/Buenos_Aires', 'America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Tel Aviv', 'Asia/Jerusalem', 'Asia/Jerusalem'],
    ['us/eastern', 'America/New_York', 'America/New_York'],
    [' new york ', 'America/New_York', 'America/New_York'],
  ])('is found by %s', (search, one, other) => {
    expect(found(search)).toHaveLength(1)
    expect([one, other]).toContain(found(search)[0])
  })

  test('is found by its own name, whichever it is', () => {
    expect(zones.filter((zone) => !found(zone).includes(zone))).toEqual([])
  })

  test('that nobody has is not found', () => {
    expect(found('Atlantis')).toEqual([])
  })
})

describe('the names of one zone', () => {
  const groups = zones.map(namesOf).filter((names) => names.length > 1)
  const resolved = (zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

  test.each(groups)('mean the same: %s', (...names) => {
    expect(new Set(names.map(resolved)).size).toBe(1)
  })

  test('stand with no other zone', () => {
    const names = groups.flat()
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('the chosen zone', () => {
  test.each(['Asia/Kolkata', 'Asia/Calcutta'])('stands once in the list, by the name that was chosen: %s', (chosen) => {
    const shown = withChosen(zones, chosen)
    expect(shown.filter((zone) => namesOf(chosen).includes(zone))).toEqual([chosen])
    expect(shown).toHaveLength(zones.length)
  })

  test('stands first where this browser does not know it', () => {
    expect(withChosen(['UTC'], 'Mars/Olympus_Mons')).toEqual(['Mars/Olympus_Mons', 'UTC'])
  })

  test.each([null, ''])('may be none: %o', (chosen) => {
    expect(withChosen(['UTC'], chosen)).toEqual(['UTC'])
  })
})
