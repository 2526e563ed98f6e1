import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AssistantIn, AssistantOptionsOut, AssistantOut } from '@/api/types.gen'
import { sessionName } from '@/lib/token'
import { refuse } from '@/test/answers'
import { aBrand, anAccount, anAssistant, aWebsite } from '@/test/made'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { AssistantForm } from './assistant-form'
import { draftName } from './use-assistant-editing'
import type { ImagesField } from './form-choices'

/** Saved, and without most of what it needs. */
const made = (name: string, version: number): AssistantOut =>
  anAssistant({
    name,
    version,
    mode: 'draft',
    accounts: [],
    active: false,
    topic_tree_id: null,
    topic_tree_name: null,
    schedule: { frequency: 'weekly', time_zone: 'Europe/Berlin', time_slots: [] },
    status: { phase: 'inactive', applied_version: 1, next_slot: null, next_start: null },
  })

/** In the place of the gallery's: each press adds an image. */
const OwnImagesField: ImagesField = ({ label, value, error, onChange }) => (
  <fieldset>
    <legend>{label}</legend>
    <button type="button" onClick={() => onChange([...value, `image-${value.length + 1}`])}>
      Choose images
    </button>
    {error}
  </fieldset>
)

const OPTIONS: AssistantOptionsOut = {
  currency: 'EUR',
  catch_up_minutes: 60,
  most_catch_up_minutes: 360,
  no_repeat: 10,
  most_no_repeat: 100,
  most_hashtags: 30,
  most_images: 100,
  holiday_countries: ['AT', 'DE', 'US'],
}

const assistant = made('Tips', 1)

const server = startServer()
const page = () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })
let sent: AssistantIn[]
let letGo: () => void
let readKept: (id: string | null) => unknown

beforeEach(() => {
  sent = []
  const held = new Promise<void>((go) => (letGo = go))
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([])),
    http.get('*/api/websites/', () => HttpResponse.json([])),
    http.get('*/api/assistants/options/', () => HttpResponse.json(OPTIONS)),
    http.get('*/api/topics/', page),
    http.get('*/api/templates/', page),
    http.post('*/api/schedules/preview/', () => HttpResponse.json({ errors: [], occurrences: [], left_out: [] })),
    http.put('*/api/assistants/assistant/', async ({ request }) => {
      sent.push((await request.json()) as AssistantIn)
      await held
      return HttpResponse.json({ assistant: made(sent[0]!.name, 2), confirmed: true })
    }),
    http.post('*/api/assistants/', async ({ request }) => {
      sent.push((await request.json()) as AssistantIn)
      await held
      return HttpResponse.json(made(sent[0]!.name, 1), { status: 201 })
    }),
  )
})


function show(of: AssistantOut | null, websiteId?: string) {
  const onSaved = vi.fn()
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  readKept = (id) => queryClient.getQueryData(['draft', sessionName(), draftName(id)])
  render(
    <Providers queryClient={queryClient}>
      <Notifications />
      <MemoryRouter>
        <AssistantForm assistant={of} websiteId={websiteId} imagesField={OwnImagesField} onSaved={onSaved} />
      </MemoryRouter>
    </Providers>,
  )
  return { user: userEvent.setup({ delay: null }), onSaved }
}

test('what is typed while it is being saved stays, over the new version', async () => {
  const { user, onSaved } = show(assistant)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.type(name, ' for winter')
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(sent).toHaveLength(1))
  await user.type(name, ' days')
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(name).toHaveValue('Tips for winter days')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
  expect(readKept('assistant')).toMatchObject({ values: { name: 'Tips for winter days' }, version: 2 })
})

test('a new one is made once, and what is typed meanwhile is kept for its form', async () => {
  const { user, onSaved } = show(null)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.type(name, 'Tips')
  const form = name.closest('form')!
  fireEvent.submit(form)
  fireEvent.submit(form)
  await waitFor(() => expect(sent).toHaveLength(1))
  await user.type(name, ' for winter')
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(sent).toHaveLength(1)
  expect(readKept('assistant')).toMatchObject({ values: { name: 'Tips for winter' }, version: 1 })
  expect(readKept(null)).toBeUndefined()
})

/** One of each, as after the steps before. */
function withOneOfEach() {
  server.use(
    http.get('*/api/accounts/', () =>
      HttpResponse.json([{ id: 'account', kind: 'linkedin', name: 'Mara Lind', state: 'connected' }]),
    ),
    http.get('*/api/topics/', () =>
      HttpResponse.json({ items: [{ id: 'tree', name: 'Commuting', topic_count: 3 }], next_cursor: null, total: 1 }),
    ),
    http.get('*/api/templates/', ({ request }) => {
      const texts = new URL(request.url).searchParams.get('type') === 'text'
      const items = texts ? [{ id: 'template', version_id: 'version', name: 'Practical tip', version: 1 }] : []
      return HttpResponse.json({ items, next_cursor: null, total: items.length })
    }),
    http.post('*/api/templates/preview/', () => HttpResponse.json({ variables: [], reserved: [], errors: [], needs: [], longest: 0, limit: 100_000 })),
    http.post('*/api/templates/*/check/', () => HttpResponse.json({ variables: [], reserved: [], errors: [], needs: [] })),
  )
}

test('where there is one of each, a new one is complete at once and goes on to work', async () => {
  withOneOfEach()
  const { user, onSaved } = show(null)
  await user.click(await screen.findByRole('button', { name: 'Save and activate' }))
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(expect.anything(), true))
  expect(sent[0]).toMatchObject({
    name: 'Commuting',
    topic_tree_id: 'tree',
    template_version_id: 'version',
    account_ids: ['account'],
    schedule: { frequency: 'weekly', days_of_week: [1, 2, 3, 4, 5], time_slots: ['09:00'] },
  })
})

test('what is not complete is saved only, and saving it does not activate', async () => {
  const { user, onSaved } = show(null)
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Tips')
  expect(screen.queryByRole('button', { name: 'Save and activate' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save assistant' }))
  letGo()
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(expect.anything(), false))
})

/** All in one, since each key draws the whole form. */
async function write(user: UserEvent, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

describe('what is wrong', () => {
  test('nothing is as long as it is a draft: every field may be empty', async () => {
    const { user, onSaved } = show(null)
    await screen.findByRole('textbox', { name: 'Name' })
    await user.click(screen.getByRole('button', { name: 'Remove 09:00' }))
    await user.click(screen.getByRole('button', { name: 'Save assistant' }))
    letGo()
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(sent[0]).toMatchObject({ name: '', topic_tree_id: null, account_ids: [], schedule: { time_slots: [] } })
  })

  test('in the server’s eyes is told at its fields, over the form too, and the first one gets the focus', async () => {
    server.use(
      http.put('*/api/assistants/assistant/', () =>
        refuse(422, 'invalid_input', {
          errors: [
            { field: 'schedule.time_slots.0', code: 'bad_time', params: { value: '9' } },
            { field: 'name', code: 'invalid_input' },
          ],
        }),
      ),
    )
    const { user, onSaved } = show({ ...assistant, schedule: { ...assistant.schedule, time_slots: ['09:00'] } })
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), '!')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    expect(await screen.findByText('Not saved yet: check the marked fields.')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Name' })).toBeInvalid()
    expect(screen.getByRole('textbox', { name: 'New time' })).toBeInvalid()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove 09:00' })).toHaveFocus())
    expect(onSaved).not.toHaveBeenCalled()
  })

  test('as a whole keeps what was typed, and says so', async () => {
    server.use(http.put('*/api/assistants/assistant/', () => refuse(500, 'internal')))
    const { user } = show(assistant)
    const name = await screen.findByRole('textbox', { name: 'Name' })
    await write(user, name, ' for winter')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    expect(await screen.findByText(/Error saving configuration/)).toBeVisible()
    expect(name).toHaveValue('Tips for winter')
    expect(screen.getByText('1 unsaved change')).toBeVisible()
    expect(readKept('assistant')).toMatchObject({ values: { name: 'Tips for winter' } })
  })

  test('with the choices is told in place of the form, and they are asked for again', async () => {
    let calls = 0
    server.use(
      http.get('*/api/topics/', () => {
        calls += 1
        return calls === 1 ? refuse(500, 'internal') : page()
      }),
    )
    const { user } = show(null)
    expect(await screen.findByText('The options for this form could not be loaded')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('textbox', { name: 'Name' })).toBeVisible()
  })
})

describe('saved elsewhere meanwhile', () => {
  const newer = { ...made('Tips of Tom', 7) }
  const stale = () =>
    server.use(
      http.put('*/api/assistants/assistant/', async ({ request }) => {
        const body = (await request.json()) as AssistantIn & { version: number }
        sent.push(body)
        return body.version === 7 ? HttpResponse.json({ assistant: made(body.name, 8), confirmed: true }) : refuse(409, 'stale_version')
      }),
      http.get('*/api/assistants/assistant/', () => HttpResponse.json(newer)),
    )

  async function collide() {
    stale()
    const { user, onSaved } = show(assistant)
    await write(user, await screen.findByRole('textbox', { name: 'Name' }), ' for winter')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    await screen.findByText('This assistant was changed elsewhere in the meantime.')
    return { user, onSaved }
  }

  test('the newer version is taken if one wants to', async () => {
    const { user, onSaved } = await collide()
    await user.click(screen.getByRole('button', { name: 'Take the newer version' }))
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Tips of Tom'))
    expect(screen.queryByText('This assistant was changed elsewhere in the meantime.')).toBeNull()
    expect(screen.queryByText(/unsaved change/)).toBeNull()
    expect(onSaved).not.toHaveBeenCalled()
    expect(sent).toHaveLength(1)
  })

  test.each(['Take the newer version', 'Overwrite with my version'])('that it could not be loaded is told: %s', async (choice) => {
    const { user, onSaved } = await collide()
    server.use(http.get('*/api/assistants/assistant/', () => refuse(503, 'temporal_unavailable')))
    await user.click(screen.getByRole('button', { name: choice }))
    expect(await screen.findByRole('alert')).toHaveTextContent(/^The saved version could not be loaded\. ./)
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Tips for winter')
    expect(onSaved).not.toHaveBeenCalled()
    expect(sent).toHaveLength(1)
  })

  test('one’s own is saved over it if one wants to', async () => {
    const { user, onSaved } = await collide()
    await user.click(screen.getByRole('button', { name: 'Overwrite with my version' }))
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(sent.at(-1)).toMatchObject({ name: 'Tips for winter', version: 7 })
    expect(screen.queryByText('This assistant was changed elsewhere in the meantime.')).toBeNull()
  })
})

test('discarding brings back what is saved', async () => {
  const { user } = show(assistant)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await write(user, name, ' for winter')
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  expect(name).toHaveValue('Tips')
  expect(screen.queryByText(/unsaved change/)).toBeNull()
  expect(readKept('assistant')).toBeUndefined()
})

test('saved without a background service, it says that it takes effect later', async () => {
  server.use(http.put('*/api/assistants/assistant/', () => HttpResponse.json({ assistant: made('Tips!', 2), confirmed: false })))
  const { user } = show(assistant)
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '!')
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  expect(await screen.findByText('Saved. The change takes effect when the background service is back.')).toBeVisible()
})

test('a template’s own variables ask for their values, once each, whatever their case', async () => {
  withOneOfEach()
  server.use(
    http.post('*/api/templates/*/', () =>
      HttpResponse.json({ variables: ['Topic', 'Audience', 'audience', 'Tone'], reserved: ['topic'], errors: [], needs: [] }),
    ),
  )
  const { user } = show(null)
  await write(user, await screen.findByRole('textbox', { name: 'Audience' }), 'commuters')
  expect(screen.getAllByRole('textbox', { name: /^(audience|tone|topic)$/i }).map((field) => field.getAttribute('data-path') ?? '')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Save assistant' }))
  letGo()
  await waitFor(() => expect(sent[0]).toMatchObject({ variables: { Audience: 'commuters' } }))
})

test('the name follows the tree until somebody gives another one', async () => {
  server.use(
    http.get('*/api/topics/', () =>
      HttpResponse.json({
        items: [
          { id: 't1', name: 'Commuting', topic_count: 3 },
          { id: 't2', name: 'Touring', topic_count: 1 },
        ],
        next_cursor: null,
        total: 2,
      }),
    ),
  )
  const { user } = show(null)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  const choose = async (tree: RegExp) => {
    await user.click(screen.getByRole('combobox', { name: 'Topic tree' }))
    await user.click(await screen.findByRole('option', { name: tree }))
  }
  await choose(/^Commuting/)
  expect(name).toHaveValue('Commuting')
  await choose(/^Touring, 1 topic$/)
  expect(name).toHaveValue('Touring')
  await write(user, name, ' in winter')
  await choose(/^Commuting/)
  expect(name).toHaveValue('Touring in winter')
})

test('a newer version of a template is offered, and never taken by itself', async () => {
  server.use(
    http.get('*/api/templates/', ({ request }) => {
      const texts = new URL(request.url).searchParams.get('type') === 'text'
      const items = texts ? [{ id: 'template', version_id: 'v4', name: 'Tip', version: 4, type: 'text', body: '' }] : []
      return HttpResponse.json({ items, next_cursor: null, total: items.length })
    }),
    http.post('*/api/templates/*/', () => HttpResponse.json({ variables: [], reserved: [], errors: [], needs: [] })),
  )
  const pinned = { template_id: 'template', version_id: 'v3', name: 'Tip', number: 3, latest_version_id: 'v4', latest_number: 4 }
  const { user } = show({ ...assistant, template: pinned })
  const field = await screen.findByRole('combobox', { name: 'Content template' })
  expect(field).toHaveValue('Tip, version 3')
  expect(screen.queryByText(/unsaved change/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Use version 4' }))
  expect(field).toHaveValue('Tip, version 4')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
})

describe('how much it may do alone', () => {
  const lead = () => screen.getByRole('textbox', { name: 'Lead time' })

  test('whoever asks first prepares a day ahead, and says what becomes of it without an answer', async () => {
    const { user } = show(assistant)
    expect(await screen.findByRole('radio', { name: /Draft only/ })).toBeChecked()
    await user.click(screen.getByRole('radio', { name: /Ask me first/ }))
    expect(lead()).toHaveValue('1440')
    expect(lead()).toHaveAccessibleDescription(/This is the time you have for your approval/)
    await user.click(screen.getByRole('combobox', { name: 'If there is no answer in time' }))
    await user.click(await screen.findByRole('option', { name: 'Skip' }))
    await user.click(screen.getByRole('button', { name: 'Save assistant' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ mode: 'approval', at_deadline: 'skip', lead_minutes: 1440 })
  })

  test('a time that was set by hand stays', async () => {
    const { user } = show({ ...assistant, lead_minutes: 45 })
    await user.click(await screen.findByRole('radio', { name: /Ask me first/ }))
    expect(lead()).toHaveValue('45')
  })

  test('what is shown first is prepared early enough for it', async () => {
    const { user } = show(assistant)
    await user.click(await screen.findByRole('radio', { name: /Publish automatically/ }))
    await user.click(screen.getByRole('combobox', { name: 'Time to object' }))
    await user.click(await screen.findByRole('option', { name: 'For 2 hours' }))
    expect(lead()).toHaveValue('135')
    await user.click(screen.getByRole('button', { name: 'Save assistant' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ mode: 'automatic', veto_minutes: 120, lead_minutes: 135 })
  })
})

describe('where it goes', () => {
  const account = (id: string, name: string, state = 'connected') => ({ id, kind: 'linkedin', name, state })
  const serveAccounts = () =>
    server.use(
      http.get('*/api/accounts/', () =>
        HttpResponse.json([account('mara', 'Mara Lind'), account('page', 'Lindhof', 'needs_reconnecting')]),
      ),
    )

  test('is chosen and taken back, and what needs a new login says so', async () => {
    serveAccounts()
    const { user } = show({ ...assistant, accounts: [{ id: 'mara', kind: 'linkedin', name: 'Mara Lind', state: 'connected' }] })
    const mara = await screen.findByRole('checkbox', { name: /^Mara Lind/ })
    const page = screen.getByRole('checkbox', { name: /^Lindhof/ })
    expect(mara).toBeChecked()
    expect(page.closest('label')).toHaveTextContent('LinkedIn, needs a new login')
    await user.click(page)
    await user.click(mara)
    expect([mara, page].map((box) => (box as HTMLInputElement).checked)).toEqual([false, true])
    letGo()
    await user.click(screen.getByRole('button', { name: 'Save assistant' }))
    await waitFor(() => expect(sent[0]?.account_ids).toEqual(['page']))
  })

  test('is nowhere while there is no account, and leads to connecting one', async () => {
    show(assistant)
    await screen.findByRole('textbox', { name: 'Name' })
    expect(screen.queryByRole('checkbox', { name: /Mara/ })).toBeNull()
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain('/account')
  })

  test('may be alone: drafts or out on time', async () => {
    const { user } = show(assistant)
    await screen.findByRole('textbox', { name: 'Name' })
    await user.click(screen.getByRole('radio', { name: /Publish automatically/ }))
    expect(screen.getByText('1 unsaved change')).toBeVisible()
    await user.click(screen.getByRole('radio', { name: /Draft only/ }))
    expect(screen.queryByText('1 unsaved change')).toBeNull()
  })
})

test('a budget is asked for by its unit, has to be above 0, and can be taken away', async () => {
  const { user } = show(assistant)
  await user.click(await screen.findByRole('combobox', { name: 'Monthly budget' }))
  await user.click(await screen.findByRole('option', { name: 'Money' }))
  const amount = await screen.findByRole('textbox', { name: 'At most (EUR)' })
  await user.type(amount, '0')
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  expect(await screen.findByText('The budget must be above 0')).toBeVisible()
  expect(sent).toEqual([])
  await user.clear(amount)
  await user.type(amount, '12.50')
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.budget).toEqual({ unit: 'money', amount: 12_500_000 })
  letGo()
})

test('what the server says of a budget stands at its amount', async () => {
  server.use(
    http.put('*/api/assistants/assistant/', () =>
      HttpResponse.json(
        {
          status: 422, code: 'invalid_input', detail: '', params: {},
          errors: [{ field: 'budget.amount', code: 'budget_out_of_range', params: {} }],
        },
        { status: 422 },
      ),
    ),
  )
  const { user } = show({ ...assistant, budget: { unit: 'tokens', amount: 20_000, currency: 'USD' } })
  const amount = await screen.findByRole('textbox', { name: 'At most (tokens)' })
  expect(amount).toHaveValue('20,000')
  await user.type(amount, '0')
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  expect(await screen.findByText(/Enter an amount above 0/)).toBeVisible()
  expect(amount).toBeInvalid()
})

test.each([
  // the usual value first, one step further with the next press
  ['Maximum delay', '60', '61', '59'],
  ['Don’t repeat a topic within', '10', '11', '9'],
  ['Lead time', '15', '16', '14'],
])('an empty number (%s) steps from its usual value', async (label, usual, above, below) => {
  const { user } = show(assistant)
  const field = await screen.findByRole('textbox', { name: label, hidden: true })
  await user.clear(field)
  expect(field).toHaveAttribute('placeholder', usual)
  const stepped = (keys: string) => {
    for (const key of keys.split(' ')) fireEvent.keyDown(field, { key })
    return (field as HTMLInputElement).value
  }
  expect(stepped('ArrowUp')).toBe(usual)
  expect(stepped('ArrowUp')).toBe(above)
  await user.clear(field)
  expect(stepped('ArrowDown ArrowDown')).toBe(below)
})

describe('fields that most leave as they are', () => {
  const folded = (title: string) => screen.getByText(title).closest('details')!

  test('say what is set, and open where it is not the usual', async () => {
    show({ ...assistant, hashtag_policy: 'none', link: 'https://example.org' })
    await screen.findByRole('textbox', { name: 'Name' })
    expect(folded('Topic selection')).not.toHaveAttribute('open')
    expect(screen.getByText('Least recently used first · Topics without subtopics · no repeat within 10 posts')).toBeVisible()
    expect(folded('Hashtags and link')).toHaveAttribute('open')
    expect(screen.getByText('Hashtags removed from the text · https://example.org')).toBeVisible()
  })

  test('open where one of them is refused, and it has the focus', async () => {
    server.use(
      http.put('*/api/assistants/assistant/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'link', code: 'link_not_usable', params: {} }] }),
      ),
    )
    const { user } = show(assistant)
    await write(user, await screen.findByRole('textbox', { name: 'Name' }), '!')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    await waitFor(() => expect(folded('Hashtags and link')).toHaveAttribute('open'))
    expect(screen.getByText(/This is not an address of a web page/)).toBeVisible()
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Link below the text/ })).toHaveFocus())
  })

  test('go to the server as they were set', async () => {
    server.use(
      http.get('*/api/schedules/holidays/DE/', () =>
        HttpResponse.json({ country: 'DE', regions: [{ code: 'BY', name: 'Bayern' }] }),
      ),
      http.post('*/api/endings/preview/', () => HttpResponse.json({ text: 'Ride on.', room: 7, errors: [] })),
    )
    const { user, onSaved } = show(assistant)
    await screen.findByRole('textbox', { name: 'Name' })
    await user.click(screen.getByText('Exceptions and daily limit'))
    await user.click(screen.getByRole('combobox', { name: 'Public holidays' }))
    await user.click(await screen.findByRole('option', { name: 'Germany' }))
    await user.click(await screen.findByRole('combobox', { name: 'Region' }))
    await user.click(await screen.findByRole('option', { name: 'Bayern' }))
    fireEvent.change(screen.getByLabelText('First skipped day'), { target: { value: '2026-12-24' } })
    fireEvent.change(screen.getByLabelText('Until (optional)'), { target: { value: '2026-12-20' } })
    await user.click(screen.getByRole('button', { name: 'Skip' }))
    expect(screen.getByText('The end is before the start. Choose a later day.')).toBeVisible()
    fireEvent.change(screen.getByLabelText('Until (optional)'), { target: { value: '2026-12-26' } })
    await user.click(screen.getByRole('button', { name: 'Skip' }))
    await user.type(screen.getByRole('textbox', { name: 'Maximum posts per day' }), '2')
    await user.click(screen.getByText('Hashtags and link'))
    await user.click(screen.getByRole('combobox', { name: 'Hashtags' }))
    await user.click(await screen.findByRole('option', { name: 'Limit the number' }))
    await user.type(screen.getByRole('combobox', { name: 'Always add (optional)' }), 'lindhof,')
    await user.type(screen.getByRole('textbox', { name: /^Link below/ }), 'example.org')
    expect(await screen.findByText('Ride on.')).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'Image' }))
    await user.click(await screen.findByRole('option', { name: 'Your own images' }))
    await user.click(screen.getByRole('button', { name: 'Choose images' }))
    const late = screen.getByRole('textbox', { name: 'Maximum delay' })
    expect(late).toHaveAccessibleDescription(/^In minutes, at most 360\. Default: 60\./)
    await user.type(late, '30')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    letGo()
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(sent[0]).toMatchObject({
      image_source: 'own',
      image_media_ids: ['image-1'],
      hashtag_policy: 'at_most',
      most_hashtags: 5,
      always_hashtags: ['lindhof'],
      link: 'example.org',
      catch_up_minutes: 30,
      no_repeat: 10,
      schedule: {
        most_per_day: 2,
        left_out_dates: [{ first: '2026-12-24', last: '2026-12-26' }],
        holiday_country: 'DE',
        holiday_region: 'BY',
      },
    })
  })
})

describe('an assistant of a website', () => {
  const free = aWebsite({ id: 'free', name: 'Lindhof Journal', language: 'de' })
  const taken = aWebsite({ id: 'taken', name: 'Workshop blog', assistant: { id: 'other', name: 'Workshop', active: true, topic_tree_id: null } })
  const away = aWebsite({ id: 'away', name: 'Old shop', state: null })
  beforeEach(() => server.use(http.get('*/api/websites/', () => HttpResponse.json([free, taken, away]))))

  test('begins where it was asked for, and has nothing of networks', async () => {
    const { user, onSaved } = show(null, 'free')
    expect(await screen.findByRole('radio', { name: /^A website/ })).toBeChecked()
    expect(screen.getByRole('combobox', { name: 'Website' })).toHaveValue('Lindhof Journal')
    expect(screen.getByRole('combobox', { name: 'Language of the articles' })).toHaveValue('German')
    for (const name of ['Publish to', 'Hashtags and link']) expect(screen.queryByText(name)).toBeNull()
    expect(screen.queryByRole('button', { name: 'Show a sample post' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Show a sample outline' })).toBeVisible()
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Journal')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    letGo()
    await waitFor(() => expect(onSaved).toHaveBeenCalled())
    expect(sent[0]).toMatchObject({ website_id: 'free', language: 'de', account_ids: [] })
  })

  test('needs one, of those that nobody writes for', async () => {
    const { user } = show(null)
    await user.click(await screen.findByRole('radio', { name: /^A website/ }))
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    expect(await screen.findByText('Choose a website.')).toBeVisible()
    expect(sent).toEqual([])
    await user.click(screen.getByRole('combobox', { name: 'Website' }))
    const option = async (name: string) => screen.findByRole('option', { name })
    expect(await option('Workshop blog (assistant: “Workshop”)')).toHaveAttribute('data-combobox-disabled')
    expect(await option('Old shop (disconnected)')).toHaveAttribute('data-combobox-disabled')
    await user.click(await option('Lindhof Journal'))
    expect(screen.queryByText('Choose a website.')).toBeNull()
    expect(screen.getByRole('combobox', { name: 'Language of the articles' })).toHaveValue('German')
  })

  test('is told at its field that another one was quicker', async () => {
    const problem = { field: 'website_id', code: 'website_has_assistant', params: { by: 'Workshop' } }
    server.use(http.post('*/api/assistants/', () => refuse(422, 'invalid_input', { errors: [problem] })))
    const { user } = show(null, 'free')
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Journal')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Website' })).toHaveAccessibleDescription(/“Workshop” already writes for this website/),
    )
    expect(screen.getByRole('combobox', { name: 'Website' })).toHaveFocus()
  })
})

describe('how texts are written', () => {
  test('a new assistant writes a text for each network, and what its rules find is revised', async () => {
    server.use(http.get('*/api/brands/', () => HttpResponse.json({ items: [aBrand()], next_cursor: null, total: 1 })))
    letGo()
    const { user } = show(null)
    expect(await screen.findByRole('radio', { name: /^A text for each network/ })).toBeChecked()
    expect(screen.getByRole('combobox', { name: 'Second look' })).toHaveValue('Rules and revision')
    await user.click(screen.getByRole('combobox', { name: 'Brand (optional)' }))
    await user.click(await screen.findByRole('option', { name: 'Lindhof' }))
    await user.click(screen.getByRole('radio', { name: /^One text for all/ }))
    await user.click(screen.getByRole('combobox', { name: 'Second look' }))
    await user.click(await screen.findByRole('option', { name: 'Rules' }))
    expect(screen.getByText(/^Rules look for clichés/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Save assistant' }))
    await waitFor(() => expect(sent[0]).toMatchObject({ brand_id: 'brand', text_per: 'post', second_look: 'rules' }))
  })

  test('for a website, neither is offered', async () => {
    const { user } = show(assistant)
    await user.click(await screen.findByRole('radio', { name: /^A website/ }))
    expect(screen.queryByRole('radio', { name: /^A text for each network/ })).toBeNull()
    expect(screen.queryByRole('combobox', { name: 'Second look' })).toBeNull()
    expect(screen.getByRole('combobox', { name: 'Brand (optional)' })).toBeVisible()
  })
})

describe('a profile at LinkedIn', () => {
  const serveAccounts = () =>
    server.use(
      http.get('*/api/accounts/', () =>
        HttpResponse.json([anAccount({ id: 'mara', name: 'Mara Lind' }), anAccount({ id: 'page', name: 'Lindhof', type: 'organisation', restricts_automation: false })]),
      ),
    )
  const risk = /^LinkedIn’s terms restrict automated posting/

  test('makes a new assistant ask first, and says why to publish automatically is risky', async () => {
    serveAccounts()
    const { user } = show(null)
    await user.click(await screen.findByRole('checkbox', { name: /^Lindhof/ }))
    expect(screen.getByRole('radio', { name: /Draft only/ })).toBeChecked()
    await user.click(screen.getByRole('checkbox', { name: /^Mara Lind/ }))
    expect(screen.getByRole('radio', { name: /Ask me first/ })).toBeChecked()
    expect(screen.getByRole('textbox', { name: 'Lead time' })).toHaveValue('1440')
    expect(screen.queryByText(risk)).toBeNull()
    await user.click(screen.getByRole('radio', { name: /Publish automatically/ }))
    expect(screen.getByText(risk)).toBeVisible()
    await user.click(screen.getByRole('checkbox', { name: /^Mara Lind/ }))
    expect(screen.queryByText(risk)).toBeNull()
  })

  test('leaves a mode that was chosen', async () => {
    serveAccounts()
    const { user } = show(null)
    await user.click(await screen.findByRole('radio', { name: /Publish automatically/ }))
    await user.click(screen.getByRole('checkbox', { name: /^Mara Lind/ }))
    expect(screen.getByRole('radio', { name: /Publish automatically/ })).toBeChecked()
  })

  test('leaves the mode of a saved assistant', async () => {
    serveAccounts()
    const { user } = show(assistant)
    await user.click(await screen.findByRole('checkbox', { name: /^Mara Lind/ }))
    expect(screen.getByRole('radio', { name: /Draft only/ })).toBeChecked()
  })
})
