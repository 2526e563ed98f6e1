import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { PostBulkIn, PostOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aDelivery, aPost } from '@/test/made'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { PostList } from './post-list'

const server = startServer(
  http.get('*/api/accounts/', () => HttpResponse.json([])),
  http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([{ tag: 'winter', count: 3 }])),
)

const named = (...names: string[]) => names.map((name) => aPost({ id: name, content: name, content_hash: `hash of ${name}`, deliveries: [] }))

/** The server refuses those in `refusals`, by id. */
function open(posts: PostOut[], refusals: Record<string, string> = {}, confirmed = true) {
  const orders: PostBulkIn[] = []
  server.use(
    http.get('*/api/social-media-posts/', () =>
      HttpResponse.json({
        items: posts,
        next_cursor: null,
        total: posts.length,
        statuses: { draft: 0, complete: 0, published: posts.length, failed: 0 },
      }),
    ),
    http.post('*/api/social-media-posts/bulk/', async ({ request }) => {
      const order = (await request.json()) as PostBulkIn
      orders.push(order)
      const results = order.posts.map(({ id }) => {
        const code = order.action === 'restore' ? undefined : refusals[id]
        return { id, refusal: code ? { code, params: {} } : null, confirmed: confirmed && !code }
      })
      return HttpResponse.json({ results, done: 0, refused: 0, repeats: [] })
    }),
  )
  const page = (
    <TimeZoneContext value="UTC">
      <PostList />
    </TimeZoneContext>
  )
  return { orders, ...show(page, { at: '/social-media-posts', path: '/social-media-posts' }) }
}

const box = (name: string) => screen.findByRole('checkbox', { name: `Select ${name}` })
const bar = () => screen.findByRole('group', { name: 'Selected posts' })
const chosen = () =>
  screen
    .getAllByRole('checkbox', { checked: true })
    .map((one) => one.dataset.post)
    .filter(Boolean)

test('the bar takes the place of the filters while posts are selected', async () => {
  const { user } = open(named('a', 'b'))
  await user.click(await box('a'))
  expect(within(await bar()).getByRole('status')).toHaveTextContent('1 post selected')
  expect(screen.queryByRole('searchbox')).toBeNull()
  await user.click(within(await bar()).getByRole('button', { name: 'Select all 2' }))
  expect(chosen()).toEqual(['a', 'b'])
  await user.click(within(await bar()).getByRole('button', { name: 'Clear selection' }))
  expect(await screen.findByRole('searchbox')).toBeVisible()
})

test('from one to another with Shift, all and none by the box in the head', async () => {
  const { user } = open(named('a', 'b', 'c', 'd'))
  await user.click(await box('b'))
  await user.keyboard('{Shift>}')
  await user.click(await box('d'))
  await user.keyboard('{/Shift}')
  expect(chosen()).toEqual(['b', 'c', 'd'])
  const head = screen.getByRole('checkbox', { name: 'Select all posts shown' })
  expect(head).toHaveProperty('indeterminate', true)
  await user.click(head)
  expect(chosen()).toEqual(['a', 'b', 'c', 'd'])
  await user.click(head)
  expect(await screen.findByRole('searchbox')).toBeVisible()
})

test('with the keyboard alone', async () => {
  const { user, orders } = open(named('a', 'b', 'c'))
  ;(await box('a')).focus()
  await user.keyboard(' ')
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect(chosen()).toEqual(['a', 'b'])
  expect(await box('b')).toHaveFocus()
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('searchbox')).toBeVisible()
  await user.keyboard('{ArrowDown}{Control>}a{/Control}')
  expect(chosen()).toEqual(['a', 'b', 'c'])
  await user.keyboard('{Delete}')
  await waitFor(() => expect(orders.map(({ action, posts }) => [action, posts.length])).toEqual([['delete', 3]]))
})

test('what is deleted can be brought back', async () => {
  const { user, orders } = open(named('a', 'b'))
  await user.click(await box('a'))
  await user.click(within(await bar()).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('1 post deleted.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('1 post restored.')).toBeVisible()
  expect(orders.map(({ action, posts }) => [action, posts[0]?.id])).toEqual([
    ['delete', 'a'],
    ['restore', 'a'],
  ])
})

test('those that were refused are named with the reason, and stay selected', async () => {
  const { user } = open(named('a', 'b', 'c'), { b: 'post_on_its_way', c: 'post_going_out' })
  await user.click(await screen.findByRole('checkbox', { name: 'Select all posts shown' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: '2 posts were not changed' })
  const lines = within(dialog).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    'bPublishing is still scheduled. Choose “Do not publish” first, then delete.',
    'cPublishing has already started, so changes are no longer possible.',
  ])
  expect(screen.getByText('1 post deleted.')).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(chosen()).toEqual(['b', 'c']))
})

test('many go in portions; a lost connection leaves the rest as it was, and says so', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `p${at}`)
  const { user, orders } = open(named(...names))
  await user.click(await screen.findByRole('checkbox', { name: 'Select all posts shown' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('30 posts deleted.')).toBeVisible()
  expect(orders.map(({ posts }) => posts.length)).toEqual([25, 5])
  server.use(http.post('*/api/social-media-posts/bulk/', () => refuse(503, 'storage_unavailable')))
  await user.click(await screen.findByRole('checkbox', { name: 'Select all posts shown' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByRole('dialog', { name: '30 posts were not changed' })).toBeVisible()
})

const asked = (name: string) =>
  aPost({
    id: name,
    content: name,
    content_hash: `hash of ${name}`,
    status: 'draft',
    deliveries: [aDelivery({ state: 'pending', called_at: null, settled_at: null })],
    approval: {
      state: 'waiting',
      at_deadline: 'hold',
      deadline_at: '2126-11-21T08:00:00Z',
      decided_at: null,
      by_deadline: false,
      remark: '',
      rewrite_error: null,
  at_once: false,
    },
  })

test('approving is bound to what was shown', async () => {
  const { user, orders } = open([asked('a'), asked('b')], {}, false)
  await user.click(await screen.findByRole('checkbox', { name: 'Select all posts shown' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText(/2 posts approved. Saved. The change takes effect/)).toBeVisible()
  expect(orders[0]?.posts).toEqual([
    { id: 'a', version: 1, content_hash: 'hash of a' },
    { id: 'b', version: 1, content_hash: 'hash of b' },
  ])
})

test('declining takes a reason, calling off a confirmation', async () => {
  const { user, orders } = open([asked('a')])
  await user.click(await box('a'))
  await user.click(within(await bar()).getByRole('button', { name: 'Decline' }))
  await user.type(await screen.findByLabelText('Reason (optional)'), 'Too loud')
  await user.click(screen.getByRole('button', { name: 'Decline post' }))
  await waitFor(() => expect(orders[0]).toMatchObject({ action: 'decline', remark: 'Too loud' }))
  await user.click(await box('a'))
  await user.click(within(await bar()).getByRole('button', { name: 'Do not publish' }))
  const question = await screen.findByRole('dialog', { name: 'Do not publish 1 post?' })
  await user.click(within(question).getByRole('button', { name: 'Do not publish' }))
  await waitFor(() => expect(orders[1]?.action).toBe('cancel'))
})

test('what is out has no other time any more', async () => {
  const { user } = open(named('a'))
  await user.click(await box('a'))
  expect(within(await bar()).getByRole('button', { name: 'Move' })).toBeDisabled()
})

test('moved by days, and back by Undo, which names the newer version', async () => {
  const { user, orders } = open(named('a').map((post) => ({ ...post, status: 'draft' as const, deliveries: [] })))
  await user.click(await box('a'))
  await user.click(within(await bar()).getByRole('button', { name: 'Move' }))
  const days = await screen.findByLabelText('Move by (days)')
  await user.clear(days)
  await user.type(days, '3')
  await user.keyboard('{Escape}')
  expect(days).toHaveValue('3')
  await user.click(screen.getByRole('button', { name: 'Move post' }))
  expect(await screen.findByText('1 post moved.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(orders).toHaveLength(2))
  expect(orders.map(({ days, posts }) => [days, posts[0]?.version])).toEqual([
    [3, 1],
    [-3, 2],
  ])
})

test('Undo of a move names the time that each had: back over a change of the clock, days lead elsewhere', async () => {
  const draft = (id: string, planned_at: string) => aPost({ id, content: id, status: 'draft', deliveries: [], planned_at })
  const { user, orders } = open([draft('a', '2027-03-27T01:30:00Z'), draft('b', '2027-04-02T08:00:00Z')])
  await user.click(await screen.findByRole('checkbox', { name: 'Select all posts shown' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Move' }))
  await user.click(await screen.findByRole('button', { name: 'Move 2 posts' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(orders).toHaveLength(2))
  expect(orders.map(({ posts }) => posts.map(({ planned_at }) => planned_at))).toEqual([
    [undefined, undefined],
    ['2027-03-27T01:30:00Z', '2027-04-02T08:00:00Z'],
  ])
})

test('an Undo that is refused once the list is left is told over the next page, with the reason', async () => {
  const moved = named('a', 'b').map((post) => ({ ...post, status: 'draft' as const, deliveries: [] }))
  const refusals: Record<string, string> = {}
  const { user, router } = open(moved, refusals)
  await user.click(await screen.findByRole('checkbox', { name: 'Select all posts shown' }))
  await user.click(within(await bar()).getByRole('button', { name: 'Move' }))
  await user.click(await screen.findByRole('button', { name: 'Move 2 posts' }))
  const undo = await screen.findByRole('button', { name: 'Undo' })
  await act(() => router.navigate('/calendar'))
  refusals.a = refusals.b = 'stale_version'
  await user.click(undo)
  const toast = (await screen.findByText('2 posts were not changed')).closest('[role="alert"]')
  expect(toast).toHaveTextContent(/“a”: This was changed elsewhere .*“b”: This was changed elsewhere /)
})

test('a tag that is too long is told at its field', async () => {
  const { user, orders } = open([aPost({ id: 'a', content: 'a', tags: ['old'] })])
  server.use(
    http.post(
      '*/api/social-media-posts/bulk/',
      () => refuse(422, 'invalid_input', { errors: [{ field: 'add.0', code: 'content_too_long', params: { length: 41, limit: 40 } }] }),
      { once: true },
    ),
  )
  await user.click(await box('a'))
  await user.click(within(await bar()).getByRole('button', { name: 'Tags' }))
  await user.type(await screen.findByRole('combobox', { name: 'Add to all' }), 'winter{Enter}')
  await user.type(screen.getByRole('combobox', { name: 'Remove from all' }), 'old{Enter}')
  await user.click(screen.getByRole('button', { name: 'Save tags' }))
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Add to all' })).toHaveAccessibleDescription(/40/))
  await user.click(screen.getByRole('button', { name: 'Save tags' }))
  await waitFor(() => expect(orders[0]).toMatchObject({ action: 'tag', add: ['winter'], remove: ['old'] }))
})

const unclear = (name: string, account: string) =>
  aPost({
    id: name,
    content: name,
    status: 'complete',
    deliveries: [aDelivery({ id: `delivery of ${name}`, account_id: account, account_name: account, posts_url: `https://network.example/${account}/`, state: 'unknown' })],
  })

test('what is unclear is settled together, account by account, and can be taken back', async () => {
  itIs('2026-11-22T12:00:00Z')
  const { orders, user } = open([unclear('a', 'Mara'), unclear('b', 'Jonas'), unclear('c', 'Mara')], { c: 'post_not_editable' })
  expect(await screen.findByText('It is unclear whether 3 posts were published.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Resolve together' }))
  const dialog = await screen.findByRole('dialog', { name: 'Resolve 3 unclear posts' })
  const mara = within(dialog).getByRole('region', { name: 'Mara' })
  expect(await within(mara).findByRole('link', { name: 'Look on LinkedIn' })).toHaveAttribute('href', 'https://network.example/Mara/')
  expect(within(mara).getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'asent Sat 21 Nov, 09:00',
    'csent Sat 21 Nov, 09:00',
  ])
  expect(within(dialog).getByRole('button', { name: 'Resolve posts' })).toBeDisabled()
  await user.click(within(mara).getByRole('radio', { name: /None online/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Resolve 2 posts' }))
  await waitFor(() => expect(orders).toHaveLength(1))
  expect(orders[0]).toMatchObject({ action: 'not_there', account_ids: ['Mara'], posts: [{ id: 'a' }, { id: 'c' }] })
  expect(await screen.findByText('1 post marked as not published.')).toBeVisible()
  expect(await screen.findByRole('dialog', { name: '1 post was not changed' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(orders[1]).toMatchObject({ action: 'take_back', account_ids: ['Mara'], posts: [{ id: 'a' }] }))
})

test('articles among what is unclear are settled by their own words', async () => {
  const article = unclear('a', 'Lindhof Journal')
  const of = { ...article, is_article: true, topic_title: 'Winter tyres', deliveries: article.deliveries.map((one) => ({ ...one, channel: 'wordpress' as const })) }
  const { user } = open([of, unclear('b', 'Mara')])
  expect(await screen.findByText('It is unclear whether 2 posts and articles were published.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Resolve together' }))
  const dialog = await screen.findByRole('dialog', { name: 'Resolve 2 unclear posts and articles' })
  const site = within(within(dialog).getByRole('region', { name: 'Lindhof Journal' }))
  expect(site.getByText('WordPress · 1 article')).toBeVisible()
  expect(site.getByRole('link', { name: 'Winter tyres' })).toHaveAttribute('href', '/posts/a')
  await user.click(site.getByRole('radio', { name: /^Online/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Resolve 1 article' }))
  expect(await screen.findByText('1 article marked as published.')).toBeVisible()
})

test('what is unclear is counted beyond what the list has loaded', async () => {
  open([unclear('a', 'Mara'), unclear('b', 'Jonas')])
  server.use(
    http.get('*/api/social-media-posts/', ({ request }) => {
      const isCount = new URL(request.url).searchParams.get('state') === 'unknown'
      return HttpResponse.json({
        items: [unclear('a', 'Mara'), unclear('b', 'Jonas')],
        next_cursor: isCount ? null : 'more',
        total: isCount ? 6 : 90,
        statuses: { draft: 0, complete: 90, published: 0, failed: 0 },
      })
    }),
  )
  expect(await screen.findByText('It is unclear whether 6 posts were published.')).toBeVisible()
})

test('what is sent again says so on its button, and has no way back', async () => {
  const { orders, user } = open([unclear('a', 'Mara')])
  await user.click(await box('a'))
  await user.click(within(await bar()).getByRole('button', { name: 'Resolve' }))
  const dialog = await screen.findByRole('dialog', { name: 'Resolve 1 unclear post' })
  await user.click(within(dialog).getByRole('radio', { name: /^Send again unchanged/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Resolve 1 post and send again' }))
  expect(await screen.findByText('1 post is sent again.')).toBeVisible()
  expect(orders[0]).toMatchObject({ action: 'send_again', account_ids: ['Mara'] })
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('deleting what is out says per channel what happens, and deletes there only if that is chosen', async () => {
  const out = aPost({
    id: 'out',
    content: 'out',
    deliveries: [
      aDelivery({ id: 'd1', account_id: 'Mara', account_name: 'Mara' }),
      aDelivery({ id: 'd2', account_id: 'Jonas', account_name: 'Jonas', removable: 'unnamed', permalink: 'https://network.example/2' }),
    ],
  })
  const { orders, user } = open([out])
  await user.click(await box('out'))
  await user.click(within(await bar()).getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete this post?' })
  expect(within(dialog).getByText(/LinkedIn did not return the ID of the post/)).toBeVisible()
  expect(within(dialog).getByRole('link', { name: 'Open on LinkedIn' })).toHaveAttribute('href', 'https://network.example/2')
  expect(within(dialog).getByRole('status')).toHaveTextContent(/stays on the networks/)
  expect(within(dialog).getByRole('button', { name: 'Delete here' })).toBeVisible()
  await user.click(within(dialog).getByRole('checkbox', { name: 'Delete on LinkedIn too' }))
  expect(within(dialog).getByRole('status')).toHaveTextContent(/cannot be undone/)
  await user.click(within(dialog).getByRole('button', { name: 'Delete here and on LinkedIn' }))
  expect(await screen.findByText('1 post is being deleted on the networks, then here.')).toBeVisible()
  expect(orders).toEqual([expect.objectContaining({ action: 'remove', account_ids: ['Mara'] })])
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})
