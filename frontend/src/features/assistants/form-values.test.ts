import { expect, test } from 'vitest'
import type { AssistantOut } from '@/api/types.gen'
import { countChanges, newAssistant, parseTime, toBody, toFormField, toSchedule, toValues } from './form-values'

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
    image_template: { version_id: 'v2' },
    variables: { Tone: 'calm' },
    accounts: [{ id: 'a1' }, { id: 'a2' }],
    schedule: {
      frequency: 'interval', time_zone: 'UTC', time_slots: ['08:00'], days_of_week: [], days_of_month: [],
      month_end: 'skip', every_days: 10, start_date: '2026-11-01', end_date: null, cron: null,
    },
    mode: 'automatic',
    language: 'de',
    lead_minutes: 30,
  } as unknown as AssistantOut
  expect(toBody(toValues(assistant))).toEqual({
    name: 'Test A', tags: ['tips'], topic_tree_id: 't', strategy: 'in_order', pick_from: 'all', template_version_id: 'v1',
    image_source: 'template', image_template_version_id: 'v2', variables: { Tone: 'calm' }, account_ids: ['a1', 'a2'],
    schedule: assistant.schedule, mode: 'automatic', language: 'de', lead_minutes: 30,
  })
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
