import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import type { ApprovalOut, PostOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { aDelivery, anAccount, aPost } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { PostActions } from './post-actions'

const server = startServer()

const waiting = aDelivery({ state: 'pending', called_at: null, settled_at: null })
const approval: ApprovalOut = {
  state: 'waiting',
  at_deadline: 'hold',
  deadline_at: '2026-11-21T15:58:00Z',
  decided_at: null,
  by_deadline: false,
  remark: '',
  rewrite_error: null,
  at_once: false,
}

function open(changes: Partial<PostOut>) {
  itIs('2026-11-21T12:00:00Z')
  const post = aPost({ status: 'complete', deliveries: [waiting], planned_at: '2026-11-21T16:00:00Z', version: 4, ...changes })
  return {
    post,
    ...show(
      <TimeZoneContext value="Europe/Berlin">
        <PostActions post={post} />
      </TimeZoneContext>,
    ),
  }
}

/** What the server was sent there, which answers with the post and whether its workflow has confirmed. */
function sent(action: string, confirmed = true): Promise<unknown> {
  return new Promise((resolve) => {
    server.use(
      http.post(`*/api/social-media-posts/post/${action}/`, async ({ request }) => {
        resolve(await request.json())
        return HttpResponse.json({ post: aPost({ planned_at: '2026-11-21T17:30:00Z' }), confirmed })
      }),
    )
  })
}

/** Two presses in one moment: the second comes before the button is drawn as busy. Returns how many calls they make. */
async function pressedTwice(action: string, press: () => void): Promise<number> {
  let calls = 0
  server.use(
    http.post(`*/api/social-media-posts/post/${action}/`, async () => {
      calls += 1
      await delay(20)
      return HttpResponse.json({ post: aPost(), confirmed: true })
    }),
  )
  press()
  press()
  await waitFor(() => expect(screen.getAllByRole('alert').length).toBeGreaterThan(0))
  return calls
}

const told = (text: RegExp | string) => screen.findByText(text)
const button = (name: string) => screen.getByRole('button', { name })

test.each([
  ['en', 'Publish now', 'Publish this article now?', 'The article is published on the website right away. The website accepts no articles right now: the article is held until you reconnect the website.'],
  ['de', 'Jetzt veröffentlichen', 'Diesen Artikel jetzt veröffentlichen?', 'Der Artikel wird sofort auf der Website veröffentlicht. Die Website nimmt gerade keine Artikel an: Der Artikel wird angehalten, bis du die Website neu verbindest.'],
] as const)('an article is asked about as one: %s', async (language, action, title, text) => {
  await speak(language)
  itIs('2026-11-21T12:00:00Z')
  server.use(http.get('*/api/accounts/', () => HttpResponse.json([])))
  const { user } = show(<PostActions post={aPost({ status: 'draft', is_article: true, deliveries: [], files: [] })} isSiteAway />)
  await user.click(button(action))
  expect(await screen.findByRole('dialog', { name: title })).toHaveTextContent(text)
})

describe('a post that somebody is asked about', () => {
  test('says until when, and what becomes of it otherwise', () => {
    open({ status: 'draft', approval })
    expect(screen.getByText('Waiting for your approval until 16:58. Without an answer, the draft is kept.')).toBeVisible()
  })

  test('is approved as it was shown', async () => {
    const body = sent('decision')
    const { user } = open({ status: 'draft', approval, content_hash: 'shown' })
    await user.click(button('Approve: Riding in rain'))
    expect(await body).toEqual({ approved: true, content_hash: 'shown', remark: '' })
    expect(await told('Approved. Will be published at 18:30.')).toBeVisible()
  })

  test('is approved once, however often that is pressed', async () => {
    open({ status: 'draft', approval })
    expect(await pressedTwice('decision', () => fireEvent.click(button('Approve: Riding in rain')))).toBe(1)
    expect(screen.queryByText(/Your decision was not saved/)).toBeNull()
  })

  test('is declined with a reason', async () => {
    const body = sent('decision')
    const { user } = open({ status: 'draft', approval })
    await user.click(button('Decline: Riding in rain'))
    await user.type(screen.getByRole('textbox', { name: 'Reason (optional)' }), ' Too loud {Enter}')
    expect(await body).toEqual({ approved: false, content_hash: 'hash', remark: 'Too loud' })
    expect(await told('Declined. Will not be published.')).toBeVisible()
  })

  test('goes out by itself where it may, unless it is stopped', () => {
    open({ status: 'draft', approval: { ...approval, at_deadline: 'publish' } })
    expect(screen.getByText('Will be published at 17:00 unless you stop it by 16:58.')).toBeVisible()
    expect(button('Stop: Riding in rain')).toBeVisible()
  })

  test('says why where the answer comes too late', async () => {
    server.use(
      http.post('*/decision/', () =>
        HttpResponse.json({ status: 409, code: 'approval_expired', errors: [], params: {} }, { status: 409 }),
      ),
    )
    const { user } = open({ status: 'draft', approval })
    await user.click(button('Approve: Riding in rain'))
    expect(await told(/Your decision was not saved. Nobody approved in time/)).toBeVisible()
  })
})

test.each([
  ['retrying', true],
  // its badge says so
  ['publishing', false],
] as const)('what may be out already says why nothing can be changed: %s', (state, says) => {
  open({ planned_at: '2026-11-21T11:59:00Z', deliveries: [aDelivery({ state, called_at: '2026-11-21T11:59:01Z', settled_at: null })] })
  expect(screen.queryAllByText(/^Publishing may already have succeeded\./)).toHaveLength(says ? 1 : 0)
  expect(screen.queryByRole('button')).toBeNull()
})

test.each<[Partial<ApprovalOut>, string]>([
  [{ state: 'approved', decided_at: '2026-11-21T11:00:00Z' }, 'Approved by you at 12:00.'],
  [{ state: 'approved', by_deadline: true, decided_at: '2026-11-21T11:00:00Z' }, 'Nobody objected by 12:00.'],
  [{ state: 'declined', decided_at: '2026-11-21T11:00:00Z', remark: 'Too loud' }, 'Declined by you at 12:00: Too loud'],
  [{ state: 'expired', by_deadline: true }, 'Nobody decided by 16:58, so nothing was published. The draft is kept.'],
  [{ state: 'expired', by_deadline: true, at_deadline: 'skip' }, 'Nobody decided by 16:58.'],
  [{ state: 'rewritten', remark: 'Shorter' }, 'The assistant is writing a new text and will ask you again. Your instructions: Shorter'],
  [{ state: 'withdrawn' }, 'Cancelled before anybody decided.'],
])('what was decided stays to be read: %o', (changes, text) => {
  open({ status: 'draft', deliveries: [], approval: { ...approval, ...changes } })
  expect(screen.getByText(text)).toBeVisible()
})

describe('a post that waits for its time', () => {
  test('is moved once, however often that is pressed', async () => {
    const { user } = open({})
    await user.click(button('Move'))
    const move = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Move' })
    expect(await pressedTwice('move', () => fireEvent.click(move))).toBe(1)
  })

  test('is moved, to a time of the user’s zone', async () => {
    const body = sent('move')
    const { user } = open({})
    await user.click(button('Move'))
    const dialog = within(await screen.findByRole('dialog'))
    const field = dialog.getByLabelText(/Date and time/)
    expect(field).toHaveValue('2026-11-21T17:00')
    expect(dialog.getByText('In Europe/Berlin')).toBeVisible()
    await user.clear(field)
    await user.type(field, '2026-11-21T18:30')
    await user.click(dialog.getByRole('button', { name: 'Move' }))
    expect(await body).toEqual({ version: 4, planned_at: '2026-11-21T17:30:00.000Z' })
    expect(await told('Moved. Will be published at 18:30.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('goes out after the hour that clocks leave out, and the dialog says so', async () => {
    const { user } = open({})
    await user.click(button('Move'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.clear(dialog.getByLabelText(/Date and time/))
    await user.type(dialog.getByLabelText(/Date and time/), '2027-03-28T02:30')
    expect(dialog.getByText('This time doesn’t exist that day. 03:30 is used instead.')).toBeVisible()
  })

  test('keeps the time that was typed when Escape is pressed', async () => {
    const { user } = open({})
    await user.click(button('Move'))
    const dialog = within(await screen.findByRole('dialog'))
    const field = dialog.getByLabelText(/Date and time/)
    await user.clear(field)
    await user.type(field, '2026-11-21T18:30')
    await user.keyboard('{Escape}')
    expect(field).toBeVisible()
    expect(field).toHaveValue('2026-11-21T18:30')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(button('Move'))
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('is not moved into the past', async () => {
    const { user } = open({})
    await user.click(button('Move'))
    const dialog = within(await screen.findByRole('dialog'))
    const field = dialog.getByLabelText(/Date and time/)
    await user.clear(field)
    await user.type(field, '2026-11-21T12:59')
    expect(dialog.getByText('This time is in the past. Choose a later one.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Move' })).toBeDisabled()
  })

  test('goes out now after a question', async () => {
    const body = sent('move')
    const { user } = open({})
    await user.click(button('Publish now'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish now' }))
    expect(await body).toEqual({ version: 4, planned_at: null })
    expect(await told('Publishing now.')).toBeVisible()
  })

  test('is called off after a question, and says when that only takes effect later', async () => {
    const body = sent('cancel', false)
    const { user } = open({})
    await user.click(button('Do not publish'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Do not publish' }))
    expect(await body).toEqual({ version: 4 })
    expect(await told('Saved. The change takes effect when the background service is back.')).toBeVisible()
  })

  test('cannot be changed once it is armed, and counts down', () => {
    open({ deliveries: [aDelivery({ state: 'publishing', called_at: null })], planned_at: '2026-11-21T12:00:42Z' })
    expect(screen.getByText(/Publishing starts in 0:42/)).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

test('a draft is published after all', async () => {
  const body = sent('publish')
  const { user } = open({ status: 'draft', deliveries: [aDelivery({ state: 'cancelled' })] })
  await user.click(button('Publish now'))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish now' }))
  expect(await body).toEqual({ version: 4 })
  expect(await told('Publishing now.')).toBeVisible()
})

test('where it will be held, the question says so', async () => {
  const away = { state: 'needs_reconnecting' } as const
  const accounts = [anAccount({ id: 'a' }), anAccount({ ...away, id: 'b', name: 'Jonas Weber' }), anAccount({ ...away, id: 'out', name: 'Radwerk' })]
  server.use(http.get('*/api/accounts/', () => HttpResponse.json(accounts)))
  const deliveries = [waiting, aDelivery({ id: 'second', account_id: 'out' })]
  const { user, queryClient } = open({ account_ids: ['a', 'b', 'out'], deliveries })
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  await user.click(button('Publish now'))
  const text = 'The post is published to all remaining accounts right away. Jonas Weber needs a new login: the post is held there until you reconnect the account.'
  expect(await screen.findByRole('dialog')).toHaveTextContent(text)
})

test('what failed is tried again', async () => {
  const body = sent('retry')
  const { user } = open({ status: 'failed', deliveries: [aDelivery({ state: 'failed' }), aDelivery({ id: 'b' })] })
  await user.click(button('Try again'))
  expect(await body).toEqual({})
  expect(await told('Trying again now.')).toBeVisible()
})

test('what failed is tried again at the time that its other channels wait for', async () => {
  const body = sent('retry')
  const { user } = open({ deliveries: [aDelivery({ state: 'failed' }), { ...waiting, id: 'b' }] })
  await user.click(button('Try again'))
  expect(await body).toEqual({})
  expect(await told('Trying again at 18:30, together with the remaining channels.')).toBeVisible()
})

test('what failed is tried again once, however often that is pressed', async () => {
  open({ status: 'failed', deliveries: [aDelivery({ state: 'failed' }), aDelivery({ id: 'b' })] })
  expect(await pressedTwice('retry', () => fireEvent.click(button('Try again')))).toBe(1)
})

describe('pressing goes on', () => {
  test('only once the change before is answered', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    server.use(
      http.post('*/api/social-media-posts/post/cancel/', async () => {
        await answered
        return HttpResponse.json({ post: aPost({}), confirmed: true })
      }),
    )
    const { user } = open({})
    await user.click(button('Do not publish'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Do not publish' }))
    await waitFor(() => expect(button('Publish now')).toBeDisabled())
    expect(button('Move')).toBeDisabled()
    answer()
    await waitFor(() => expect(button('Publish now')).toBeEnabled())
  })

  test('where it was, after a dialog that nothing came of, also if the post has changed under it', async () => {
    itIs('2026-11-21T12:00:00Z')
    let change = () => {}
    function Changing() {
      const [version, setVersion] = useState(4)
      change = () => setVersion(5)
      return <PostActions post={aPost({ status: 'complete', deliveries: [waiting], planned_at: '2026-11-21T16:00:00Z', version })} />
    }
    const { user } = show(<Changing />)
    await user.click(button('Move'))
    const dialog = await screen.findByRole('dialog')
    act(() => change())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await waitFor(() => expect(button('Move')).toHaveFocus())
  })
})

test('German', async () => {
  await speak('de')
  open({ status: 'draft', approval })
  expect(screen.getByText('Wartet bis 16:58 Uhr auf deine Freigabe. Ohne Antwort bleibt der Entwurf erhalten.')).toBeVisible()
  expect(button('Freigeben: Riding in rain')).toBeVisible()
})
