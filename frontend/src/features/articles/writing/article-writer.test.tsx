import { EditorView } from '@codemirror/view'
import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ArticleEditIn, ArticleIn, ArticleOut, ArticlePartIn, WritingOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { anArticle, aTemplate, aWebsite, aWriting } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ArticleEditor } from '@/features/articles/editor/article-editor'

const server = startServer()
const gallery = { Picker: () => null, Uploads: () => null }

type Order = ArticlePartIn & { start?: number; end?: number }

let ordered: Order[]
/** What becomes of the order of that number. */
let made: (order: Order, number: number) => Partial<WritingOut>

const article = (changes: Partial<ArticleOut> = {}, fields: Partial<ArticleOut['fields']> = {}) => {
  const blank = anArticle()
  return anArticle({
    status: 'draft',
    deliveries: [],
    planned_at: null,
    time_zone: 'UTC',
    language: 'en',
    content: '',
    featured: null,
    ...changes,
    fields: { ...blank.fields, title: '', summary: '', seo_title: '', seo_description: '', ...fields },
  })
}

const PARTS: Record<string, (order: Order) => Partial<WritingOut>> = {
  outline: () => ({ text: '# Tyres', outline: { title: 'Tyres', headings: ['When', 'Which'] } }),
  section: ({ headings, number }) => ({ text: `About ${headings?.[number ?? 0]}.` }),
  summary: () => ({ text: 'When and which.' }),
  search: () => ({ text: 'Tyres\nWide', search: { title: 'Tyres', description: 'Wide ones.' } }),
  revision: () => ({ text: '# Better\n\n## When\n\nNow.' }),
}

beforeEach(() => {
  ordered = []
  made = (order) => PARTS[order.part]?.(order) ?? { text: 'Anew.' }
  let stored: ArticleOut | undefined
  const keep = (body: ArticleIn | ArticleEditIn, id: string) =>
    (stored = article({ id, content: body.content, version: (stored?.version ?? 1) + 1 }, body.fields))
  const order = async ({ request, params }: { request: Request; params: Record<string, unknown> }) => {
    ordered.push((await request.json()) as Order)
    return HttpResponse.json(aWriting({ id: `w${ordered.length - 1}`, post_id: String(params.id), state: 'queued', text: '' }), { status: 202 })
  }
  const writing = (params: Record<string, unknown>) => {
    const number = Number(String(params.writing).slice(1))
    return aWriting({ id: String(params.writing), post_id: String(params.id), kind: 'part', ...made(ordered[number] as Order, number) })
  }
  server.use(
    http.get('*/api/websites/', () => HttpResponse.json([aWebsite({ id: 'site', language: 'en' })])),
    http.post('*/api/articles/preview/', () => HttpResponse.json({ html: '', words: 0, reading_minutes: 0, slug: 'tyres' })),
    http.post('*/api/articles/', async ({ request }) => {
      const body = (await request.json()) as ArticleIn
      return HttpResponse.json(keep(body, body.id), { status: 201 })
    }),
    http.put('*/api/articles/:id/', async ({ request, params }) =>
      HttpResponse.json({ article: keep((await request.json()) as ArticleEditIn, String(params.id)), confirmed: true }),
    ),
    http.get('*/api/templates/', () =>
      HttpResponse.json({ items: [aTemplate({ id: 'guide', name: 'Guide', variables: ['Topic'] })], next_cursor: null, total: 1 }),
    ),
    http.get('*/api/topics/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })),
    http.post('*/api/articles/:id/writings/part/', order),
    http.post('*/api/articles/:id/writings/passage/', order),
    http.get('*/api/social-media-posts/:id/writings/:writing/', ({ params }) => HttpResponse.json(writing(params))),
    http.post('*/api/social-media-posts/:id/writings/:writing/cancel/', ({ params }) => {
      const before = made
      made = (one, number) => ({ ...before(one, number), state: 'cancelled' })
      return HttpResponse.json(writing(params))
    }),
  )
})

async function open(changes: Partial<ArticleOut> = {}, fields: Partial<ArticleOut['fields']> = {}) {
  const shown = show(
    <TimeZoneContext value="UTC">
      <ArticleEditor
        article={article({ id: 'article', website_id: 'site', version: 1, ...changes }, fields)}
        crumbs={[]}
        gallery={gallery}
        onCreated={vi.fn()}
        onDone={vi.fn()}
        onDeleted={vi.fn()}
      />
    </TimeZoneContext>,
  )
  await screen.findByRole('button', { name: 'Write with a template' })
  await waitFor(() => expect(document.querySelector('.cm-content')).not.toBeNull())
  return shown
}

type Shown = Awaited<ReturnType<typeof open>>

const view = () => EditorView.findFromDOM(document.querySelector('.cm-content') as HTMLElement) as EditorView
const text = () => view().state.doc.toString()
const title = () => screen.getByRole('textbox', { name: 'Title' })
/** As a live event does it. */
const refresh = ({ queryClient }: Shown) => act(() => queryClient.invalidateQueries())

async function panel({ user }: Shown) {
  await user.click(screen.getByRole('button', { name: 'Write with a template' }))
  return within(await screen.findByRole('group', { name: 'Write with a template' }))
}

async function press({ user }: Shown, name: string | RegExp, inside: Pick<typeof screen, 'findByRole'> = screen) {
  const button = await inside.findByRole('button', { name })
  await waitFor(() => expect(button).toBeEnabled())
  await user.click(button)
}

const TWO = '## When\n\n## Which'

describe('step by step', () => {
  test('a blank article gets title and headings, which are changed before anything is written, and one undo takes them back', async () => {
    const shown = await open()
    const inside = await panel(shown)
    await shown.user.type(inside.getByRole('textbox', { name: /Topic/ }), 'Winter')
    await press(shown, 'Write outline', inside)
    await waitFor(() => expect(text()).toBe(TWO))
    expect(title()).toHaveValue('Tyres')
    expect(ordered[0]).toMatchObject({ part: 'outline', by: { template_id: 'guide', inputs: { Topic: 'Winter' } }, language: 'en' })
    await press(shown, 'Undo', within(await screen.findByText('The outline was added to the article.').then((one) => one.parentElement as HTMLElement)))
    expect([text(), (title() as HTMLInputElement).value]).toEqual(['', ''])
    act(() => view().dispatch({ changes: { from: 0, insert: TWO } }))

    const first = inside.getByRole('textbox', { name: 'Heading 1' })
    await shown.user.clear(first)
    await shown.user.type(first, 'How')
    await press(shown, 'Move “How” down', inside)
    expect(text()).toBe('## Which\n\n## How')
    await waitFor(() => expect(document.activeElement).toHaveAccessibleName(/Heading 2|Move “How” down/))
    await shown.user.type(inside.getByRole('textbox', { name: 'Another heading' }), 'Where{Enter}')
    await press(shown, 'Remove “Which”', inside)
    expect(text()).toBe('## How\n\n## Where')
  })

  test('where something stands, the outline is shown first', async () => {
    const shown = await open({ content: 'Mine.' }, { title: 'My title' })
    const inside = await panel(shown)
    await press(shown, 'Write outline', inside)
    expect(await inside.findByRole('region', { name: 'New version' })).toHaveTextContent('TyresWhenWhich')
    expect(inside.getByText(/replaces the title and the whole text/)).toBeVisible()
    await press(shown, 'Discard', inside)
    expect([text(), (title() as HTMLInputElement).value]).toEqual(['Mine.', 'My title'])
    await press(shown, 'Write outline', inside)
    await press(shown, 'Apply', inside)
    expect([text(), (title() as HTMLInputElement).value]).toEqual([TWO, 'Tyres'])
    await press(shown, 'Undo', inside)
    expect([text(), (title() as HTMLInputElement).value]).toEqual(['Mine.', 'My title'])
  })

  test('sections are written one after the other below their headings, and taken back one by one or all at once', async () => {
    const shown = await open({ content: `${TWO}\n\n## Mine\n\nStays.` }, { title: 'Tyres' })
    const inside = await panel(shown)
    await press(shown, 'Continue writing', inside)
    const all = '## When\n\nAbout When.\n\n## Which\n\nAbout Which.\n\n## Mine\n\nStays.'
    await waitFor(() => expect(text()).toBe(all))
    expect(ordered.map(({ part, number, text: before, headings }) => ({ part, number, before, headings }))).toEqual([
      { part: 'section', number: 0, before: '', headings: ['When', 'Which', 'Mine'] },
      { part: 'section', number: 1, before: '## When\n\nAbout When.', headings: ['When', 'Which', 'Mine'] },
    ])
    expect(await screen.findByText('All sections are written.')).toBeVisible()
    expect(inside.getByText('3 of 3')).toBeVisible()
    await press(shown, 'Undo', inside)
    expect(text()).toBe(`${TWO}\n\n## Mine\n\nStays.`)
    await shown.user.click(screen.getByTitle(/^Undo/))
    expect(text()).toBe(all)
    await shown.user.click(screen.getByTitle(/^Undo/))
    expect(text()).toBe('## When\n\nAbout When.\n\n## Which\n\n## Mine\n\nStays.')
  })

  test('what comes is seen, nobody types into it, and stopping keeps it; then it goes on behind it', async () => {
    made = () => ({ state: 'running', text: 'Below' })
    const shown = await open({ content: TWO }, { title: 'Tyres' })
    const inside = await panel(shown)
    await press(shown, 'Write sections', inside)
    await waitFor(() => expect(text()).toBe('## When\n\nBelow\n\n## Which'))
    expect(view().state.readOnly).toBe(true)
    made = () => ({ state: 'running', text: 'Below seven' })
    await refresh(shown)
    await waitFor(() => expect(text()).toBe('## When\n\nBelow seven\n\n## Which'))
    // it goes on without its panel, and says so
    await press(shown, 'Close', inside)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Write with a template' })).toHaveFocus())
    expect(screen.getByText('Section 1 of 2 is being written…')).toBeVisible()
    await press(shown, 'Stop')
    expect(await screen.findByText(/Stopped/)).toBeVisible()
    expect(text()).toBe('## When\n\nBelow seven\n\n## Which')
    await waitFor(() => expect(view().state.readOnly).toBe(false))
    expect(ordered).toHaveLength(1)

    made = (order) => PARTS[order.part]?.(order) ?? {}
    const again = await panel(shown)
    await press(shown, 'Continue writing', again)
    await waitFor(() => expect(text()).toBe('## When\n\nBelow seven\n\n## Which\n\nAbout Which.'))
    expect(ordered[1]).toMatchObject({ number: 1, text: '## When\n\nBelow seven' })
  })

  test('whoever leaves the page has it stopped, and is told', async () => {
    made = () => ({ state: 'running', text: 'Below' })
    const shown = await open({ content: TWO }, { title: 'Tyres' })
    const inside = await panel(shown)
    await press(shown, 'Write sections', inside)
    await waitFor(() => expect(text()).toBe('## When\n\nBelow\n\n## Which'))
    const stopped = vi.fn()
    server.use(
      http.post('*/api/social-media-posts/:id/writings/:writing/cancel/', ({ params }) => {
        stopped(params.writing)
        return HttpResponse.json(aWriting({ state: 'cancelled' }))
      }),
    )
    const here = location.pathname
    history.pushState({}, '', '/elsewhere')
    onTestFinished(() => history.pushState({}, '', here))
    shown.unmount()
    await waitFor(() => expect(stopped).toHaveBeenCalledWith('w0'))
  })

  test.each(['budget_spent', 'model_out_of_credit'] as const)('a section that fails for %s says why, leaves no half, and is tried again', async (reason) => {
    made = (order, number) => (number === 1 ? { state: 'failed', reason, text: 'Half' } : (PARTS[order.part]?.(order) ?? {}))
    const shown = await open({ content: TWO }, { title: 'Tyres' })
    const inside = await panel(shown)
    await press(shown, 'Write sections', inside)
    expect(await inside.findByRole('alert')).toHaveTextContent(/Nothing was written\. .*(budget|credit)/i)
    expect(text()).toBe('## When\n\nAbout When.\n\n## Which')
    await press(shown, 'Continue writing', inside)
    await waitFor(() => expect(text()).toBe('## When\n\nAbout When.\n\n## Which\n\nAbout Which.'))
    expect(inside.queryByRole('alert')).toBeNull()
  })

  test('a refusal is told with its remedy, and what is wrong at its field', async () => {
    const params = { limit: 'cost_micros', allowed: 1_000_000, used: 1_000_200, subscribed: 0 }
    server.use(http.post('*/api/articles/:id/writings/part/', () => refuse(402, 'subscription_required', { params })))
    const shown = await open()
    const inside = await panel(shown)
    await press(shown, 'Write outline', inside)
    expect(within(await inside.findByRole('alert')).getByRole('link')).toHaveAttribute('href', '/subscription')
    server.use(
      http.post('*/api/articles/:id/writings/part/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'inputs.Topic', code: 'variable_value_required', params: { name: 'Topic' } }] }),
      ),
    )
    await press(shown, 'Write outline', inside)
    await waitFor(() => expect(inside.getByRole('textbox', { name: /Topic/ })).toBeInvalid())
    expect(inside.getByRole('textbox', { name: /Topic/ })).toHaveFocus()
    expect(text()).toBe('')
  })

  test('a summary fills an empty field, is shown beside a full one, and what a model has cost is told', async () => {
    made = (order) => ({ ...PARTS[order.part]?.(order), model: 'a-model', input_tokens: 1_200, output_tokens: 30, cost_micros: 3_200 })
    const shown = await open({ content: '## When\n\nNow.' }, { title: 'Tyres', seo_title: 'Mine' })
    const inside = await panel(shown)
    await press(shown, 'Write summary', inside)
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Summary/ })).toHaveValue('When and which.'))
    expect(ordered[0]).toMatchObject({ part: 'summary', headings: [] })
    expect(inside.getByText(/^a-model · 1,230 tokens · .*0\.0032$/)).toBeVisible()
    await press(shown, 'Rewrite title and description…', inside)
    await press(shown, 'Apply', inside)
    expect(screen.getByRole('textbox', { name: /^Title for search/ })).toHaveValue('Tyres')
    expect(screen.getByRole('textbox', { name: /^Description for search/ })).toHaveValue('Wide ones.')
    await press(shown, 'Undo', inside)
    expect(screen.getByRole('textbox', { name: /^Title for search/ })).toHaveValue('Mine')
  })
})

describe('again, with a remark,', () => {
  const content = '## When\n\nBelow seven.\n\n## Which\n\nWide ones.'

  async function choose(shown: Shown, item: RegExp) {
    await press(shown, 'Rewrite…')
    await shown.user.click(await screen.findByRole('menuitem', { name: item }))
  }

  test('the section in which the caret is, which stands beside the old one until it is taken', async () => {
    const shown = await open({ content }, { title: 'Tyres' })
    act(() => view().dispatch({ selection: { anchor: content.indexOf('Wide') } }))
    await choose(shown, /Section “Which”/)
    const inside = within(await screen.findByRole('group', { name: 'Rewrite “Which”' }))
    await shown.user.type(inside.getByRole('textbox', { name: 'Instructions for the AI' }), 'Narrow{Control>}{Enter}{/Control}')
    expect(await inside.findByRole('region', { name: 'New version' })).toHaveTextContent('Anew.')
    expect(text()).toBe(content)
    const start = content.indexOf('Wide')
    expect(ordered).toEqual([{ text: content, start, end: start + 'Wide ones.'.length, remark: 'Narrow', language: 'en' }])
    // what is changed around it meanwhile stays
    act(() => view().dispatch({ changes: { from: 0, insert: 'First.\n\n' } }))
    await press(shown, 'Apply', inside)
    expect(text()).toBe('First.\n\n## When\n\nBelow seven.\n\n## Which\n\nAnew.')
    await shown.user.click(screen.getByTitle(/^Undo/))
    expect(text()).toBe(`First.\n\n${content}`)
  })

  test('a passage that was changed meanwhile is not taken', async () => {
    const shown = await open({ content }, { title: 'Tyres' })
    act(() => view().dispatch({ selection: { anchor: content.indexOf('seven'), head: content.indexOf('seven') + 5 } }))
    await choose(shown, /Selected passage/)
    const inside = within(await screen.findByRole('group', { name: 'Rewrite passage' }))
    await shown.user.type(inside.getByRole('textbox', { name: 'Instructions for the AI' }), 'Five')
    await press(shown, 'Rewrite', inside)
    await inside.findByRole('button', { name: 'Apply' })
    act(() => view().dispatch({ changes: { from: content.indexOf('seven'), to: content.indexOf('seven') + 5, insert: 'ten' } }))
    expect(await inside.findByText(/is no longer in the text/)).toBeVisible()
    expect(inside.queryByRole('button', { name: 'Apply' })).toBeNull()
    await press(shown, 'Discard', inside)
    expect(text()).toBe(content.replace('seven', 'ten'))
  })

  test('the whole article, which one undo brings back with its title', async () => {
    const shown = await open({ content }, { title: 'Tyres' })
    await choose(shown, /Whole article/)
    const inside = within(await screen.findByRole('group', { name: 'Revise article' }))
    expect(inside.getByRole('button', { name: 'Rewrite' })).toBeDisabled()
    await shown.user.type(inside.getByRole('textbox', { name: 'Instructions for the AI' }), 'Shorter')
    await press(shown, 'Rewrite', inside)
    await press(shown, 'Apply', inside)
    expect([text(), (title() as HTMLInputElement).value]).toEqual(['## When\n\nNow.', 'Better'])
    await press(shown, 'Undo', within(await screen.findByText('The article was revised.').then((one) => one.parentElement as HTMLElement)))
    expect([text(), (title() as HTMLInputElement).value]).toEqual([content, 'Tyres'])
  })

  test('the summary beside its field, and Escape gives the focus back', async () => {
    const shown = await open({ content }, { title: 'Tyres', summary: 'Old.' })
    await press(shown, 'Rewrite summary…')
    const inside = within(await screen.findByRole('group', { name: 'Write summary' }))
    await press(shown, 'Rewrite', inside)
    await inside.findByRole('button', { name: 'Apply' })
    expect(screen.getByRole('textbox', { name: /^Summary/ })).toHaveValue('Old.')
    await shown.user.keyboard('{Escape}')
    expect(screen.queryByRole('group', { name: 'Write summary' })).toBeNull()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Rewrite summary…' })).toHaveFocus())
    expect(screen.getByRole('textbox', { name: /^Summary/ })).toHaveValue('Old.')
  })
})

describe('the only template', () => {
  const content = '## When\n\nBelow seven.'
  const summary = () => screen.findByRole('group', { name: 'Write summary' })

  test('is not taken for a summary unless it is chosen, since its values are not known', async () => {
    const shown = await open({ content }, { title: 'Tyres' })
    await press(shown, 'Write summary')
    const inside = within(await summary())
    expect(inside.getByRole('combobox', { name: 'Template (optional)' })).toHaveValue('')
    await press(shown, 'Rewrite', inside)
    await inside.findByRole('button', { name: 'Apply' })
    expect(ordered).toMatchObject([{ part: 'summary', by: null }])
  })

  test('asks for its values once it is chosen, and each error stands at its field', async () => {
    server.use(
      http.post('*/api/articles/:id/writings/part/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'inputs.Topic', code: 'variable_value_required', params: { name: 'Topic' } }] }),
      ),
    )
    const shown = await open({ content }, { title: 'Tyres' })
    await press(shown, 'Write title and description')
    const inside = within(await screen.findByRole('group', { name: /^Write title and description/ }))
    await shown.user.click(inside.getByRole('combobox', { name: 'Template (optional)' }))
    await shown.user.click(await screen.findByRole('option', { name: 'Guide' }))
    const topic = inside.getByRole('textbox', { name: /Topic/ })
    await press(shown, 'Rewrite', inside)
    await waitFor(() => expect(topic).toBeInvalid())
    expect(topic).toHaveFocus()
  })

  test('an error of a field that is not shown is told as a sentence', async () => {
    server.use(
      http.post('*/api/articles/:id/writings/part/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'inputs.Audience', code: 'variable_value_required', params: { name: 'Audience' } }] }),
      ),
    )
    const shown = await open({ content }, { title: 'Tyres' })
    await press(shown, 'Write summary')
    const inside = within(await summary())
    await press(shown, 'Rewrite', inside)
    expect(await inside.findByRole('alert')).toBeVisible()
  })

  test('its fields are in sight in the flow as long as one of them is empty', async () => {
    const shown = await open({ content }, { title: 'Tyres' })
    const inside = await panel(shown)
    await shown.user.type(await inside.findByRole('textbox', { name: /Topic/ }), 'Tyres')
    await press(shown, 'Write summary', inside)
    await waitFor(() => expect(ordered).toMatchObject([{ part: 'summary', by: { template_id: 'guide', inputs: { Topic: 'Tyres' } } }]))
  })
})

test.each([
  [true, 'The demo writer writes here: sample text without a language model, free of charge.'],
  [false, 'This uses a language model, which may cost money.'],
])('who writes, and whether that may cost something, is told (demo writer: %s)', async (is_demo, said) => {
  server.use(http.get('*/api/system/', () => HttpResponse.json({ writer: { provider: 'one', model: 'one', is_demo } })))
  const shown = await open()
  const inside = await panel(shown)
  expect(await inside.findByText(said)).toBeVisible()
})

test('in German', async () => {
  await speak('de')
  const shown = show(
    <ArticleEditor article={article({ id: 'article' })} crumbs={[]} gallery={gallery} onCreated={vi.fn()} onDone={vi.fn()} onDeleted={vi.fn()} />,
  )
  await shown.user.click(await screen.findByRole('button', { name: 'Mit Vorlage schreiben' }))
  const inside = within(await screen.findByRole('group', { name: 'Mit Vorlage schreiben' }))
  expect(await inside.findByRole('button', { name: 'Gliederung schreiben' })).toBeVisible()
  expect(inside.getByText('SEO-Texte')).toBeVisible()
})
