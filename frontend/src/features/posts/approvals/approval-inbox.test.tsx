import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { AskedOut, PostOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aDelivery, anAsked, aPost } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ApprovalInbox } from './approval-inbox'
import { PostTabs } from '@/features/posts/post-tabs'

const server = startServer(
  http.get('*/api/accounts/', () => HttpResponse.json([])),
  http.get('*/api/channels/', () => HttpResponse.json([])),
)

const NOW = '2026-11-21T12:00:00Z'
const rain = () => asked('rain', { topic_title: 'Riding in rain', content: 'Rain is only water.' })
const snow = () => asked('snow', { topic_title: 'Riding in snow', content: 'Snow needs wide tyres.' }, '2026-11-23T08:00:00Z')

function asked(id: string, post: Partial<PostOut>, deadline = '2026-11-21T19:49:00Z', more: Partial<AskedOut> = {}): AskedOut {
  return anAsked({
    ...more,
    post: aPost({
      id,
      status: 'draft',
      content_hash: `hash of ${id}`,
      assistant_name: 'Commuter tips',
      planned_at: '2026-11-24T08:00:00Z',
      deliveries: [aDelivery({ state: 'pending', called_at: null, settled_at: null })],
      approval: { state: 'waiting', at_deadline: 'hold', deadline_at: deadline, decided_at: null, by_deadline: false, remark: '', rewrite_error: null, at_once: false },
      ...post,
    }),
  })
}

/** The inbox as the server has it; what is answered there is taken from it. */
function open(items: AskedOut[], { at = '/social-media-posts?tab=approvals' } = {}) {
  itIs(NOW)
  const inbox = [...items]
  const sent: { id: string; approved: boolean; remark: string; content_hash: string }[] = []
  server.use(
    http.get('*/api/approvals/', () => HttpResponse.json({ items: inbox, next_cursor: null, total: inbox.length })),
    http.post('*/api/social-media-posts/:id/decision/', async ({ params, request }) => {
      const id = String(params['id'])
      sent.push({ id, ...((await request.json()) as Omit<(typeof sent)[number], 'id'>) })
      inbox.splice(inbox.findIndex(({ post }) => post.id === id), 1)
      return HttpResponse.json({ post: aPost({ id }), confirmed: true })
    }),
  )
  const view = show(
    <TimeZoneContext value="Europe/Berlin">
      <ApprovalInbox />
    </TimeZoneContext>,
    { at, path: '/social-media-posts' },
  )
  return { ...view, inbox, sent }
}

/** Long enough to have been seen. */
const look = () => vi.setSystemTime(Date.now() + 1_000)
const card = (name: string) => screen.findByRole('region', { name })
const button = (name: string) => screen.getByRole('button', { name })
const leave = () => act(() => void window.dispatchEvent(new Event('pagehide')))

describe('the inbox', () => {
  // the list of runs says the same: see run-view.test.ts
  test.each<[string, Partial<AskedOut>, RegExp]>([
    ['nothing', { cost_micros: 0, input_tokens: 0, output_tokens: 0 }, /^.{1,4}0\.00$/],
    ['more than is known', { cost_known: false }, /^> .{1,4}0\.03 · 2,980 tokens$/],
    ['what nobody knows', { cost_micros: null, cost_known: false }, /^cost unknown · 2,980 tokens$/],
  ])('tells of a run that cost %s', async (_, spent, said) => {
    open([asked('rain', { topic_title: 'Riding in rain' }, undefined, spent)])
    expect(within(await card('Riding in rain')).getByText(said)).toBeVisible()
  })

  test('shows the next to decide, why it is as it is, and what happens otherwise', async () => {
    open([rain(), snow()])
    const shown = within(await card('Riding in rain'))
    expect(shown.getByText('Rain is only water.')).toBeVisible()
    expect(shown.getByText(/^7 .*49 .*left\. Without an answer, the draft is kept\.$/)).toBeVisible()
    expect(shown.getByText('Cargo bikes / Weather / Rain without drama')).toBeVisible()
    expect(shown.getByRole('link', { name: 'Workshop story, version 7' })).toHaveAttribute('href', '/templates/template')
    expect(shown.getByText(/0\.03 · 2,980 tokens$/)).toBeVisible()
    const list = within(screen.getByRole('navigation', { name: 'Waiting for your approval' }))
    expect(list.getAllByRole('link').map((link) => link.textContent)).toEqual(['Rain is only water.', 'Snow needs wide tyres.'])
    expect(list.getByText('until Mon 23 Nov, 09:00')).toBeVisible()
  })

  test('shows every text that an approval lets out, and all of it', async () => {
    const long = `Rain is only water.\n\n${'It runs off. '.repeat(60)}\n\nThe end.`
    const own = aDelivery({ id: 'own', account_id: 'second', account_name: 'Jonas', state: 'pending', called_at: null, settled_at: null, content: 'Only Jonas says this.' })
    open([asked('rain', { topic_title: 'Riding in rain', content: long, deliveries: [aDelivery({ state: 'pending' }), own] })])
    const shown = within(await card('Riding in rain'))
    expect(shown.getByText(/^Rain is only water\.[^]*The end\.$/)).toBeVisible()
    expect(shown.getByText('Only Jonas says this.')).toBeVisible()
  })

  test('shows what a second look found', async () => {
    open([asked('rain', { topic_title: 'Riding in rain', review: [{ finding: 'unproven', network: null, params: { what: '40 %' } }] })])
    const shown = within(await card('Riding in rain'))
    const found = within(await shown.findByRole('region', { name: 'What a second look found' }))
    expect(found.getByText('Found neither in the brief nor in the brand’s facts: “40 %”')).toBeVisible()
  })

  test('shows an article as its readers will see it, and leads to its editor', async () => {
    const article = {
      title: 'Riding in rain', summary: 'What to wear.', html: '<h2>When</h2><p>Below <strong>seven</strong> degrees.</p>',
      website: 'Lindhof Journal', words: 812, reading_minutes: 4, featured: null,
    }
    const site = aDelivery({ channel: 'wordpress', state: 'pending', called_at: null, settled_at: null })
    const { user, address } = open([asked('rain', { topic_title: 'Riding in rain', content: '## When', is_article: true, deliveries: [site] }, undefined, { article })])
    const shown = within(await card('Riding in rain'))
    expect(await shown.findByRole('heading', { level: 2, name: 'Riding in rain' })).toBeVisible()
    for (const text of ['What to wear.', 'Lindhof Journal · 812 words · 4 minutes to read', 'seven']) expect(shown.getByText(text)).toBeVisible()
    expect(screen.getByRole('navigation', { name: 'Waiting for your approval' })).toHaveTextContent(/^Riding in rain/)
    await user.keyboard('e')
    await waitFor(() => expect(address()).toBe('/posts/rain?edit=text'))
  })

  test('names in its address what it shows, and opens there', async () => {
    const { address } = open([rain(), snow()], { at: '/social-media-posts?tab=approvals&post=snow' })
    expect(await card('Riding in snow')).toBeVisible()
    expect(address()).toBe('/social-media-posts?tab=approvals&post=snow')
  })

  test('goes on to the next, and sends the answer when the page is left', async () => {
    const { user, sent } = open([rain(), snow()])
    await card('Riding in rain')
    look()
    await user.click(button('Approve: Riding in rain'))
    expect(await card('Riding in snow')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Rain is only water.' })).toBeNull()
    expect(sent).toEqual([])
    leave()
    await waitFor(() => expect(sent).toEqual([{ id: 'rain', approved: true, remark: '', content_hash: 'hash of rain' }]))
  })

  test('takes an answer to the post that it opened with at once', async () => {
    const { user, sent } = open([rain(), snow()])
    await card('Riding in rain')
    await user.click(button('Approve: Riding in rain'))
    leave()
    await waitFor(() => expect(sent.map(({ id }) => id)).toEqual(['rain']))
  })

  test('sends an answer with the next one', async () => {
    const { user, sent } = open([rain(), snow()])
    await card('Riding in rain')
    look()
    await user.click(button('Approve: Riding in rain'))
    await card('Riding in snow')
    look()
    await user.click(button('Approve: Riding in snow'))
    await waitFor(() => expect(sent.map(({ id }) => id)).toEqual(['rain']))
    expect(await screen.findByRole('heading', { name: 'No approvals waiting' })).toBeVisible()
    leave()
    await waitFor(() => expect(sent.map(({ id }) => id)).toEqual(['rain', 'snow']))
  })

  test('takes an answer back that nobody has heard of yet', async () => {
    const { user, sent } = open([rain(), snow()])
    await card('Riding in rain')
    look()
    await user.click(button('Approve: Riding in rain'))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await card('Riding in rain')).toBeVisible()
    leave()
    expect(sent).toEqual([])
  })

  test('declines with a reason, by keys alone', async () => {
    const { user, sent } = open([rain()])
    await card('Riding in rain')
    look()
    await user.keyboard('d')
    await user.type(await screen.findByRole('textbox', { name: 'Reason (optional)' }), 'Too loud, {Escape}')
    await user.type(screen.getByRole('textbox', { name: 'Reason (optional)' }), 'add{Enter}')
    expect(await screen.findByRole('heading', { name: 'No approvals waiting' })).toBeVisible()
    leave()
    await waitFor(() => expect(sent).toEqual([{ id: 'rain', approved: false, remark: 'Too loud, add', content_hash: 'hash of rain' }]))
  })

  test.each([
    ['hold', 'Decline: Riding in rain', /D decline\.$/],
    ['publish', 'Stop: Riding in rain', /D stop\.$/],
  ] as const)('names the key as the button beside it, where %s is what comes without an answer', async (at_deadline, name, keys) => {
    const post = rain()
    open([{ ...post, post: { ...post.post, approval: post.post.approval && { ...post.post.approval, at_deadline } } }])
    await card('Riding in rain')
    expect(button(name)).toBeVisible()
    expect(screen.getByText(keys)).toBeInTheDocument()
  })

  test('approves and opens by keys; one that is held down or pressed twice answers once', async () => {
    const { user, sent, address } = open([rain(), snow()])
    const first = await card('Riding in rain')
    fireEvent.keyDown(first, { key: 'a', repeat: true })
    look()
    await user.keyboard('aa')
    expect(await card('Riding in snow')).toBeVisible()
    look()
    await user.keyboard('e')
    expect(address()).toContain('compose=snow')
    leave()
    await waitFor(() => expect(sent.map(({ id }) => id)).toEqual(['rain']))
  })

  test('says at its place why an answer was not taken, and goes on', async () => {
    const { user, inbox } = open([rain(), snow()])
    server.use(
      http.post('*/api/social-media-posts/rain/decision/', () => {
        inbox.shift()
        const problem = { type: 'about:blank', title: 'Conflict', status: 409, code: 'approval_expired', detail: '', params: {}, errors: [] }
        return HttpResponse.json(problem, { status: 409, headers: { 'Content-Type': 'application/problem+json' } })
      }),
    )
    await card('Riding in rain')
    look()
    await user.click(button('Approve: Riding in rain'))
    leave()
    const notice = await screen.findByText('Your answer about “Riding in rain” was not saved.')
    expect(notice.parentElement).toHaveTextContent(
      'Your answer about “Riding in rain” was not saved. Nobody approved in time, so nothing was published.',
    )
    expect(await card('Riding in snow')).toBeVisible()
  })

  test('says over the next page why an answer was not taken', async () => {
    const { user, router } = open([rain(), snow()])
    server.use(http.post('*/api/social-media-posts/rain/decision/', () => refuse(409, 'approval_outdated')))
    await card('Riding in rain')
    look()
    await user.click(button('Approve: Riding in rain'))
    await screen.findByText('Approved: Riding in rain')
    await act(() => router.navigate('/calendar'))
    const said = await screen.findByText('Your answer about “Riding in rain” was not saved.')
    await waitFor(() => expect(screen.queryByText('Approved: Riding in rain')).toBeNull())
    const toast = said.closest('[role="alert"]')
    expect(toast).toHaveTextContent(/was not saved\. The content has changed since you opened it/)
    expect(within(toast as HTMLElement).getByRole('link')).toHaveAttribute('href', '/social-media-posts/rain')
  })

  test('keeps a second post of the same content, and answers that for itself', async () => {
    const content = { content: 'Rain is only water.', content_hash: 'the same' }
    const { user, sent } = open([asked('rain', { ...content, topic_title: 'Riding in rain' }), asked('again', { ...content, topic_title: 'Rain once more' })])
    await card('Riding in rain')
    look()
    await user.click(button('Approve: Riding in rain'))
    expect(await card('Rain once more')).toBeVisible()
    expect(screen.getAllByRole('link', { name: 'Rain is only water.' })).toHaveLength(1)
    look()
    await user.click(button('Approve: Rain once more'))
    expect(await screen.findByRole('heading', { name: 'No approvals waiting' })).toBeVisible()
    leave()
    await waitFor(() => expect(sent.map(({ id }) => id)).toEqual(['rain', 'again']))
  })

  test('taken back by its keys, an answer is offered to be taken back no more', async () => {
    const { user } = open([rain(), snow()])
    await card('Riding in rain')
    look()
    await user.click(button('Approve: Riding in rain'))
    await screen.findByRole('button', { name: 'Undo' })
    await user.keyboard('{Control>}z{/Control}')
    expect(await screen.findByText(/^Undone/)).toBeVisible()
    // long before it would end by itself
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull(), { timeout: 2_000 })
  })

  test('leaves what was decided elsewhere in place of the post, and never another one under the finger', async () => {
    const { user, inbox, queryClient } = open([rain(), snow()])
    await card('Riding in rain')
    inbox.shift()
    const done = { state: 'approved' as const, at_deadline: 'hold' as const, deadline_at: NOW, decided_at: NOW, by_deadline: false, remark: '', rewrite_error: null, at_once: false }
    server.use(http.get('*/api/social-media-posts/rain/', () => HttpResponse.json(aPost({ id: 'rain', approval: done }))))
    await act(() => queryClient.invalidateQueries())
    expect(await screen.findByText('Already approved elsewhere.')).toBeVisible()
    look()
    await user.keyboard('a')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    await user.click(button('Next'))
    expect(await card('Riding in snow')).toBeVisible()
  })

  test('takes no answer once the deadline is past', async () => {
    open([asked('rain', { topic_title: 'Riding in rain' }, '2026-11-21T11:59:00Z')])
    expect(within(await card('Riding in rain')).getByText('The approval deadline has passed.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull()
  })

  test('says that nothing waits, in German', async () => {
    await speak('de')
    open([])
    expect(await screen.findByRole('heading', { name: 'Keine offenen Freigaben' })).toBeVisible()
  })

  test('says why it could not be loaded', async () => {
    server.use(http.get('*/api/approvals/', () => HttpResponse.error()))
    show(<ApprovalInbox />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Approvals could not be loaded')
  })
})

test('the tabs say how many wait', async () => {
  server.use(http.get('*/api/users/waiting/', () => HttpResponse.json({ posts: 5, approvals: 3, accounts: 0, websites: 2, assistants: 0 })))
  show(<PostTabs current="social" />)
  expect(await screen.findByRole('link', { name: /^Approvals/ })).toContainElement(await screen.findByLabelText('3 tasks are waiting for you'))
  expect(screen.getByRole('link', { name: /^Websites/ })).toContainElement(screen.getByLabelText('2 tasks are waiting for you'))
})

describe('another text', () => {
  const answers = (changes: object = {}) => {
    const asked: unknown[] = []
    server.use(
      http.post('*/api/social-media-posts/:id/write-again/', async ({ params, request }) => {
        asked.push({ id: params['id'], ...((await request.json()) as object) })
        return HttpResponse.json({ post: aPost({ id: String(params['id']) }), confirmed: true, ...changes })
      }),
    )
    return asked
  }

  test('is asked for with W and a remark, and the inbox goes on', async () => {
    const { user } = open([rain(), snow()])
    const asked = answers()
    await card('Riding in rain')
    look()
    await user.keyboard('w')
    const dialog = within(await screen.findByRole('dialog', { name: 'Rewrite this text?' }))
    expect(dialog.getByRole('button', { name: 'Rewrite' })).toBeDisabled()
    await user.type(dialog.getByRole('textbox', { name: /^Instructions for the AI/ }), ' Name the street ')
    expect(asked).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Rewrite' }))
    expect(await card('Riding in snow')).toBeVisible()
    expect(asked).toEqual([{ id: 'rain', content_hash: 'hash of rain', remark: 'Name the street' }])
    expect(await screen.findByText(/^A new text is being written\./)).toBeVisible()
  })

  test('pressed twice in one moment, is asked for once', async () => {
    const { user } = open([rain(), snow()])
    const asked = answers()
    await card('Riding in rain')
    look()
    await user.keyboard('w')
    const dialog = within(await screen.findByRole('dialog', { name: 'Rewrite this text?' }))
    await user.type(dialog.getByRole('textbox', { name: /^Instructions for the AI/ }), 'Shorter')
    fireEvent.click(dialog.getByRole('button', { name: 'Rewrite' }))
    fireEvent.click(dialog.getByRole('button', { name: 'Rewrite' }))
    expect(await screen.findByText(/^A new text is being written\./)).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  test('that is refused says why and keeps the remark', async () => {
    const { user } = open([rain()])
    server.use(http.post('*/api/social-media-posts/:id/write-again/', () => refuse(409, 'rewrite_too_late')))
    await card('Riding in rain')
    await user.click(button('Rewrite: Riding in rain'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rewrite this text?' }))
    await user.type(dialog.getByRole('textbox', { name: /^Instructions for the AI/ }), 'Shorter')
    await user.click(dialog.getByRole('button', { name: 'Rewrite' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(/^It is too late for a new text/)
    expect(dialog.getByRole('textbox', { name: /^Instructions for the AI/ })).toHaveValue('Shorter')
  })

  test('that there was none is said with the reason', async () => {
    const post = rain()
    if (post.post.approval) post.post.approval.rewrite_error = 'rewrite_same'
    open([post])
    const shown = within(await card('Riding in rain'))
    expect(shown.getByRole('status')).toHaveTextContent(/^No new text could be written\. .*same text again\.$/)
  })

  test('or an own one: E opens where posts are written', async () => {
    const { user, address } = open([rain()])
    await card('Riding in rain')
    await user.keyboard('e')
    await waitFor(() => expect(address()).toContain('compose=rain'))
  })
})
