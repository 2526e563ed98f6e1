import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { useRef } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import type { TemplateOut, TryoutDetail } from '@/api/types.gen'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { settingsOf } from '@/features/templates/editor/settings'
import { TryoutPanel, type TryoutPanelHandle } from './tryout-panel'
import type { Values } from '@/features/templates/editor/template-values'
import { useTryoutInputs } from './use-tryout-inputs'

const TEMPLATE = '0190a000-0000-7000-8000-000000000001'
const FIRST = '0190a000-0000-7000-8000-0000000000a1'
const SECOND = '0190a000-0000-7000-8000-0000000000a2'
const THIRD = '0190a000-0000-7000-8000-0000000000a3'

const template: TemplateOut = {
  id: TEMPLATE,
  type: 'text',
  visibility: 'private',
  name: 'Practical tip',
  description: '',
  language: 'en',
  tags: [],
  usage_count: 0,
  used_by: 0,
  author: 'Mara Lind',
  source: null,
  version: 4,
  version_id: TEMPLATE,
  body: 'About ((Topic)) for ((Audience)).',
  settings: settingsOf(),
  variables: ['Topic', 'Audience'],
  published_at: null,
  sample_text: '',
  sample_url: null,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
}

const run = (more: Partial<TryoutDetail> = {}): TryoutDetail => ({
  id: FIRST,
  template_id: TEMPLATE,
  version: 4,
  type: 'text',
  body: template.body,
  settings: settingsOf({ text: { max_characters: 900 } }),
  language: 'en',
  inputs: { Topic: 'Riding in the dark', Audience: 'Commuters' },
  state: 'succeeded',
  attempt: 1,
  reason: null,
  detail: '',
  next_try_at: null,
  prompt_cut: false,
  output: 'At half past four the road turns dark.',
  media_id: null,
  image_url: null,
  image_width: null,
  image_height: null,
  json_output: { output: 'At half past four the road turns dark.', usage: { input_tokens: 1088 } },
  provider: 'openai',
  model: 'gpt-6-luna',
  input_tokens: 1088,
  output_tokens: 214,
  cost_micros: 3200,
  currency: 'USD',
  duration_ms: 4230,
  request_id: 'req_1',
  created_at: '2026-11-21T12:00:00Z',
  started_at: '2026-11-21T12:00:00Z',
  finished_at: '2026-11-21T12:00:04Z',
  ...more,
})

const server = startServer()

/** The server's runs; a started one is put in front. */
function serve(...stored: TryoutDetail[]) {
  const runs = [...stored]
  const bodies: unknown[] = []
  server.use(
    http.get(`*/api/templates/${TEMPLATE}/tryouts/`, ({ request }) => {
      const search = new URL(request.url).searchParams.get('search') ?? ''
      const items = runs.filter((one) => JSON.stringify([one.inputs, one.output]).includes(search))
      return HttpResponse.json({ items, next_cursor: null, total: items.length })
    }),
    http.get(`*/api/templates/${TEMPLATE}/tryouts/:id/`, ({ params }) => {
      const found = runs.find(({ id }) => id === params.id)
      if (found) return HttpResponse.json(found)
      return HttpResponse.json(problem(404, 'not_found'), { status: 404 })
    }),
    http.post(`*/api/templates/${TEMPLATE}/tryouts/`, async ({ request }) => {
      const body = (await request.json()) as TryoutDetail
      bodies.push(body)
      const started = run({ ...body, id: SECOND, state: 'queued', output: '', finished_at: null })
      runs.unshift(started)
      return HttpResponse.json(started, { status: 202 })
    }),
  )
  return { runs, bodies }
}

const problem = (status: number, code: string, errors: object[] = []) => ({
  type: 'about:blank',
  title: '',
  detail: '',
  params: {},
  status,
  code,
  errors,
})

function Page({ changes, broken, body, variables }: { changes: number; broken: boolean; body: string; variables: string[] }) {
  const panel = useRef<TryoutPanelHandle>(null)
  const { language, name, type, tags, description } = template
  const values: Values = { language, name, type, tags, description, body, settings: settingsOf() }
  const inputs = useTryoutInputs(TEMPLATE, variables, values)
  return (
    <TryoutPanel
      ref={panel}
      template={template}
      values={values}
      changes={changes}
      variables={variables}
      broken={broken}
      inputs={inputs}
    />
  )
}

const Address = () => <output data-testid="address">{useLocation().search}</output>

function show({ changes = 0, broken = false, body = template.body, variables = template.variables, address = '/' } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <Providers queryClient={client}>
      <MemoryRouter initialEntries={[address]}>
        <Questions>
          <Page changes={changes} broken={broken} body={body} variables={variables} />
          <Address />
        </Questions>
      </MemoryRouter>
    </Providers>,
  )
  return client
}

// "Run again" is another button, and the shortcut follows
const startButton = () => screen.getByRole('button', { name: /^Run(?! again)/ })
const result = async () => within(await screen.findByRole('region', { name: 'Result of the test run' }))

test('begins with the inputs of the last try, and shows what it used', async () => {
  serve(run())
  show()
  await waitFor(() => expect(screen.getByLabelText('Audience')).toHaveValue('Commuters'))
  const shown = await result()
  expect(shown.getByText('Done in 4.2 s')).toBeVisible()
  expect(shown.getByText('At half past four the road turns dark.')).toBeVisible()
  expect(shown.getByText('1,088')).toBeVisible()
  expect(shown.getByText('US$0.0032')).toBeVisible()
  expect(shown.getByText('req_1')).toBeVisible()
  expect(shown.getByText('38 / 900 characters')).toBeVisible()
})

test('a field that somebody is in keeps what stands there, though the last try comes late', async () => {
  serve(run({ inputs: { Topic: 'Rain', Audience: 'Commuters' } }))
  let answer = () => {}
  const late = new Promise<void>((resolve) => (answer = resolve))
  server.use(
    http.get(`*/api/templates/${TEMPLATE}/tryouts/`, async () => {
      await late
    }),
  )
  const user = userEvent.setup()
  show()
  await user.click(screen.getByLabelText('Topic'))
  answer()
  await waitFor(() => expect(screen.getByLabelText('Audience')).toHaveValue('Commuters'))
  expect(screen.getByLabelText('Topic')).toHaveValue('Riding to work in the dark')
  await user.keyboard(' again')
  expect(screen.getByLabelText('Topic')).toHaveValue('Riding to work in the dark again')
})

test('what was run stays in its fields, whatever another tab tries', async () => {
  const { runs, bodies } = serve(run({ inputs: { Topic: 'Rain', Audience: 'Commuters' } }))
  const user = userEvent.setup()
  const client = show()
  await waitFor(() => expect(screen.getByLabelText('Topic')).toHaveValue('Rain'))
  await user.click(startButton())
  await waitFor(() => expect(bodies).toHaveLength(1))
  runs.unshift(run({ id: THIRD, inputs: { Topic: 'Snow', Audience: 'Families' } }))
  await client.invalidateQueries()
  expect(await screen.findByText('3 test runs so far')).toBeVisible()
  expect(screen.getByLabelText('Topic')).toHaveValue('Rain')
  expect(screen.getByLabelText('Audience')).toHaveValue('Commuters')
})

test('what is not known is said to be unknown, and never looks like nothing', async () => {
  serve(run({ input_tokens: null, output_tokens: null, cost_micros: null, request_id: null }))
  show()
  const shown = await result()
  expect(shown.getAllByText('unknown')).toHaveLength(4)
  expect(shown.queryByText('0')).toBeNull()
})

test('the demo writer is named as what it is', async () => {
  serve(run({ provider: 'demo', model: 'demo-writer', input_tokens: 0, output_tokens: 0, cost_micros: 0, request_id: null }))
  show()
  const shown = await result()
  expect(shown.getAllByText('Demo writer')).toHaveLength(2)
  expect(shown.getByText('Text without a language model. The server’s operator can set one up.')).toBeVisible()
  expect(shown.queryByText('Input tokens')).toBeNull()
})

test('a run tries what is in the editor, and its text appears as it comes', async () => {
  const { runs, bodies } = serve()
  const user = userEvent.setup()
  const client = show({ changes: 2, body: 'Other ((Topic)) and ((Audience))' })
  expect(screen.getByText('Uses the text in the editor, with 2 unsaved changes.')).toBeVisible()
  await user.type(screen.getByLabelText('Audience'), 'Families')
  await user.click(startButton())
  const shown = await result()
  expect(shown.getByText('Queued')).toBeVisible()
  expect(bodies).toEqual([
    {
      body: 'Other ((Topic)) and ((Audience))',
      settings: settingsOf(),
      language: 'en',
      inputs: { Topic: 'Riding to work in the dark', Audience: 'Families' },
    },
  ])
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(`tryout=${SECOND}`))

  runs[0] = run({ id: SECOND, state: 'running', output: 'At half past', version: null })
  await client.invalidateQueries()
  expect(await shown.findByText('At half past')).toHaveAttribute('aria-busy', 'true')
  expect(shown.getByRole('button', { name: 'Stop test run' })).toBeVisible()

  runs[0] = run({ id: SECOND, version: null })
  await client.invalidateQueries()
  expect(await shown.findByText('Done in 4.2 s')).toBeVisible()
  expect(shown.queryByRole('button', { name: 'Stop test run' })).toBeNull()
})

test('a retry says why, which attempt it was and when the next one is', async () => {
  const next = new Date(Date.now() + 24_000).toISOString()
  serve(run({ state: 'running', attempt: 2, reason: 'model_unavailable', next_try_at: next, output: '' }))
  show()
  const shown = await result()
  expect(shown.getByText('Retrying')).toBeVisible()
  expect(shown.getByText('Attempt 2 failed.')).toBeVisible()
  expect(shown.getByText(/The model is not answering right now\. We’ll retry automatically\./)).toBeVisible()
  expect(shown.getByText(/Next attempt in 0:2\d\./)).toBeVisible()
})

test('a failure says why and what to do, and can be run again as it was', async () => {
  const { bodies } = serve(run({ state: 'failed', reason: 'model_refused', output: '', body: 'Then ((Topic))' }))
  const user = userEvent.setup()
  show()
  const shown = await result()
  expect(shown.getByRole('alert')).toHaveTextContent('The model refused to do this. Change the template or the topic.')
  await user.click(shown.getByRole('button', { name: 'Run again' }))
  await waitFor(() => expect(bodies).toHaveLength(1))
  expect(bodies[0]).toMatchObject({ body: 'Then ((Topic))', inputs: { Topic: 'Riding in the dark' } })
})

test('a cancelled run says what became of its cost', async () => {
  const { runs } = serve(run({ state: 'running', output: 'At half' }))
  server.use(
    http.post(`*/api/templates/${TEMPLATE}/tryouts/${FIRST}/cancel/`, () => {
      runs[0] = run({ state: 'cancelled', output: 'At half' })
      return HttpResponse.json(runs[0])
    }),
  )
  const user = userEvent.setup()
  show()
  await user.click(await screen.findByRole('button', { name: 'Stop test run' }))
  const shown = await result()
  expect(await shown.findByText(/Usage up to that point is charged/)).toBeVisible()
})

test('a picture is shown with its size, and a card has no tokens', async () => {
  serve(
    run({
      type: 'image',
      provider: 'cards',
      model: 'cards',
      image_url: '/api/media/1/file',
      image_width: 1080,
      image_height: 1350,
      cost_micros: 0,
      input_tokens: null,
      output_tokens: null,
      request_id: null,
    }),
  )
  show()
  const shown = await result()
  expect(shown.getByRole('img', { name: 'Image of this test run, 1080 × 1350 pixels' })).toBeVisible()
  expect(shown.getByText('US$0.00')).toBeVisible()
  expect(shown.getByText('Card renderer')).toBeVisible()
  expect(await screen.findByText(/Version \d+ · Card renderer$/)).toBeVisible()
  expect(shown.queryByText('Input tokens')).toBeNull()
  expect(shown.queryByText('unknown')).toBeNull()
})

test('JSON and inputs are tabs with addresses', async () => {
  serve(run())
  const user = userEvent.setup()
  show({ address: `/?tryout=${FIRST}&show=json` })
  const shown = await result()
  expect(await shown.findByLabelText('JSON', { selector: 'pre' })).toHaveTextContent('"input_tokens": 1088')
  await user.click(shown.getByRole('tab', { name: 'Inputs' }))
  expect(shown.getByText('Riding in the dark')).toBeVisible()
  expect(screen.getByTestId('address')).toHaveTextContent('show=inputs')
})

test('an input that is missing is named at its field, which gets the focus', async () => {
  serve()
  server.use(
    http.post(`*/api/templates/${TEMPLATE}/tryouts/`, () =>
      HttpResponse.json(
        problem(422, 'invalid_input', [
          { field: 'inputs.Audience', code: 'variable_value_required', params: { name: 'Audience' } },
        ]),
        { status: 422 },
      ),
    ),
  )
  const user = userEvent.setup()
  show()
  await user.click(startButton())
  expect(await screen.findByText('The variable “Audience” has no value yet. Enter one.')).toBeVisible()
  await waitFor(() => expect(screen.getByLabelText('Audience')).toHaveFocus())
})

test('a try that costs more than is free says so, leads to the subscription, and keeps what was typed', async () => {
  serve()
  const params = { limit: 'cost_micros', allowed: 1_000_000, used: 1_000_200, subscribed: 0 }
  server.use(
    http.post(`*/api/templates/${TEMPLATE}/tryouts/`, () =>
      HttpResponse.json({ ...problem(402, 'subscription_required', []), params }, { status: 402 }),
    ),
  )
  const user = userEvent.setup()
  show()
  await user.type(screen.getByLabelText('Audience'), 'riders')
  await user.click(startButton())
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(/This month’s free AI allowance is not enough for this/)
  expect(within(alert).getByRole('link', { name: 'See subscription' })).toHaveAttribute('href', '/subscription')
  expect(screen.getByLabelText('Audience')).toHaveValue('riders')
})

test('a broken variable is corrected first', async () => {
  serve(run())
  show({ broken: true })
  expect(await screen.findByText(/A variable cannot be read/)).toBeVisible()
  expect(startButton()).toBeDisabled()
})

test('an earlier run: its inputs are one click away, found by a search, and used again', async () => {
  const rain = { Topic: 'Rain', Audience: 'Nobody' }
  serve(run(), run({ id: SECOND, inputs: rain, output: 'Rain is only water.', provider: 'demo' }))
  const user = userEvent.setup()
  show()
  const row = (await screen.findByRole('link', { name: 'Rain is only water.' })).closest('li') ?? document.body
  await user.click(within(row).getByRole('button', { name: 'Inputs' }))
  expect(within(row).getByText('Nobody')).toBeVisible()
  await user.type(screen.getByRole('searchbox', { name: 'Search inputs and results' }), 'water')
  await waitFor(() => expect(screen.queryByRole('link', { name: /At half past/ })).toBeNull())
  await user.click(screen.getByRole('button', { name: /^Actions for the test run of/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Use these inputs' }))
  expect(screen.getByLabelText('Audience')).toHaveValue('Nobody')
})

test('an address of a run that is gone leads to the last one', async () => {
  serve(run())
  const user = userEvent.setup()
  show({ address: '/?tryout=0190a000-0000-7000-8000-0000000000ff' })
  await user.click(await screen.findByRole('button', { name: 'Show latest test run' }))
  expect((await result()).getByText('Done in 4.2 s')).toBeVisible()
})

test('two clicks in one moment start one run', async () => {
  const { bodies } = serve()
  show()
  const button = startButton()
  fireEvent.click(button)
  fireEvent.click(button)
  expect(await (await result()).findByText('Queued')).toBeVisible()
  expect(bodies).toHaveLength(1)
})

test.each([
  ['Still being written', run({ state: 'running', output: '', finished_at: null })],
  ['Still being created', run({ type: 'image', state: 'queued', output: '', finished_at: null })],
  ['No result', run({ type: 'image', state: 'failed', output: '' })],
  ['Image', run({ type: 'image', output: '' })],
])('a run without a text is “%s” in the history', async (words, earlier) => {
  serve(earlier)
  show()
  expect(await screen.findByRole('link', { name: words })).toBeVisible()
})

test('a date shows the words that the template gets', async () => {
  serve(run({ inputs: { Topic: 'Riding in the dark', Date: 'Saturday, 21 November 2026' } }))
  show({ variables: ['Topic', 'Date'] })
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Date' })).toHaveValue('Saturday, 21 November 2026'))
})
