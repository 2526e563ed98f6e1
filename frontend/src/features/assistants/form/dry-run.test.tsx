import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AssistantOut, DryRunIn, DryRunOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { anAssistant } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { AssistantFormProvider, useNewAssistantForm } from './assistant-form-context'
import { DryRun } from './dry-run'
import { newAssistant, type AssistantValues } from './form-values'

const server = startServer()

const aDryRun = (changes: Partial<DryRunOut> = {}): DryRunOut => ({
  id: 'one',
  state: 'succeeded',
  attempt: 1,
  reason: null,
  next_try_at: null,
  topic: { id: 'rain', title: 'Rain without drama', path: ['Weather'] },
  language: 'en',
  text: 'Mudguards help. #bikes',
  texts: [],
  is_article: false,
  outline: null,
  written: true,
  facts: {},
  wants_image: false,
  image_url: null,
  image_width: null,
  image_height: null,
  image_reason: null,
  accounts: [{ id: 'mara', kind: 'linkedin', name: 'Mara Lind', state: 'connected' }],
  slot: '2026-11-24T09:00:00Z',
  provider: 'openai',
  model: 'gpt-6-luna',
  input_tokens: 321,
  output_tokens: 45,
  cost_micros: 31_985,
  currency: 'USD',
  on_budget: false,
  duration_ms: 4_200,
  created_at: '2026-11-23T09:00:00Z',
  finished_at: '2026-11-23T09:00:05Z',
  ...changes,
})

let sent: DryRunIn[] = []
let errors: Record<string, unknown> = {}

beforeEach(() => {
  sent = []
  errors = {}
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([])),
    http.get('*/api/channels/', () => HttpResponse.json([])),
    http.get('*/api/system/', () => HttpResponse.json({ writer: { is_demo: false } })),
    http.get('*/api/topics/tree/', () =>
      HttpResponse.json({ topics: [{ id: 'root', title: 'Bikes', depth: 0 }, { id: 'rain', title: 'Rain', depth: 1 }] }),
    ),
  )
})

function Form({ values, assistant }: { values: Partial<AssistantValues>; assistant: AssistantOut | null }) {
  const form = useNewAssistantForm({
    initialValues: { ...newAssistant('en', 'UTC'), topic_tree_id: 'tree', template_version_id: 'text', ...values },
  })
  return (
    <AssistantFormProvider form={form}>
      <DryRun assistant={assistant} onErrors={(found) => (errors = found)} />
    </AssistantFormProvider>
  )
}

function open(dryRun: DryRunOut, { values = {}, assistant = null }: { values?: Partial<AssistantValues>; assistant?: AssistantOut | null } = {}) {
  server.use(
    http.post('*/api/assistants/dry-runs/', async ({ request }) => {
      sent.push((await request.json()) as DryRunIn)
      return HttpResponse.json(dryRun, { status: 202 })
    }),
    http.get('*/api/assistants/dry-runs/one/', () => HttpResponse.json(dryRun)),
  )
  return show(<Form values={values} assistant={assistant} />)
}

const start = async (user: ReturnType<typeof show>['user']) =>
  user.click(screen.getByRole('button', { name: 'Show a sample post' }))

test('the form as it stands becomes a post, as its network shows it', async () => {
  const { user } = open(aDryRun(), { values: { name: 'Not saved', language: 'de' } })
  await start(user)
  expect(await screen.findByText('On LinkedIn as Mara Lind')).toBeVisible()
  expect(within(screen.getByRole('article')).getByText(/Mudguards help/)).toBeVisible()
  expect(sent).toMatchObject([{ assistant: { name: 'Not saved', language: 'de' }, assistant_id: null, topic_id: null }])
  expect(screen.getByText('321 / 45')).toBeVisible()
  expect(screen.getByText(/0\.03$/)).toBeVisible()
})

test('a saved one is named, and its budget', async () => {
  const { user } = open(aDryRun(), {
    assistant: anAssistant({ id: 'a1', budget: { unit: 'money', amount: 5_000_000, currency: 'USD' } }),
  })
  await start(user)
  expect(await screen.findByText(/The cost counts against this assistant’s budget\./)).toBeVisible()
  expect(sent[0]?.assistant_id).toBe('a1')
})

test('where the demo writer writes, it is said to be free instead of what a run costs', async () => {
  server.use(http.get('*/api/system/', () => HttpResponse.json({ writer: { is_demo: true } })))
  const { user } = open(aDryRun())
  await start(user)
  expect(await screen.findByText('Free: the demo writer writes the sample, without a language model.')).toBeVisible()
  expect(screen.queryByText(/A test run costs as much as a real run/)).toBeNull()
})

test('another topic can be chosen', async () => {
  const { user } = open(aDryRun())
  await start(user)
  await user.click(await screen.findByPlaceholderText('Next topic in turn'))
  await user.click(await screen.findByRole('option', { name: '– Rain' }))
  await user.click(screen.getByRole('button', { name: 'Write another sample' }))
  await waitFor(() => expect(sent.map(({ topic_id }) => topic_id)).toEqual([null, 'rain']))
})

test.each([true, false])('that it costs something is said where a model writes (demo writer: %s)', async (is_demo) => {
  server.use(http.get('*/api/system/', () => HttpResponse.json({ writer: { is_demo } })))
  const { user } = open(aDryRun())
  await user.click(screen.getByRole('button', { name: 'Show a sample post' }))
  await waitFor(() => expect(screen.queryAllByText(/^A test run costs as much as a real run/)).toHaveLength(is_demo ? 0 : 1))
})

test('without a tree or a template there is none', () => {
  open(aDryRun(), { values: { topic_tree_id: null } })
  expect(screen.getByRole('button', { name: 'Show a sample post' })).toBeDisabled()
  expect(screen.getByText('Choose a topic tree and a content template first.')).toBeVisible()
})

describe('what it does is said', () => {
  test.each([
    [{ state: 'queued', text: '', written: false }, 'Waiting for the background service.'],
    [{ state: 'running', text: '', written: false }, 'Writing about “Rain without drama”.'],
    [{ state: 'running', wants_image: true }, 'Creating the image.'],
    [{ state: 'running', reason: 'model_unavailable' }, /^Attempt 1 failed\. The model is not answering right now\. We’ll retry automatically/],
  ] as const)('%o', async (changes, said) => {
    const { user } = open(aDryRun({ ...changes }))
    await start(user)
    expect(await screen.findByText(said)).toBeVisible()
  })

  test('and it can be stopped', async () => {
    const { user } = open(aDryRun({ state: 'running', text: '', written: false }))
    server.use(
      http.post('*/api/assistants/dry-runs/one/cancel/', () => HttpResponse.json(aDryRun({ state: 'cancelled', text: '' }))),
    )
    await start(user)
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    expect(await screen.findByText(/^Stopped\./)).toBeVisible()
  })
})

test.each([
  [{ state: 'failed', reason: 'budget_spent', text: '' }, /this month’s budget/],
  [{ image_reason: 'model_refused', wants_image: true }, /The model refused to do this/],
  [{ facts: { fitting: 'shortened', first_characters: 3214, limit: 3000 } }, /had 3,214 characters, but only 3,000 are allowed: the model shortened it/],
  [{ facts: { flaw: 'language', correction: 'rewritten' } }, 'The first text was in the wrong language and was rewritten.'],
  [
    { facts: { repetition: 'rewritten', first_similarity: 80, similarity: 12, similar_post_id: 'post', similar_topic: 'Rain' } },
    /80% of the first text matched an earlier post about “Rain”/,
  ],
  [{ state: 'failed', reason: 'text_attempts_used', detail: '502: upstream is gone', text: '' }, '502: upstream is gone'],
  [{ facts: { prompt_cut: true } }, /The model did not read the whole prompt/],
  [{ provider: 'demo', cost_micros: 0 }, /^Demo writer:/],
  [{ accounts: [] }, 'As a draft, no account selected'],
] as const)('what came of it is told: %o', async (changes, said) => {
  const { user } = open(aDryRun({ ...changes, ...('accounts' in changes ? { accounts: [] } : {}) } as Partial<DryRunOut>))
  await start(user)
  expect(await screen.findByText(said)).toBeVisible()
})

describe('of an article', () => {
  const outline = { title: 'Rain, dry', headings: ['Why mudguards', 'How to fit them'], further_texts: 4 }
  const anOutline = (changes: Partial<DryRunOut> = {}) => aDryRun({ is_article: true, text: '', outline, accounts: [], ...changes })
  const values = { writes_for: 'website', website_id: 'site' } as const
  const startArticle = (user: ReturnType<typeof show>['user']) =>
    user.click(screen.getByRole('button', { name: 'Show a sample outline' }))

  test('topic, title, headings and cost are shown', async () => {
    const { user } = open(anOutline(), { values })
    await startArticle(user)
    const shown = within(await screen.findByRole('article'))
    expect(shown.getByRole('heading', { name: 'Rain, dry' })).toBeVisible()
    expect(shown.getByText(/Weather › Rain without drama$/)).toBeVisible()
    expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Why mudguards', 'How to fit them'])
    expect(screen.getByText('321 / 45')).toBeVisible()
    expect(screen.getByText(/0\.03$/)).toBeVisible()
    expect(screen.getByText(/^The whole article needs 4 more texts/)).toBeVisible()
    expect(sent).toMatchObject([{ assistant: { website_id: 'site' } }])
  })

  test.each([
    [{ state: 'running', outline: null, written: false }, 'Planning an article about “Rain without drama”.'],
    [{ provider: 'demo', cost_micros: 0 }, /^Demo writer: .* headings/],
    [{ outline: { ...outline, headings: [''] } }, 'No headings: the article is one text.'],
    [{ state: 'failed', reason: 'budget_spent', outline: null, written: false }, /this month’s budget/],
  ] as const)('what happens is told: %o', async (changes, said) => {
    const { user } = open(anOutline(changes as Partial<DryRunOut>), { values })
    await startArticle(user)
    expect(await screen.findByText(said)).toBeVisible()
  })

  test('it grows while it is written', async () => {
    const { user } = open(anOutline({ state: 'running', written: false, outline: { ...outline, headings: ['Why mudguards'] } }), { values })
    await startArticle(user)
    expect(await screen.findByRole('listitem')).toHaveTextContent('Why mudguards')
    expect(screen.queryByText(/^The whole article/)).not.toBeInTheDocument()
  })

  test('without a website there is none', () => {
    open(anOutline(), { values: { ...values, website_id: null } })
    expect(screen.getByRole('button', { name: 'Show a sample outline' })).toBeDisabled()
    expect(screen.getByText('Choose a website first.')).toBeVisible()
  })

  test('in German', async () => {
    await speak('de')
    const { user } = open(anOutline({ language: 'de' }), { values })
    await user.click(screen.getByRole('button', { name: 'Beispielgliederung zeigen' }))
    expect(await screen.findByText(/^Zum ganzen Artikel fehlen noch 4 Texte/)).toBeVisible()
    expect(screen.getByRole('list', { name: 'Überschriften' })).toBeVisible()
  })
})

test('what the form lacks is said at its field', async () => {
  const { user } = open(aDryRun())
  server.use(
    http.post('*/api/assistants/dry-runs/', () =>
      refuse(422, 'assistant_incomplete', { errors: [{ field: 'topic_tree_id', code: 'topic_tree_empty' }] }),
    ),
  )
  await start(user)
  await waitFor(() => expect(errors).toEqual({ topic_tree_id: 'This topic tree has no enabled topic. Add or enable one.' }))
})

test('in German', async () => {
  await speak('de')
  const { user } = open(aDryRun({ facts: { fitting: 'cut', first_characters: 3214, limit: 3000 } }))
  await user.click(screen.getByRole('button', { name: 'Beispielbeitrag zeigen' }))
  expect(await screen.findByText('Auf LinkedIn als Mara Lind')).toBeVisible()
  expect(screen.getByText(/ohne das Modell nach einem Satz abgeschnitten/)).toBeVisible()
})

test('each network shows its own text', async () => {
  const { user } = open(
    aDryRun({
      texts: [
        { channel: 'linkedin', content: 'Mudguards help, and here is why.' },
        { channel: 'mastodon', content: 'Mudguards!' },
      ],
      accounts: [
        { id: 'mara', kind: 'linkedin', name: 'Mara Lind', state: 'connected' },
        { id: 'bikes', kind: 'mastodon', name: 'Lindhof', state: 'connected' },
        { id: 'sky', kind: 'bluesky', name: 'Lindhof', state: 'connected' },
      ],
    }),
  )
  await start(user)
  await screen.findByText('On LinkedIn as Mara Lind')
  const texts = ['Mudguards help, and here is why.', 'Mudguards!', 'Mudguards help. ']
  screen.getAllByRole('article').forEach((preview, index) => expect(preview).toHaveTextContent(texts[index]!.trim()))
})

test('the pages of a carousel are shown as each network gets them: as a document, or as images', async () => {
  server.use(
    http.get('*/api/channels/', () =>
      HttpResponse.json([
        { kind: 'linkedin', limits: { max_images: 9, document: { max_bytes: 1, max_pages: 300, max_title: 100 }, video: null } },
        { kind: 'mastodon', limits: { max_images: 2, document: null, video: null } },
      ]),
    ),
  )
  const { user } = open(
    aDryRun({
      pages: [1, 2, 3].map((page) => ({ media_id: `p${page}`, url: `/p${page}`, alt: `Page text ${page}`, width: 1080, height: 1350 })),
      document_title: 'Rain, dry',
      accounts: [
        { id: 'mara', kind: 'linkedin', name: 'Mara Lind', state: 'connected' },
        { id: 'bikes', kind: 'mastodon', name: 'Lindhof', state: 'connected' },
      ],
    }),
  )
  await start(user)
  const [linkedin, mastodon] = await screen.findAllByRole('article')
  await waitFor(() => expect(within(linkedin!).getByText('Rain, dry')).toBeVisible())
  expect(within(linkedin!).getByText('3 pages')).toBeVisible()
  expect(within(linkedin!).getByRole('list', { name: /3/ })).toBeVisible()
  expect(within(linkedin!).getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual(['Page text 1', 'Page text 2', 'Page text 3'])
  expect(within(mastodon!).queryByText('Rain, dry')).toBeNull()
  expect(within(mastodon!).getAllByRole('img')).toHaveLength(2)
})

test('what the second look finds is shown as at a post', async () => {
  const { user } = open(aDryRun({ review: [{ finding: 'cliche', network: 'linkedin', params: { what: 'game-changer' } }] }))
  await start(user)
  expect(await screen.findByRole('region', { name: 'What a second look found' })).toHaveTextContent('Worn phrase: “game-changer”')
})
