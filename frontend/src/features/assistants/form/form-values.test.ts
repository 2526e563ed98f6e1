import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssistantOut } from '@/api/types.gen'
import { anAccount, anAssistant, aWebsite } from '@/test/made'
import { toFormField } from './form-field'
import {
  countChanges,
  forWebsite,
  looksComplete,
  newAssistant,
  parseTime,
  toBody,
  toSchedule,
  toValues,
  withOnlyChoices,
  type AssistantValues,
  type ScheduleValues,
} from './form-values'

const fresh = () => newAssistant('en', 'Europe/Berlin')

test('only what the chosen frequency uses is sent', () => {
  const schedule = {
    ...fresh().schedule,
    time_slots: ['16:30', '09:00'],
    days_of_week: [5, 1],
    days_of_month: [31, 1],
    every_days: 3,
    cron: ' 30 8 * * 1-5 ',
  } as const
  const sent = (frequency: 'daily' | 'weekly' | 'monthly' | 'interval' | 'cron') =>
    toSchedule({ ...schedule, time_slots: [...schedule.time_slots], days_of_week: [...schedule.days_of_week], days_of_month: [...schedule.days_of_month], frequency })

  expect(sent('daily')).toMatchObject({ time_slots: ['09:00', '16:30'], days_of_week: [], days_of_month: [], every_days: null, cron: null })
  expect(sent('weekly')).toMatchObject({ days_of_week: [1, 5], days_of_month: [] })
  expect(sent('monthly')).toMatchObject({ days_of_month: [1, 31], days_of_week: [] })
  expect(sent('interval')).toMatchObject({ every_days: 3 })
  expect(sent('cron')).toMatchObject({ cron: '30 8 * * 1-5', time_slots: [] })
})

test('empty dates and an empty zone are sent as the server names them', () => {
  expect(toSchedule({ ...fresh().schedule, time_zone: null })).toMatchObject({ time_zone: '', start_date: null, end_date: null })
})

test('what the server gave comes back unchanged', () => {
  const assistant = {
    name: 'Test A',
    tags: ['tips'],
    topic_tree_id: 't',
    strategy: 'in_order',
    pick_from: 'all',
    template: { version_id: 'v1' },
    image_source: 'template',
    image_fallback: 'card',
    image_template: { version_id: 'v2' },
    variables: { Tone: 'calm' },
    accounts: [{ id: 'a1' }, { id: 'a2' }],
    schedule: {
      frequency: 'interval', time_zone: 'UTC', time_slots: ['08:00'], days_of_week: [], days_of_month: [],
      month_end: 'skip', every_days: 10, start_date: '2026-11-01', end_date: null, cron: null, most_per_day: 2,
      left_out_dates: [{ first: '2026-12-24', last: '2027-01-06' }], holiday_country: 'DE', holiday_region: 'BY',
    },
    image_media_ids: [],
    image_order: 'random',
    no_repeat: 3,
    hashtag_policy: 'at_most',
    most_hashtags: 4,
    always_hashtags: ['#shop'],
    link: 'https://example.org',
    catch_up_minutes: 30,
    at_deadline: 'skip',
    veto_minutes: 20,
    mode: 'automatic',
    language: 'de',
    lead_minutes: 30,
    budget: { unit: 'money', amount: 12_500_000, currency: 'USD' },
  } as unknown as AssistantOut
  expect(toBody(toValues(assistant))).toEqual({
    name: 'Test A', tags: ['tips'], topic_tree_id: 't', strategy: 'in_order', pick_from: 'all', template_version_id: 'v1',
    image_source: 'template', image_template_version_id: 'v2', image_fallback: 'card', variables: { Tone: 'calm' }, account_ids: ['a1', 'a2'],
    schedule: assistant.schedule, mode: 'automatic', language: 'de', lead_minutes: 30,
    budget: { unit: 'money', amount: 12_500_000 }, image_media_ids: [], image_order: 'random', no_repeat: 3,
    hashtag_policy: 'at_most', most_hashtags: 4, always_hashtags: ['#shop'], link: 'https://example.org',
    catch_up_minutes: 30, at_deadline: 'skip', veto_minutes: 20, website_id: null,
  })
})

test('one for a website goes there alone, and nothing stands below its articles', () => {
  const values: AssistantValues = {
    ...fresh(), ...forWebsite(aWebsite({ language: 'de' })), account_ids: ['a1'], link: 'example', hashtag_policy: 'none', always_hashtags: ['#shop'],
  }
  expect(toBody(values)).toMatchObject({
    website_id: 'website', language: 'de', account_ids: [], link: '', hashtag_policy: 'as_written', always_hashtags: [], most_hashtags: null,
  })
  expect(toBody(values)).not.toHaveProperty('writes_for')
  // what was chosen before is there again
  expect(toBody({ ...values, writes_for: 'networks' })).toMatchObject({ website_id: null, account_ids: ['a1'], link: 'example' })
  const rest = { ...values, name: 'Journal', topic_tree_id: 't', template_version_id: 'v' }
  expect(looksComplete(rest)).toBe(true)
  expect(looksComplete({ ...rest, website_id: null })).toBe(false)
})

test('its site is no account of its own in the form', () => {
  const website = { id: 'website', name: 'Lindhof Journal' }
  expect(toValues(anAssistant({ website }))).toMatchObject({ writes_for: 'website', website_id: 'website', account_ids: [] })
})

test('own images go where they are what is shown', () => {
  expect(toBody({ ...fresh(), image_source: 'own', image_media_ids: ['a', 'b'] }).image_media_ids).toEqual(['a', 'b'])
  expect(toBody({ ...fresh(), image_source: 'none', image_media_ids: ['a', 'b'] }).image_media_ids).toEqual([])
  const rest: AssistantValues = { ...fresh(), name: 'Tips', topic_tree_id: 't', template_version_id: 'v', image_source: 'own' }
  expect(looksComplete(rest)).toBe(false)
  expect(looksComplete({ ...rest, image_media_ids: ['a'] })).toBe(true)
})

test('what stands empty is as the server has it', () => {
  const { no_repeat, catch_up_minutes, lead_minutes, most_hashtags } = toBody({ ...fresh(), lead_minutes: '' })
  expect([no_repeat, catch_up_minutes, lead_minutes, most_hashtags]).toEqual([undefined, null, 15, null])
  // whoever is asked first needs time to answer
  expect(toBody({ ...fresh(), mode: 'approval', lead_minutes: '' }).lead_minutes).toBe(24 * 60)
})

test('a region without its country is none', () => {
  const schedule = { ...fresh().schedule, holiday_country: null, holiday_region: 'BY' }
  expect(toSchedule(schedule)).toMatchObject({ holiday_country: null, holiday_region: null })
})

test('an image template is left out where no image is made', () => {
  expect(toBody({ ...fresh(), image_template_version_id: 'v2' }).image_template_version_id).toBeNull()
})

test('changes count by field, those of the schedule on their own', () => {
  const before = fresh()
  expect(countChanges(before, fresh())).toBe(0)
  const after = { ...before, name: 'x', schedule: { ...before.schedule, time_slots: ['10:30'], cron: '* * * * *' } }
  expect(countChanges(before, after)).toBe(3)
})

test.each([
  ['name', 'name'],
  ['schedule.cron', 'schedule.cron'],
  ['schedule.time_slots.0', 'schedule.time_slots'],
  ['schedule.days_of_week.2', 'schedule.days_of_week'],
  ['schedule', 'schedule.time_slots'],
  ['template_id', 'template_version_id'],
  ['image_template_id', 'image_template_version_id'],
  ['topic_tree_id', 'topic_tree_id'],
  ['variables.Tone 2', 'variables.Tone 2'],
  ['account_ids', 'account_ids'],
])('the error at %s is shown at %s', (path, field) => {
  expect(toFormField(path)).toBe(field)
})

test.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9:05', '09:05'],
  ['23.59', '23:59'],
  [' 16:30 ', '16:30'],
  ['24', null],
  ['9:5', null],
  ['9:75', null],
  ['noon', null],
  ['', null],
])('%o is the time %o', (text, time) => {
  expect(parseTime(text)).toBe(time)
})

test('every time of a day is read as it is written, with and without its colon', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
      const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
      expect(parseTime(time)).toBe(time)
      expect(parseTime(time.replace(':', ''))).toBe(time)
      expect(parseTime(time.replace(':', '.'))).toBe(time)
    }),
  )
})

test('whatever is typed becomes a time of a day, or none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9:. ]{0,6}$/)), (text) => {
      const time = parseTime(text)
      if (time !== null) expect(time).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
    }),
  )
})

describe('a choice of one', () => {
  const one = {
    accounts: [anAccount({ id: 'a1', type: 'organisation', restricts_automation: false })],
    topicTrees: [{ id: 't1', name: 'Cargo bikes' }],
    textTemplates: [{ version_id: 'v1' }],
  }

  test('is made already, and the tree gives the name', () => {
    expect(withOnlyChoices(fresh(), one)).toMatchObject({
      name: 'Cargo bikes',
      topic_tree_id: 't1',
      template_version_id: 'v1',
      account_ids: ['a1'],
      mode: 'draft',
    })
  })

  test('asks first if it is the profile of a person at LinkedIn', () => {
    const { mode, lead_minutes } = withOnlyChoices(fresh(), { ...one, accounts: [anAccount({ id: 'a1' })] })
    expect([mode, lead_minutes]).toEqual(['approval', 1440])
  })

  test('of several is left to the person', () => {
    const several = {
      accounts: [anAccount({ id: 'a1' }), anAccount({ id: 'a2' })],
      topicTrees: [{ id: 't1', name: 'One' }, { id: 't2', name: 'Two' }],
      textTemplates: [{ version_id: 'v1' }, { version_id: 'v2' }],
    }
    expect(withOnlyChoices(fresh(), several)).toEqual(fresh())
  })

  test('of none leaves everything open', () => {
    expect(withOnlyChoices(fresh(), { accounts: [], topicTrees: [], textTemplates: [] })).toEqual(fresh())
  })

  test('gives a name that is no longer than names may be', () => {
    const long = { ...one, topicTrees: [{ id: 't1', name: 'x'.repeat(200) }] }
    expect(withOnlyChoices(fresh(), long).name).toHaveLength(120)
    const wide = { ...one, topicTrees: [{ id: 't1', name: `x${'🚲'.repeat(200)}` }] }
    expect([...withOnlyChoices(fresh(), wide).name]).toHaveLength(120)
    expect(withOnlyChoices(fresh(), wide).name).not.toMatch(/\p{Surrogate}/u)
  })
})

describe('whether all is there that activating asks for', () => {
  const complete: AssistantValues = {
    ...fresh(),
    name: 'Tips',
    topic_tree_id: 't',
    template_version_id: 'v',
    account_ids: ['a'],
    mode: 'automatic',
  }
  const looks = (changes: Partial<AssistantValues>, schedule: Partial<ScheduleValues> = {}) =>
    looksComplete({ ...complete, ...changes, schedule: { ...complete.schedule, ...schedule } })

  test('it is', () => {
    expect(looks({})).toBe(true)
  })

  test.each<[string, Partial<AssistantValues>]>([
    ['a name', { name: '   ' }],
    ['a tree', { topic_tree_id: null }],
    ['a template', { template_version_id: null }],
    ['an account', { account_ids: [] }],
    ['the template of the image', { image_source: 'template' }],
  ])('not without %s', (_, changes) => {
    expect(looks(changes)).toBe(false)
  })

  test('drafts go nowhere, and need no account', () => {
    expect(looks({ mode: 'draft', account_ids: [] })).toBe(true)
  })

  test('an image needs its template', () => {
    expect(looks({ image_source: 'template', image_template_version_id: 'i' })).toBe(true)
  })

  test.each<[boolean, Partial<ScheduleValues>]>([
    [true, { frequency: 'daily' }],
    [false, { frequency: 'daily', time_slots: [] }],
    [false, { frequency: 'weekly', days_of_week: [] }],
    [false, { frequency: 'monthly' }],
    [true, { frequency: 'monthly', days_of_month: [31] }],
    [false, { frequency: 'interval' }],
    [true, { frequency: 'interval', every_days: 2 }],
    [false, { frequency: 'cron', cron: '  ' }],
    [true, { frequency: 'cron', cron: '0 9 * * *', time_slots: [] }],
  ])('%o with the dates of %o', (is, schedule) => {
    expect(looks({}, schedule)).toBe(is)
  })
})

test('an empty lead is the usual one', () => {
  expect(toBody({ ...fresh(), lead_minutes: '' }).lead_minutes).toBe(15)
  expect(toBody({ ...fresh(), lead_minutes: 1 }).lead_minutes).toBe(1)
})

test.each([
  ['none', '', null],
  ['money', 0.1, { unit: 'money', amount: 100_000 }],
  ['money', 4.35, { unit: 'money', amount: 4_350_000 }],
  ['tokens', 20_000, { unit: 'tokens', amount: 20_000 }],
] as const)('a budget of %s %s goes as %o', (budget_unit, budget_amount, sent) => {
  expect(toBody({ ...fresh(), budget_unit, budget_amount }).budget).toEqual(sent)
  expect(toBody({ ...fresh(), budget_unit, budget_amount })).not.toHaveProperty('budget_unit')
})

test('a name is sent without the spaces around it', () => {
  expect(toBody({ ...fresh(), name: '  Tips ' }).name).toBe('Tips')
})

test('what a frequency does not use is not a change of what is saved, but one of the form', () => {
  const before = fresh()
  const after = { ...before, schedule: { ...before.schedule, days_of_month: [1] } }
  expect(countChanges(before, after)).toBe(1)
  expect(toBody(after)).toEqual(toBody(before))
})

test('what came from the server is no change, whatever it is', () => {
  const assistant = anAssistant({ schedule: { start_date: '2026-11-01', every_days: 4 }, image_template: null })
  expect(countChanges(toValues(assistant), toValues(structuredClone(assistant)))).toBe(0)
})

test('sending changes nothing in the form: its lists keep their order', () => {
  const values = fresh()
  values.schedule = { ...values.schedule, time_slots: ['16:30', '09:00'] }
  toBody(values)
  expect(values.schedule.time_slots).toEqual(['16:30', '09:00'])
})
