import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ComposeIn, PostOut, WritingOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { aBrand, aDelivery, anAccount, aPost, aTemplate, aWriting } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { Composer } from './composer'

const server = startServer()
const mara = anAccount({ id: 'mara', name: 'Mara Lind' })

let sent: { path: string; body: unknown }[]
/** What the writing has become whenever it is read. */
let writing: WritingOut

const draft = (changes: Partial<PostOut> = {}) =>
  aPost({
    id: 'made',
    source: 'person',
    status: 'draft',
    deliveries: [],
    approval: null,
    content: '',
    account_ids: [],
    files: [],
    tags: [],
    variants: [],
    planned_at: null,
    time_zone: 'UTC',
    language: 'en',
    version: 1,
    ...changes,
  })

beforeEach(() => {
  sent = []
  writing = aWriting()
  const started = async ({ request }: { request: Request }) => {
    sent.push({ path: new URL(request.url).pathname, body: await request.json() })
    return HttpResponse.json(aWriting({ state: 'queued', text: '' }), { status: 202 })
  }
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([mara])),
    http.get('*/api/channels/', () => HttpResponse.json([])),
    http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
    http.get('*/api/calendar/free/', () => HttpResponse.json({ moments: [] })),
    http.post('*/api/social-media-posts/fit/', () => HttpResponse.json([])),
    http.post('*/api/social-media-posts/', async ({ request }) => {
      const body = (await request.json()) as ComposeIn
      sent.push({ path: new URL(request.url).pathname, body })
      return HttpResponse.json(draft({ id: body.id, content: body.content ?? '', account_ids: body.account_ids ?? [] }), { status: 201 })
    }),
    http.put('*/api/social-media-posts/:id/', async ({ request }) => {
      const { content } = (await request.json()) as ComposeIn
      return HttpResponse.json({ post: draft({ content: content ?? '', version: 2 }), confirmed: true })
    }),
    http.get('*/api/templates/', ({ request }) =>
      HttpResponse.json({
        items:
          new URL(request.url).searchParams.get('type') === 'text'
            ? [
                aTemplate({ id: 'tip', name: 'Practical tip', variables: ['Topic', 'Audience', 'Language'] }),
                aTemplate({ id: 'story', name: 'A story', variables: ['Topic'] }),
              ]
            : [aTemplate({ id: 'card', name: 'House card', type: 'image', variables: ['Topic', 'Content'] })],
        next_cursor: null,
        total: 2,
      }),
    ),
    http.get('*/api/topics/', () => HttpResponse.json({ items: [{ id: 'tree', name: 'Cargo bikes' }], next_cursor: null, total: 1 })),
    http.get('*/api/topics/:id/', () =>
      HttpResponse.json({ id: 'tree', name: 'Cargo bikes', topics: [{ id: 'rain', title: 'Rain without drama', depth: 1 }] }),
    ),
    http.get('*/api/media/:id/', () => refuse(404, 'not_found')),
    http.get('*/api/cards/presets/', () =>
      HttpResponse.json([{ id: 'house', name: 'House style', settings: { layout: 'quote' }, logo_url: null }]),
    ),
    http.post('*/api/cards/preview/', () => refuse(503, 'server_busy')),
    http.post('*/api/cards/', async ({ request }) => {
      const body = (await request.json()) as { alt: string }
      sent.push({ path: '/api/cards/', body })
      return HttpResponse.json({ id: 'card', alt: body.alt }, { status: 201 })
    }),
    http.post('*/api/social-media-posts/:id/writings/text/', started),
    http.post('*/api/social-media-posts/:id/writings/passage/', started),
    http.post('*/api/social-media-posts/:id/writings/image/', started),
    http.get('*/api/social-media-posts/:id/writings/:writing/', () => HttpResponse.json(writing)),
    http.post('*/api/social-media-posts/:id/writings/:writing/cancel/', () => {
      writing = { ...writing, state: 'cancelled' }
      return HttpResponse.json(writing)
    }),
  )
})

function open(post?: PostOut) {
  return show(<Composer post={post} onCreated={vi.fn()} cover={() => null} images={() => null} />, { at: '/social-media-posts?compose=new' })
}

type Shown = ReturnType<typeof open>

const area = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text for all channels' })

async function panel({ user }: Shown) {
  await user.click(screen.getByRole('button', { name: 'Write with a template' }))
  return within(await screen.findByRole('group', { name: 'Write with a template' }))
}

async function choose({ user }: Shown, field: HTMLElement, option: RegExp) {
  await user.click(field)
  await user.click(await screen.findByRole('option', { name: option }))
}

async function order(shown: Shown) {
  const inside = await panel(shown)
  await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /Practical tip/)
  await shown.user.type(inside.getByRole('textbox', { name: /Topic/ }), 'Rain')
  await shown.user.type(inside.getByRole('textbox', { name: 'Audience' }), 'commuters{Enter}')
  return inside
}

describe('a text about a page', () => {
  async function openPage({ user }: Shown) {
    await user.click(screen.getByRole('button', { name: 'Write about a page…' }))
    return within(await screen.findByRole('group', { name: 'Write about a web page' }))
  }
  const link = { url: 'https://example.org/news', title: 'Brakes in the rain' }

  test('is ordered with its address alone, and its link becomes the link of the post until that is undone', async () => {
    writing = aWriting({ link })
    const shown = open()
    const inside = await openPage(shown)
    expect(inside.getByRole('textbox', { name: 'Page' })).toHaveFocus()
    await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
    expect(inside.getByRole('button', { name: 'Write' })).toBeDisabled()
    expect(inside.queryByLabelText('Topic tree (optional)')).toBeNull()
    await shown.user.type(inside.getByRole('textbox', { name: 'Page' }), 'example.org/news')
    expect(inside.getByRole('textbox', { name: /Topic \(optional\)/ })).toBeVisible()
    await shown.user.click(inside.getByRole('button', { name: 'Write' }))
    await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
    expect(sent.at(-1)?.body).toMatchObject({ template_id: 'story', address: 'example.org/news', topic_id: null })
    expect(await screen.findByRole('textbox', { name: 'Address of the link' })).toHaveValue(link.url)
    expect(screen.getByRole('textbox', { name: 'Title of the card' })).toHaveValue(link.title)
    await shown.user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(area()).toHaveValue('')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Address of the link' })).toBeNull())
  })

  test('leaves a link that the post has already', async () => {
    writing = aWriting({ link })
    const shown = open(draft({ link: { url: 'https://mine.example', title: '', description: '' } }))
    const inside = await openPage(shown)
    expect(inside.getByRole('textbox', { name: 'Page' })).toHaveValue('https://mine.example')
    await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
    await shown.user.click(inside.getByRole('button', { name: 'Write' }))
    await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
    expect(screen.getByRole('textbox', { name: 'Address of the link' })).toHaveValue('https://mine.example')
  })

  test('about another page replaces the link that the panel began with, and undo brings that back', async () => {
    writing = aWriting({ link })
    const mine = { url: 'https://mine.example', title: 'Mine', description: 'By hand' }
    const shown = open(draft({ link: mine }))
    const inside = await openPage(shown)
    const page = inside.getByRole('textbox', { name: 'Page' })
    await shown.user.clear(page)
    await shown.user.type(page, 'example.org/news')
    await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
    await shown.user.click(inside.getByRole('button', { name: 'Write' }))
    await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
    const address = screen.getByRole('textbox', { name: 'Address of the link' })
    expect(address).toHaveValue(link.url)
    expect(screen.getByRole('textbox', { name: 'Title of the card' })).toHaveValue(link.title)
    await shown.user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(area()).toHaveValue('')
    expect(address).toHaveValue(mine.url)
    expect(screen.getByRole('textbox', { name: 'Title of the card' })).toHaveValue(mine.title)
    expect(screen.getByDisplayValue(mine.description)).toBeVisible()
  })

  test('leaves a link that was typed while the panel was open', async () => {
    writing = aWriting({ link })
    const shown = open(draft({ link: { url: 'https://mine.example', title: '', description: '' } }))
    const inside = await openPage(shown)
    await shown.user.clear(inside.getByRole('textbox', { name: 'Page' }))
    await shown.user.type(inside.getByRole('textbox', { name: 'Page' }), 'example.org/news')
    await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
    await shown.user.type(screen.getByRole('textbox', { name: 'Address of the link' }), '/shop')
    await shown.user.click(inside.getByRole('button', { name: 'Write' }))
    await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
    expect(screen.getByRole('textbox', { name: 'Address of the link' })).toHaveValue('https://mine.example/shop')
  })

  test('says at the field why a page cannot be read', async () => {
    server.use(
      http.post('*/api/social-media-posts/:id/writings/text/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'address', code: 'web_page_reserved' }] }),
      ),
    )
    const shown = open()
    const inside = await openPage(shown)
    await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
    await shown.user.type(inside.getByRole('textbox', { name: 'Page' }), 'example.org{Enter}')
    expect(await inside.findByText(/says that programs like this may not use its text/)).toBeVisible()
    expect(inside.getByRole('textbox', { name: 'Page' })).toHaveFocus()
  })
})

/** As a live event does it. */
const refresh = ({ queryClient }: Shown) => act(() => queryClient.invalidateQueries())

test('a template writes into the text, by keyboard alone, and one undo brings back what was there', async () => {
  const shown = open(draft({ content: 'Mine' }))
  await order(shown)
  await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
  expect(sent).toEqual([
    {
      path: '/api/social-media-posts/made/writings/text/',
      body: {
        template_id: 'tip',
        topic_tree_id: null,
        topic_id: null,
        inputs: { Topic: 'Rain', Audience: 'commuters' },
        language: 'en',
        time_zone: 'UTC',
        planned_at: null,
        account_ids: [],
      },
    },
  ])
  expect(area()).toHaveFocus()
  await shown.user.keyboard('{Control>}z{/Control}')
  expect(area()).toHaveValue('Mine')
  // it is taken back once
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
})

test('the toast takes it back as well', async () => {
  const shown = open(draft({ content: 'Mine' }))
  await order(shown)
  await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
  await shown.user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(area()).toHaveValue('Mine')
})

test('the demo writer is named below its text, as long as it is that', async () => {
  writing = aWriting({ provider: 'demo' })
  const shown = open(draft({ content: 'Mine' }))
  await order(shown)
  await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
  expect(screen.getByText(/^The demo writer wrote this text/)).toBeVisible()
  await shown.user.type(area(), ' Mine.')
  expect(screen.queryByText(/^The demo writer wrote this text/)).toBeNull()
})

test('a new post becomes a draft first, and what is written belongs to it', async () => {
  const shown = open()
  await order(shown)
  await waitFor(() => expect(sent).toHaveLength(2))
  const { id } = sent[0]?.body as ComposeIn
  expect(sent[1]?.path).toBe(`/api/social-media-posts/${id}/writings/text/`)
  await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
})

test('a topic of a tree takes the place of words', async () => {
  const shown = open(draft())
  const inside = await panel(shown)
  await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
  await choose(shown, inside.getByRole('combobox', { name: /Topic tree/ }), /Cargo bikes/)
  await choose(shown, await inside.findByRole('combobox', { name: 'Topic from the tree' }), /Rain without drama/)
  expect(inside.queryByRole('textbox', { name: /Topic/ })).toBeNull()
  await shown.user.click(inside.getByRole('button', { name: 'Write' }))
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ topic_tree_id: 'tree', topic_id: 'rain', inputs: {} }))
  await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
})

test('the text is seen while it comes, and stopping keeps what has come', async () => {
  writing = aWriting({ state: 'running', text: 'Rain needs' })
  const shown = open(draft({ content: 'Mine' }))
  const inside = await order(shown)
  await waitFor(() => expect(area()).toHaveValue('Rain needs'))
  expect(area()).toHaveAttribute('readonly')
  writing = aWriting({ state: 'running', text: 'Rain needs no' })
  await refresh(shown)
  await waitFor(() => expect(area()).toHaveValue('Rain needs no'))
  await shown.user.click(inside.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText(/Stopped/)).toBeVisible()
  expect(area()).toHaveValue('Rain needs no')
  expect(area()).not.toHaveAttribute('readonly')
  await shown.user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(area()).toHaveValue('Mine')
})

test('what is wrong is said at its field, and the text stays', async () => {
  server.use(
    http.post('*/api/social-media-posts/:id/writings/text/', () =>
      refuse(422, 'invalid_input', {
        errors: [
          { field: 'template_id', code: 'not_found' },
          { field: 'inputs.Audience', code: 'variable_value_required', params: { name: 'Audience' } },
        ],
      }),
    ),
  )
  const shown = open(draft({ content: 'Mine' }))
  const inside = await order(shown)
  await waitFor(() => expect(inside.getByRole('textbox', { name: 'Audience' })).toBeInvalid())
  expect(inside.getByRole('combobox', { name: 'Template' })).toBeInvalid()
  expect(area()).toHaveValue('Mine')
})

test.each([
  ['budget_spent', /budget/i],
  ['model_out_of_credit', /credit/i],
])('that it failed for %s stands in the panel, and the text stays', async (reason, text) => {
  writing = aWriting({ state: 'failed', text: '', reason: reason as 'budget_spent' })
  const shown = open(draft({ content: 'Mine' }))
  const inside = await order(shown)
  expect(await inside.findByRole('alert')).toHaveTextContent(text)
  expect(area()).toHaveValue('Mine')
  expect(inside.getByRole('button', { name: 'Write' })).toBeEnabled()
})

test('a template that was deleted meanwhile is told', async () => {
  server.use(http.get('*/api/social-media-posts/:id/writings/:writing/', () => refuse(404, 'not_found')))
  const inside = await order(open(draft()))
  expect(await inside.findByText('The template was deleted in the meantime.')).toBeVisible()
})

test('Escape closes the panel and schedules nothing', async () => {
  const shown = open(draft())
  await panel(shown)
  await shown.user.keyboard('{Escape}{Escape}')
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Write with a template' })).toBeNull())
  expect(sent).toEqual([])
})

function select(from: number, to: number) {
  area().focus()
  area().setSelectionRange(from, to)
  fireEvent.select(area())
}

test('only the passage is rewritten, and the undo brings it back', async () => {
  writing = aWriting({ kind: 'passage', text: 'It pours. ' })
  const content = '🚲 Ride. It rains. See you!'
  const shown = open(draft({ content }))
  const start = content.indexOf('It')
  select(start, start + 'It rains. '.length)
  await shown.user.click(screen.getByRole('button', { name: 'Rewrite passage…' }))
  const inside = within(await screen.findByRole('group', { name: 'Rewrite passage' }))
  await shown.user.type(inside.getByRole('textbox', { name: /Instructions for the AI/ }), 'More rain{Control>}{Enter}{/Control}')
  await waitFor(() => expect(area()).toHaveValue('🚲 Ride. It pours. See you!'))
  expect(sent[0]?.body).toEqual({
    text: content,
    start,
    end: start + 'It rains. '.length,
    remark: 'More rain',
    language: 'en',
    account_ids: [],
  })
  await shown.user.keyboard('{Control>}z{/Control}')
  expect(area()).toHaveValue(content)
})

test('into a text of its own only that is written', async () => {
  const shown = open(
    draft({ content: 'For all', account_ids: ['mara'], variants: [{ channel: 'linkedin', account_id: 'mara', content: 'For Mara' }] }),
  )
  await shown.user.click(await screen.findByRole('tab', { name: 'Custom text for Mara Lind (LinkedIn)' }))
  await order(shown)
  const own = screen.getByRole('textbox', { name: 'Custom text for Mara Lind (LinkedIn)' })
  await waitFor(() => expect(own).toHaveValue('Rain needs no drama.'))
  await shown.user.click(screen.getByRole('tab', { name: 'All channels' }))
  expect(area()).toHaveValue('For all')
})

test('what is on its way is not saved so that something can be written for it', async () => {
  const saved = vi.fn()
  server.use(http.put('*/api/social-media-posts/:id/', saved))
  const waiting = aDelivery({ state: 'pending', called_at: null, settled_at: null })
  const shown = open(draft({ content: 'As planned', status: 'complete', deliveries: [waiting], planned_at: '2126-03-01T08:00:00Z' }))
  await shown.user.type(area(), '!')
  await order(shown)
  await waitFor(() => expect(area()).toHaveValue('Rain needs no drama.'))
  expect(saved).not.toHaveBeenCalled()
})

test('while the model is away it is said that it is tried again', async () => {
  writing = aWriting({ state: 'running', text: '', reason: 'model_unavailable', next_try_at: '2126-03-01T08:00:00Z' })
  const inside = await order(open(draft()))
  await waitFor(() => expect(inside.getByRole('status')).toHaveTextContent(/We’ll retry automatically/))
  expect(inside.getByRole('button', { name: 'Stop' })).toBeEnabled()
})

test('without a selection nothing is rewritten', async () => {
  const shown = open(draft({ content: 'Mine' }))
  const button = screen.getByRole('button', { name: 'Rewrite passage…' })
  expect(button).toHaveAttribute('aria-disabled', 'true')
  await shown.user.click(button)
  expect(screen.queryByRole('group', { name: 'Rewrite passage' })).toBeNull()
})

test('an image template draws for the text, and the image is in the post with its alt text', async () => {
  writing = aWriting({ kind: 'image', text: '', media_id: 'picture', alt: 'Rain on a saddle' })
  const shown = open(draft({ content: 'Rain needs no drama.' }))
  await shown.user.click(screen.getByRole('button', { name: 'Create image with a template' }))
  const inside = within(await screen.findByRole('group', { name: 'Create image with a template' }))
  await waitFor(() => expect(inside.getByRole('combobox', { name: 'Template' })).toHaveValue('House card'))
  await shown.user.type(inside.getByRole('textbox', { name: /Topic/ }), 'Rain{Enter}')
  expect(await screen.findByRole('textbox', { name: 'Alt text' })).toHaveValue('Rain on a saddle')
  expect(sent[0]).toMatchObject({
    path: '/api/social-media-posts/made/writings/image/',
    body: { template_id: 'card', content: 'Rain needs no drama.', inputs: { Topic: 'Rain' } },
  })
})

test('without a text no image is drawn of it', async () => {
  const shown = open(draft())
  await shown.user.click(screen.getByRole('button', { name: 'Create image with a template' }))
  expect(await screen.findByText('The image is based on the text: write the text first.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Create' })).toBeDisabled()
})

test('a card of the first sentence is added with its words as alt text', async () => {
  const shown = open(draft({ content: 'Rain needs no drama. Mudguards do.\nMore.' }))
  await shown.user.click(screen.getByRole('button', { name: 'Design a card' }))
  const inside = within(await screen.findByRole('group', { name: 'Design a card' }))
  expect(inside.getByRole('textbox', { name: 'Headline' })).toHaveValue('Rain needs no drama.')
  await shown.user.type(inside.getByRole('textbox', { name: 'Text on the card' }), 'Mudguards')
  await shown.user.click(inside.getByRole('combobox', { name: 'Look' }))
  await shown.user.click(await screen.findByRole('option', { name: 'House style' }))
  await shown.user.click(inside.getByRole('button', { name: 'Add to the post' }))
  expect(await screen.findByRole('textbox', { name: 'Alt text' })).toHaveValue('Rain needs no drama. Mudguards')
  expect(sent[0]?.body).toMatchObject({ headline: 'Rain needs no drama.', text: 'Mudguards', settings: { layout: 'quote' } })
})

test('in German', async () => {
  await speak('de')
  const shown = open(draft())
  await shown.user.click(screen.getByRole('button', { name: 'Mit Vorlage schreiben' }))
  expect(await screen.findByRole('group', { name: 'Mit Vorlage schreiben' })).toBeVisible()
})

describe('a text for each network', () => {
  const lindhof = anAccount({ id: 'lindhof', kind: 'mastodon', name: 'Lindhof' })
  const own = () => screen.getByRole('tab', { name: /Mastodon/ })

  beforeEach(() => {
    server.use(http.get('*/api/accounts/', () => HttpResponse.json([mara, lindhof])))
    writing = aWriting({
      texts: [
        { channel: 'linkedin', content: 'Rain needs no drama, and here is why.' },
        { channel: 'mastodon', content: 'No drama.' },
      ],
    })
  })

  test('fills the own texts, and one undo brings back all of them', async () => {
    const before = { channel: 'mastodon' as const, account_id: null, content: 'Old' }
    const shown = open(draft({ content: 'Mine', account_ids: ['mara', 'lindhof'], variants: [before] }))
    await order(shown)
    await waitFor(() => expect(area()).toHaveValue('Rain needs no drama, and here is why.'))
    expect(sent[0]?.body).toMatchObject({ per_network: true, account_ids: ['mara', 'lindhof'] })
    await shown.user.click(own())
    expect(screen.getByDisplayValue('No drama.')).toBeVisible()
    await shown.user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(screen.getByDisplayValue('Old')).toBeVisible()
  })

  test('the undo leaves a text that was changed by hand', async () => {
    const before = { channel: 'mastodon' as const, account_id: null, content: 'Old' }
    const shown = open(draft({ content: 'Mine', account_ids: ['mara', 'lindhof'], variants: [before] }))
    await order(shown)
    await waitFor(() => expect(area()).toHaveValue('Rain needs no drama, and here is why.'))
    await shown.user.click(own())
    await shown.user.type(screen.getByDisplayValue('No drama.'), ' By hand.')
    await shown.user.click(screen.getByRole('tab', { name: 'All channels' }))
    await shown.user.click(area())
    await shown.user.keyboard('{Control>}z{/Control}')
    expect(area()).toHaveValue('Rain needs no drama, and here is why.')
    await shown.user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(area()).toHaveValue('Mine')
    await shown.user.click(own())
    expect(screen.getByDisplayValue('No drama. By hand.')).toBeVisible()
  })

  test('can be switched off', async () => {
    writing = aWriting()
    const shown = open(draft({ content: 'Mine', account_ids: ['mara', 'lindhof'] }))
    const inside = await panel(shown)
    await shown.user.click(inside.getByRole('switch', { name: /^A text for each network/ }))
    await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
    await shown.user.type(inside.getByRole('textbox', { name: /Topic/ }), 'Rain{Enter}')
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ per_network: false }))
  })

  test('is not offered for one network', async () => {
    const shown = open(draft({ content: 'Mine', account_ids: ['mara'] }))
    const inside = await panel(shown)
    expect(inside.queryByRole('switch')).toBeNull()
  })
})

test('a brand can be chosen for the text', async () => {
  server.use(http.get('*/api/brands/', () => HttpResponse.json({ items: [aBrand()], next_cursor: null, total: 1 })))
  const shown = open(draft({ content: 'Mine' }))
  const inside = await panel(shown)
  await choose(shown, inside.getByRole('combobox', { name: 'Template' }), /A story/)
  await choose(shown, inside.getByRole('combobox', { name: 'Brand (optional)' }), /Lindhof/)
  await shown.user.type(inside.getByRole('textbox', { name: /Topic/ }), 'Rain{Enter}')
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ template_id: 'story', brand_id: 'brand' }))
})
