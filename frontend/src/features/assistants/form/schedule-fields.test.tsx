import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ScheduleIn } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { AssistantFormProvider, useNewAssistantForm } from './assistant-form-context'
import { newAssistant, toSchedule, type ScheduleValues } from './form-values'
import { ScheduleFields } from './schedule-fields'

const server = startServer()

const date = (slot: string) => ({ slot, local: slot.slice(0, 19), offset_minutes: 0, clock_change: 0 })
let asked: ScheduleIn[]

beforeEach(() => {
  asked = []
  server.use(
    http.post('*/api/schedules/preview/', async ({ request }) => {
      asked.push((await request.json()) as ScheduleIn)
      return HttpResponse.json({ errors: [], occurrences: [date('2026-11-23T09:00:00Z')] })
    }),
  )
})

let current: ScheduleValues
const values = () => current

function Fields({ schedule, errors }: { schedule: ScheduleValues; errors?: Record<string, string> }) {
  const form = useNewAssistantForm({
    initialValues: { ...newAssistant('en', 'UTC'), schedule },
    initialErrors: errors,
    onValuesChange: ({ schedule: now }) => {
      current = now
    },
  })
  return (
    <AssistantFormProvider form={form}>
      <ScheduleFields />
    </AssistantFormProvider>
  )
}

function open(schedule: Partial<ScheduleValues> = {}, errors?: Record<string, string>) {
  current = { ...newAssistant('en', 'UTC').schedule, ...schedule }
  return show(<Fields schedule={current} errors={errors} />)
}

const frequency = (name: string) => screen.getByRole('radio', { name })
const days = () => within(screen.getByRole('group', { name: 'Days' }))

describe('the kind of schedule', () => {
  test('shows only the fields that it uses', async () => {
    const { user } = open()
    expect(days().getAllByRole('checkbox')).toHaveLength(7)
    await user.click(frequency('Daily'))
    expect(screen.queryByRole('group', { name: 'Days' })).toBeNull()
    expect(screen.getByRole('group', { name: 'Times' })).toBeVisible()
    await user.click(frequency('Every X days'))
    expect(screen.getByRole('textbox', { name: /Interval in days/ })).toBeVisible()
    expect(screen.getByLabelText('First day')).toBeVisible()
    await user.click(frequency('Monthly'))
    expect(within(screen.getByRole('group', { name: 'Days of the month' })).getAllByRole('checkbox')).toHaveLength(31)
    expect(screen.getByLabelText('First day (optional)')).toBeVisible()
    await user.click(frequency('Advanced CRON'))
    expect(screen.queryByRole('group', { name: 'Times' })).toBeNull()
    expect(screen.getByRole('textbox', { name: /CRON expression/ })).toBeVisible()
  })

  test('loses nothing by trying another one', async () => {
    const { user } = open({ days_of_week: [2], time_slots: ['10:00', '16:30'] })
    await user.click(frequency('Advanced CRON'))
    await user.click(frequency('Weekly'))
    expect(days().getByRole('checkbox', { name: 'Tuesday' })).toBeChecked()
    expect(screen.getByRole('button', { name: 'Remove 16:30' })).toBeVisible()
  })
})

describe('days', () => {
  test('of the week are named in full, and kept in their order', async () => {
    const { user } = open({ days_of_week: [5] })
    await user.click(days().getByRole('checkbox', { name: 'Monday' }))
    expect(values().days_of_week).toEqual([1, 5])
    await user.click(days().getByRole('checkbox', { name: 'Friday' }))
    expect(values().days_of_week).toEqual([1])
  })

  test('of the month that some months lack ask what then', async () => {
    const { user } = open({ frequency: 'monthly', days_of_month: [28] })
    const group = within(screen.getByRole('group', { name: 'Days of the month' }))
    expect(screen.queryByRole('combobox', { name: 'In shorter months' })).toBeNull()
    await user.click(group.getByRole('checkbox', { name: '31' }))
    await user.click(screen.getByRole('combobox', { name: 'In shorter months' }))
    await user.click(await screen.findByRole('option', { name: 'Skip the day' }))
    expect(values()).toMatchObject({ days_of_month: [28, 31], month_end: 'skip' })
  })

  test('that are wrong say so', () => {
    open({ days_of_week: [] }, { 'schedule.days_of_week': 'Choose a day.' })
    expect(screen.getByRole('alert')).toHaveTextContent('Choose a day.')
  })

  test('have German names in German', async () => {
    await speak('de')
    open()
    expect(screen.getByRole('checkbox', { name: 'Mittwoch' })).toBeChecked()
  })
})

describe('times', () => {
  const field = () => screen.getByRole('textbox', { name: 'New time' })

  test('are added by Enter as they are meant, in their order, without sending the form', async () => {
    const { user } = open({ time_slots: ['12:00'] })
    await user.type(field(), '9{Enter}')
    expect(values().time_slots).toEqual(['09:00', '12:00'])
    expect(field()).toHaveValue('')
    expect(field()).toHaveFocus()
  })

  test('are added by the button, which without one leads to the field', async () => {
    const { user } = open({ time_slots: [] })
    await user.click(screen.getByRole('button', { name: 'Add time' }))
    expect(field()).toHaveFocus()
    await user.keyboard('1630')
    await user.click(screen.getByRole('button', { name: 'Add time' }))
    expect(values().time_slots).toEqual(['16:30'])
  })

  test('that were typed and not added are not lost on the way to another field', async () => {
    const { user } = open({ time_slots: [] })
    await user.type(field(), '7:45')
    await user.click(screen.getByLabelText('Last day (optional)'))
    expect(values().time_slots).toEqual(['07:45'])
  })

  test('half typed stay where they are', async () => {
    const { user } = open({ time_slots: [] })
    await user.type(field(), '7:4')
    await user.tab()
    expect(field()).toHaveValue('7:4')
    expect(values().time_slots).toEqual([])
  })

  test('that are none say so, until somebody types on', async () => {
    const { user } = open({ time_slots: [] })
    await user.type(field(), '25{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('25')
    expect(field()).toBeInvalid()
    await user.clear(field())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('that are there already say so', async () => {
    const { user } = open({ time_slots: ['09:00'] })
    await user.type(field(), '900{Enter}')
    expect(screen.getByRole('alert')).toHaveTextContent('09:00 is already in the list.')
    expect(values().time_slots).toEqual(['09:00'])
  })

  test('are removed by their button, and the focus goes on', async () => {
    const { user } = open({ time_slots: ['09:00', '16:30'] })
    await user.click(screen.getByRole('button', { name: 'Remove 09:00' }))
    expect(values().time_slots).toEqual(['16:30'])
    expect(field()).toHaveFocus()
  })
})

describe('a CRON expression', () => {
  test('is read aloud while it is typed', async () => {
    const { user } = open({ frequency: 'cron' })
    const field = screen.getByRole('textbox', { name: /CRON expression/ })
    await user.type(field, '30 8 * * ')
    expect(screen.queryByText(/^Meaning:/)).toBeNull()
    await user.type(field, '1-5')
    expect(screen.getByText('Meaning: on Monday to Friday, at 08:30.')).toBeVisible()
  })

  test('that the server refused is not read aloud beside that', () => {
    open({ frequency: 'cron', cron: '30 8 * * 1-5' }, { 'schedule.cron': 'Not like this.' })
    expect(screen.getByText('Not like this.')).toBeVisible()
    expect(screen.queryByText(/^Meaning:/)).toBeNull()
  })
})

describe('the dates', () => {
  const preview = () => within(screen.getByRole('complementary'))

  test('are those that the server works out of what would be saved', async () => {
    itIs('2026-11-22T12:00:00Z')
    open({ days_of_week: [1], days_of_month: [3] })
    expect(await preview().findByText('Mon 23 Nov')).toBeVisible()
    expect(preview().getByRole('heading', { name: 'Next slot' })).toBeVisible()
    expect(asked).toEqual([toSchedule(values())])
  })

  test('are asked for once the typing rests', async () => {
    const { user } = open({ frequency: 'cron' })
    await user.type(screen.getByRole('textbox', { name: /CRON expression/ }), '0 9 * * 1')
    expect(await preview().findByText('09:00')).toBeVisible()
    expect(asked.map(({ cron }) => cron)).toEqual(['0 9 * * 1'])
  })

  test.each<[string, Partial<ScheduleValues>]>([
    ['times', { time_slots: [] }],
    ['an expression', { frequency: 'cron', cron: ' ' }],
  ])('are not asked for without %s', async (_, schedule) => {
    open(schedule)
    expect(await preview().findByText(/appear here once you have chosen days and times/)).toBeVisible()
    expect(asked).toEqual([])
  })

  test('of what is not finished yet are none, and that is no error', async () => {
    server.use(http.post('*/api/schedules/preview/', () => HttpResponse.json({ errors: [{ field: 'schedule.days_of_week', code: 'invalid_input', params: {} }], occurrences: [] })))
    open({ days_of_week: [] })
    expect(await preview().findByText(/appear here once/)).toBeVisible()
    expect(preview().queryByRole('alert')).toBeNull()
  })

  test('of a wrong expression say what is wrong with it', async () => {
    server.use(http.post('*/api/schedules/preview/', () => HttpResponse.json({ errors: [{ field: 'schedule.cron', code: 'bad_cron', params: { found: 2 } }], occurrences: [] })))
    open({ frequency: 'cron', cron: '0 9' })
    expect(await preview().findByRole('alert')).toHaveTextContent(/not a CRON expression with five fields/)
  })

  test('that are all past say so', async () => {
    server.use(http.post('*/api/schedules/preview/', () => HttpResponse.json({ errors: [], occurrences: [] })))
    open()
    expect(await preview().findByText('This schedule has no more slots.')).toBeVisible()
  })

  test('that could not be worked out say so', async () => {
    server.use(http.post('*/api/schedules/preview/', () => refuse(500, 'internal')))
    open()
    expect(await preview().findByRole('alert')).toHaveTextContent('The slots could not be calculated. An error occurred.')
  })
})

describe('the time zone', () => {
  test('is found by typing', async () => {
    const { user } = open()
    const field = screen.getByRole('combobox', { name: 'Time zone' })
    await user.click(field)
    await user.clear(field)
    await user.type(field, 'Tokyo')
    await user.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }))
    expect(values().time_zone).toBe('Asia/Tokyo')
  })

  test('is found by its other name, and written with spaces', async () => {
    const { user } = open()
    const field = screen.getByRole('combobox', { name: 'Time zone' })
    await user.clear(field)
    await user.type(field, 'ho chi minh')
    await user.click(await screen.findByRole('option', { name: /^Asia\/(Saigon|Ho_Chi_Minh)$/ }))
    expect(values().time_zone).toMatch(/^Asia\/(Saigon|Ho_Chi_Minh)$/)
  })

  test('that this browser does not know stays', () => {
    open({ time_zone: 'Mars/Olympus_Mons' })
    expect(screen.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Mars/Olympus_Mons')
  })
})

test('the last day is not before the first', async () => {
  const { user } = open()
  await user.type(screen.getByLabelText('First day (optional)'), '2026-12-01')
  await waitFor(() => expect(screen.getByLabelText('Last day (optional)')).toHaveAttribute('min', '2026-12-01'))
})
