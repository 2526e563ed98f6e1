import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter, useLocation } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import type { DeliveryOut, ListedRunOut, RunEvidenceOut, StepEvidenceOut } from '@/api/types.gen'
import { itIs, Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { RunList } from './run-list'

const ASSISTANT = '0190a000-0000-7000-8000-000000000001'
const PATH = `*/api/assistants/${ASSISTANT}/runs/`

const delivery: DeliveryOut = {
  id: 'd', account_id: 'a', account_name: 'Mara Lind', posts_url: 'https://network.example/in/me/', channel: 'linkedin', state: 'published', attempts: 2,
  permalink: 'https://example.org/post', error_code: null, error_detail: null,
  called_at: '2026-10-21T07:00:13Z', held_until: null, retry_at: null, settled_at: '2026-10-21T07:00:14Z', decided_at: null, removable: 'yes', removal: null, comment: null, comment_left: null, content: null,
}

const run = (id: string, topic: string | null, changes: Partial<ListedRunOut> = {}): ListedRunOut => ({
  id, assistant_id: ASSISTANT, slot: '2026-10-21T07:00:00Z', planned_at: null, moved: false, by_hand: false, decide_until: null, state: 'published', reason: null, topic_title: topic, is_article: false,
  post_id: `post-${id}`, created_at: '2026-10-21T06:45:00Z', finished_at: '2026-10-21T07:00:15Z', input_tokens: 1088,
  output_tokens: 214, cost_micros: 3200, cost_known: true, currency: 'EUR', time_zone: 'Europe/Berlin', attempts: 2,
  published_at: '2026-10-21T07:00:13Z', lateness_ms: 13_000, deliveries: [delivery], ...changes,
})

const step = (kind: StepEvidenceOut['kind'], changes: Partial<StepEvidenceOut> = {}): StepEvidenceOut => ({
  kind, state: 'done', attempt: 1, started_at: '2026-10-21T06:45:00Z', finished_at: '2026-10-21T06:45:04Z', facts: {},
  failures: [], ...changes,
})

const RAIN = run('rain', 'Rain without drama')
const SNOW = run('snow', 'Riding in snow')
const LOST = run('lost', null, {
  state: 'missed', reason: 'missed_outage', post_id: null, attempts: null, input_tokens: null, output_tokens: null,
  cost_micros: null, published_at: null, lateness_ms: null, deliveries: [],
})
const RUNS = [RAIN, SNOW, LOST]

const evidence = (listed: ListedRunOut): RunEvidenceOut => ({
  ...listed, approval: null, mode: listed.state === 'missed' ? null : 'automatic', wants_image: false, topic_path: ['Weather'],
  content: 'Mudguards help.', first_file: null, image_template: null,
  text_template: { template_id: 't', version_id: 'v', name: 'Practical tip', number: 3 },
  calls: [],
  texts: [],
  found: [], by_link: false, edited: false, brand: null,
  deliveries: listed.deliveries.map((one) => ({ ...one, failures: [] })),
  steps: listed.state === 'missed' ? [] : [
    step('topic', { facts: { path: 'Weather', strategy: 'in_order' } }),
    step('text', {
      attempt: 2,
      facts: { provider: 'openai', model: 'gpt-6-luna', input_tokens: 1088, output_tokens: 214, cost_micros: 3200, request_id: 'req_7', prompt: 'Write about rain.' },
      failures: [{ attempt: 1, code: 'model_unavailable', at: '2026-10-21T06:45:01Z' }],
    }),
    step('check', { facts: { characters: 15 } }),
  ],
  earlier_id: RUNS[RUNS.indexOf(listed) + 1]?.id ?? null, later_id: RUNS[RUNS.indexOf(listed) - 1]?.id ?? null,
})

const server = startServer()

// dates of its own year are named without it
beforeEach(() => itIs('2026-10-22T08:00:00Z'))

function Address() {
  return <output data-testid="address">{useLocation().search}</output>
}

/** The list at an address; what the server was asked for. */
function show(address = '?tab=runs') {
  const asked: URLSearchParams[] = []
  server.use(
    http.get(PATH, ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const items = RUNS.filter(({ state }) => !query.get('state') || state === query.get('state'))
      return HttpResponse.json({ items, next_cursor: null, total: items.length, counts: { published: 2, missed: 1 } })
    }),
    http.get(`${PATH}:id/`, ({ params }) => {
      const found = RUNS.find(({ id }) => id === params.id)
      return found
        ? HttpResponse.json(evidence(found))
        : HttpResponse.json({ type: 'about:blank', title: '', detail: '', params: {}, status: 404, code: 'not_found', errors: [] }, { status: 404 })
    }),
  )
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter initialEntries={[`/assistants/${ASSISTANT}${address}`]}>
        <RunList assistantId={ASSISTANT} />
        <Address />
      </MemoryRouter>
    </Providers>,
  )
  return asked
}

const search = () => new URLSearchParams(screen.getByTestId('address').textContent)

test.each<[string, Partial<ListedRunOut>, RegExp]>([
  ['a missed one', { state: 'missed' }, /did not get it in time\. Nothing more is published for this slot\. Reconnect the account/],
  ['a missed article', { state: 'missed', is_article: true }, /was not reconnected in time\. Nothing more is published for this slot/],
  ['a failed one', { state: 'failed' }, /failed ones stay as they are\.$/],
])('the row of %s promises nothing that does not come', async (_, changes, said) => {
  const lost = run('lost', 'Fog', { reason: 'delivery_needs_reconnect', deliveries: [], ...changes })
  show()
  server.use(http.get(PATH, () => HttpResponse.json({ items: [lost], next_cursor: null, total: 1, counts: { [lost.state]: 1 } })))
  expect((await screen.findByText('Fog')).parentElement?.querySelector('small')).toHaveTextContent(said)
})

test('a row tells what the run came to, in the zone of its slot', async () => {
  show()
  const [, row] = await screen.findAllByRole('row')
  for (const text of ['Wed 21 Oct, 09:00', 'Europe/Berlin', 'Published', 'Rain without drama', '1,088 / 214', '€0.0032', '13 s'])
    expect(row).toHaveTextContent(text)
  expect(within(row as HTMLElement).getByRole('link', { name: 'Open the post of Mara Lind on LinkedIn' })).toHaveAttribute('href', 'https://example.org/post')
})

test('of some days, without what somebody left out, is what a number elsewhere counts; each is taken back by itself', async () => {
  const asked = show('?tab=runs&state=missed&from=2026-10-01&to=2026-10-21&by=itself')
  const days = await screen.findByRole('button', { name: 'Days: Thu 1 Oct – Wed 21 Oct' })
  const narrowed = Object.fromEntries(asked[0]!)
  expect(narrowed).toMatchObject({ state: 'missed', by_itself: 'true' })
  expect(Date.parse(narrowed.slot_before!) - Date.parse(narrowed.slot_from!)).toBe(21 * 86_400_000)
  const user = userEvent.setup({ delay: null })
  await user.click(days)
  expect(search().toString()).toBe('tab=runs&state=missed&by=itself')
  await user.click(screen.getByRole('button', { name: 'Hide runs that you skipped' }))
  expect(search().toString()).toBe('tab=runs&state=missed')
  await waitFor(() => expect(Object.keys(Object.fromEntries(asked.at(-1)!)).sort()).toEqual(['page_size', 'sort', 'state']))
})

test('a missed run says why', async () => {
  show()
  const rows = await screen.findAllByRole('row')
  expect(rows.at(-1)).toHaveTextContent(/Missed.*server was off/)
})

test('state and order are asked of the server and stand in the address', async () => {
  const user = userEvent.setup()
  const asked = show('?tab=runs&sort=oldest&cursor=abc')
  await user.click(await screen.findByRole('button', { name: /^Missed/ }))
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({ sort: 'oldest', cursor: 'abc' })
  expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({ state: 'missed', sort: 'oldest', page_size: '25' })
  expect(Object.fromEntries(search())).toEqual({ tab: 'runs', sort: 'oldest', state: 'missed' })
})

test('a run opens by keyboard, and gives the focus back on Escape', async () => {
  const user = userEvent.setup()
  show()
  const [link] = await screen.findAllByRole('link', { name: /Wed 21 Oct, 09:00/ })
  link?.focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Rain without drama' })).toBeVisible()
  expect(search().get('run')).toBe('rain')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(search().get('run')).toBeNull()
  expect(link).toHaveFocus()
})

test('by its link a run is there with its evidence', async () => {
  show('?tab=runs&run=rain')
  const drawer = await screen.findByRole('dialog', { name: 'Rain without drama' })
  for (const text of ['Topic: Rain without drama', 'gpt-6-luna', 'req_7', 'Attempt 1 failed:', 'Practical tip, version 3', 'Published on 1 channel', '13 s after the slot'])
    expect(drawer).toHaveTextContent(text)
  // its times are those of its slot's zone too
  expect(drawer).toHaveTextContent('Live since 09:00:14')
  expect(within(drawer).getByText('Write about rain.')).not.toBeVisible()
  await userEvent.click(within(drawer).getByText('Prompt'))
  expect(within(drawer).getByText('Write about rain.')).toBeVisible()
})

test('the neighbours are a button away, which keeps the focus', async () => {
  const user = userEvent.setup()
  show('?tab=runs&run=rain')
  await screen.findByRole('dialog', { name: 'Rain without drama' })
  const earlier = screen.getByRole('button', { name: 'Earlier run' })
  expect(screen.getByRole('button', { name: 'Later run' })).toHaveAttribute('aria-disabled', 'true')
  earlier.focus()
  await user.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: 'Riding in snow' })
  await user.keyboard('{Enter}')
  const last = await screen.findByRole('dialog', { name: 'No topic chosen' })
  expect(last).toHaveTextContent(/Not published.*server was off/)
  expect(earlier).toHaveFocus()
  await user.keyboard('{Enter}') // there is none
  expect(search().get('run')).toBe('lost')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-run', 'lost'))
})

test('a run that is not there is told, not drawn', async () => {
  show('?tab=runs&run=nowhere')
  expect(await screen.findByText('The run could not be loaded')).toBeVisible()
})

test('it plays again from its first step', async () => {
  const user = userEvent.setup()
  show('?tab=runs&run=rain')
  const drawer = await screen.findByRole('dialog', { name: 'Rain without drama' })
  await user.click(within(drawer).getByRole('button', { name: 'Replay' }))
  expect(drawer).not.toHaveTextContent('Published on 1 channel')
  expect(drawer).toHaveTextContent('08:45:00')
  await user.click(within(drawer).getByRole('button', { name: 'Stop' }))
  expect(drawer).toHaveTextContent('Published on 1 channel')
})
