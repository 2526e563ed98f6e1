import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { delay, http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { CommentOut, DeliveryEntryOut, DeliveryOut, PostOut, RemovalOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { held, refuse } from '@/test/answers'
import { aDelivery, anAccount, aPost } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { DeliveryList } from './delivery-list'

const server = startServer()

function open(delivery: Partial<DeliveryOut>, post: Partial<PostOut> = {}) {
  itIs('2026-11-21T12:00:00Z')
  return show(
    <TimeZoneContext value="UTC">
      <DeliveryList post={aPost({ deliveries: [aDelivery(delivery)], ...post })} />
    </TimeZoneContext>,
  )
}

/** Leave the page as on a phone, so that a held answer is sent. */
function hidePage() {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

test.each([
  ['en', 'Held: reconnect LinkedIn by Sun 22 Nov, 09:00', /^Reconnect the account by then, and the post is published automatically/, 'Reconnect the account'],
  ['de', 'Angehalten: Verbinde LinkedIn bis So. 22. Nov., 09:00 neu', /^Verbinde das Konto bis dahin neu, dann wird der Beitrag automatisch veröffentlicht/, 'Konto neu verbinden'],
] as const)('one that is held says for what and until when, in %s', async (language, until, then, reconnect) => {
  if (language === 'de') await speak('de')
  open({ state: 'held', called_at: null, settled_at: null, held_until: '2026-11-22T09:00:00Z', error_code: 'delivery_needs_reconnect' }, { status: 'complete' })
  expect(screen.getByText(new RegExp(until))).toBeVisible()
  expect(screen.getByText(then)).toBeVisible()
  expect(screen.getAllByRole('link', { name: reconnect })).toHaveLength(1)
})

test.each([
  ['en', 'rate_limited', 'Delayed: next attempt Sun 22 Nov, 00:01, at the latest Sun 22 Nov, 09:00', /^LinkedIn accepts nothing more right now\. We’ll retry automatically\./],
  ['de', 'rate_limited', 'Verspätet: nächster Versuch So. 22. Nov., 00:01, spätestens So. 22. Nov., 09:00', /^LinkedIn nimmt gerade nichts mehr an\./],
  ['en', 'api_version_retired', 'Delayed', /has to set a newer one \(LINKEDIN_VERSION or META_VERSION\)/],
  ['de', 'api_version_retired', 'Verspätet', /muss eine neuere eintragen \(LINKEDIN_VERSION oder META_VERSION\)/],
] as const)('one that waits for its network or this server says when it is tried again, in %s for %s', async (language, code, until, why) => {
  if (language === 'de') await speak('de')
  open(
    { state: 'held', called_at: null, settled_at: null, held_until: '2026-11-22T09:00:00Z', retry_at: '2026-11-22T00:01:00Z', error_code: code },
    { status: 'complete' },
  )
  expect(screen.getByText(new RegExp(until))).toBeVisible()
  expect(screen.getByText(why)).toBeVisible()
  expect(screen.queryByRole('link', { name: /Reconnect|neu verbinden/ })).toBeNull()
})

test('one that is there and cannot be read says so before it asks', () => {
  open({ state: 'unknown', settled_at: null, error_code: 'delivery_unreadable' }, { status: 'complete' })
  expect(screen.getByText(/^The network lets us publish with this account, but not read its posts/)).toBeVisible()
})

test('one that may be there already says that it is looked up first', () => {
  open({ state: 'held', settled_at: null, held_until: '2026-11-22T09:00:00Z', error_code: 'delivery_needs_reconnect' }, { status: 'complete' })
  expect(screen.getByText(/^An earlier attempt may have succeeded\./)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Reconnect the account' })).toBeVisible()
})

test.each([
  ['is connected no more', []],
  ['needs a new login', [anAccount({ id: 'account', state: 'needs_reconnecting' })]],
])('an account that %s is told before the time comes', (_, accounts) => {
  const post = aPost({ deliveries: [aDelivery({ account_id: 'account', state: 'pending', called_at: null, settled_at: null })] })
  show(<DeliveryList post={post} accounts={accounts} />)
  expect(screen.getByText(/^This account is disconnected\./)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Reconnect the account' })).toHaveAttribute('href', '/account')
})

test('an account that is connected is not', () => {
  const post = aPost({ deliveries: [aDelivery({ account_id: 'account', state: 'pending', called_at: null, settled_at: null })] })
  show(<DeliveryList post={post} accounts={[anAccount({ id: 'account' })]} />)
  expect(screen.queryByText(/^This account is disconnected\./)).toBeNull()
})

describe('what a delivery came to', () => {
  test.each<[string, Partial<DeliveryOut>, string]>([
    ['Published', {}, 'LinkedIn · Published Sat 21 Nov, 09:00'],
    ['Published', { decided_at: '2026-11-21T11:30:00Z', attempts: 2 }, 'LinkedIn · Confirmed manually Sat 21 Nov, 11:30 · 2 attempts'],
    ['Failed', { state: 'failed', settled_at: '2026-11-21T09:02:00Z' }, 'LinkedIn · Failed Sat 21 Nov, 09:02'],
    ['Scheduled', { state: 'pending', called_at: null, settled_at: null, attempts: 0 }, 'LinkedIn · Will be published Sat 21 Nov, 09:00'],
    // armed: the step has begun and waits for the slot
    ['Scheduled', { state: 'publishing', called_at: null, settled_at: null, attempts: 0 }, 'LinkedIn · Will be published Sat 21 Nov, 09:00'],
    ['Publishing', { state: 'publishing', settled_at: null }, 'LinkedIn · Sat 21 Nov, 09:00'],
    ['Retrying', { state: 'retrying', settled_at: null }, 'LinkedIn · Last sent Sat 21 Nov, 09:00'],
    ['Retrying', { state: 'retrying', settled_at: null, retry_at: '2026-11-21T12:04:00Z' }, 'LinkedIn · Last sent Sat 21 Nov, 09:00 · Next check Sat 21 Nov, 12:04'],
    ['Retrying', { state: 'retrying', called_at: null, settled_at: null, retry_at: '2026-11-21T12:04:00Z', attempts: 2 }, 'LinkedIn · Next attempt Sat 21 Nov, 12:04 · 2 attempts'],
    // it is about to begin
    ['Retrying', { state: 'retrying', called_at: null, settled_at: null, retry_at: '2026-11-21T11:59:59Z' }, 'LinkedIn'],
    ['Unclear', { state: 'unknown', settled_at: null }, 'LinkedIn · Last sent Sat 21 Nov, 09:00'],
    ['Cancelled', { state: 'cancelled', called_at: null, attempts: 0 }, 'LinkedIn · Sat 21 Nov, 09:00'],
  ])('%s (%#)', (badge, delivery, facts) => {
    open(delivery)
    expect(screen.getByText(badge)).toBeVisible()
    expect(screen.getByText(facts)).toBeVisible()
  })

  test.each([
    ['hold', 'Waiting for your approval', 'waiting'],
    ['publish', 'Scheduled', 'complete'],
  ] as const)('of a post that somebody is asked about, which comes to %s without an answer', (at_deadline, badge, status) => {
    const approval = { state: 'waiting', at_deadline, deadline_at: '2026-11-21T08:55:00Z', decided_at: null, by_deadline: false, remark: '', rewrite_error: null, at_once: false } as const
    open({ state: 'pending', called_at: null, settled_at: null, attempts: 0 }, { status: 'draft', approval })
    expect(screen.getByText(badge)).toBeVisible()
    expect(screen.getByText(badge)).toHaveAttribute('data-status', status)
  })

  test('without a plan says nothing of a time', () => {
    open({ state: 'pending', called_at: null, settled_at: null, attempts: 0 }, { planned_at: null })
    expect(screen.getByText('LinkedIn')).toBeVisible()
  })

  test('leads to where it is', () => {
    open({ permalink: 'https://example.org/post' })
    const link = screen.getByRole('link', { name: 'View on LinkedIn' })
    expect(link).toHaveAttribute('href', 'https://example.org/post')
    expect(link).toHaveAttribute('rel', 'noreferrer')
  })

  test('of a network that this app does not know has its name', () => {
    open({ channel: 'a network to come' as DeliveryOut['channel'] })
    expect(screen.getByText(/^a network to come · Published/)).toBeVisible()
  })

  test('of a draft is nothing', () => {
    open({}, { deliveries: [], status: 'draft' })
    expect(screen.getByText('No connected account is selected. Edit the draft to choose accounts.')).toBeVisible()
  })

  test('of a draft are the accounts that it is meant for', () => {
    const accounts = [anAccount({ id: 'a', name: 'Mara Lind' }), anAccount({ id: 'b', name: 'Jonas Weber' })]
    show(<DeliveryList post={aPost({ deliveries: [], status: 'draft', account_ids: ['b', 'gone'] })} accounts={accounts} />)
    expect(screen.getByRole('listitem')).toHaveTextContent('Jonas WeberLinkedInNot scheduled')
  })

  test('is told in German, too', async () => {
    await speak('de')
    open({ state: 'failed' })
    expect(screen.getByText('Fehlgeschlagen')).toBeVisible()
  })
})

describe('why it failed', () => {
  const status = () => screen.getByText(/./, { selector: '.delivery-more p:first-child' })

  test('asks nobody to try again while that happens by itself', () => {
    open({ state: 'retrying', settled_at: null, error_code: 'rate_limited' })
    expect(status()).toHaveTextContent('LinkedIn accepts nothing more right now. We’ll retry automatically.')
  })

  test('is told in words, with what the network said', () => {
    open({ state: 'failed', error_code: 'rate_limited', error_detail: '429 Throttled.' })
    expect(status()).not.toHaveTextContent('rate_limited')
    expect(screen.getByText('Answer from LinkedIn: 429 Throttled.')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Reconnect the account' })).toBeNull()
  })

  test.each(['delivery_needs_reconnect', 'account_role_lost', 'account_disconnected'])('%s leads to a new login', (code) => {
    open({ state: 'failed', error_code: code })
    expect(screen.getByRole('link', { name: 'Reconnect the account' })).toHaveAttribute('href', '/account')
  })

  test('by a person’s word is told as such, without the network’s', () => {
    open({ state: 'failed', error_code: 'delivery_unknown', error_detail: 'timeout' })
    expect(screen.getByText('You answered that the post is not online.')).toBeVisible()
    expect(screen.queryByText(/timeout/)).toBeNull()
  })

  test('a lost answer is told in plain words, and not as something that the network said', () => {
    itIs('2026-11-21T12:00:00Z')
    open({ state: 'retrying', error_code: 'provider_unreachable', error_detail: 'ReadError' })
    expect(screen.getByText('The connection to LinkedIn was lost before an answer arrived.')).toBeVisible()
    expect(screen.queryByText(/said/)).toBeNull()
  })

  test('is history once it is published', () => {
    open({ error_code: 'rate_limited', error_detail: '429 Throttled.' })
    expect(screen.queryByText(/Throttled/)).toBeNull()
  })
})

describe('without an answer of the network', () => {
  const serveDecision = (answer: () => Response | Promise<Response>) => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/social-media-posts/post/deliveries/delivery/decision/', async ({ request }) => {
        sent.push(await request.json())
        return answer()
      }),
    )
    return sent
  }

  test.each([
    ['Yes, online', 'there'],
    ['No, not online', 'not_there'],
  ])('a person looks and says: %s', async (name, answer) => {
    const sent = serveDecision(() => HttpResponse.json(aPost()))
    const { user } = open({ state: 'unknown', settled_at: null })
    expect(screen.getByText('Unclear at LinkedIn: is the post online?')).toBeVisible()
    expect(screen.getByText(/Check Mara Lind before you answer/)).toBeVisible()
    await user.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(sent).toEqual([{ answer, address: '' }]))
  })

  test('what was said can be taken back, also when the question is gone', async () => {
    serveDecision(() => HttpResponse.json(aPost()))
    let taken = 0
    server.use(
      http.delete('*/api/social-media-posts/post/deliveries/delivery/decision/', () => {
        taken += 1
        return HttpResponse.json(aPost())
      }),
    )
    const { user } = open({ state: 'unknown', settled_at: null })
    await user.click(screen.getByRole('button', { name: 'No, not online' }))
    expect(await screen.findByText('Marked as not published.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Your answer was undone. It is unclear again whether this was published.')).toBeVisible()
    expect(taken).toBe(1)
  })

  test('the address where it was found goes along, and a wrong one is told beside it', async () => {
    const sent = serveDecision(() =>
      HttpResponse.json(
        {
          type: 'about:blank', title: '', status: 422, code: 'invalid_input', detail: '', params: {},
          errors: [{ field: 'address', code: 'delivery_address_unusable', params: {} }],
        },
        { status: 422 },
      ),
    )
    const { user } = open({ state: 'unknown', settled_at: null })
    await user.type(screen.getByLabelText('Address of the post (optional)'), 'https://example.org/x')
    await user.click(screen.getByRole('button', { name: 'Yes, online' }))
    expect(await screen.findByText(/This is not the address of a post on this network/)).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(sent).toEqual([{ answer: 'there', address: 'https://example.org/x' }])
  })

  test('it is sent again only after a second word', async () => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/social-media-posts/post/send-again/', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ post: aPost(), confirmed: true })
      }),
    )
    const { user } = open({ state: 'unknown', settled_at: null })
    await user.click(screen.getByRole('button', { name: 'Send again' }))
    const dialog = await screen.findByRole('dialog', { name: 'Send the same post to LinkedIn again?' })
    expect(sent).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
    expect(await screen.findByText('Sending again.')).toBeVisible()
    expect(sent).toEqual([{ delivery_ids: ['delivery'] }])
  })

  test('no second answer can be given while one is on its way', async () => {
    const { until, letGo } = held()
    const sent = serveDecision(async () => {
      await until
      return HttpResponse.json(aPost())
    })
    const { user } = open({ state: 'unknown', settled_at: null })
    await user.click(screen.getByRole('button', { name: 'Yes, online' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'No, not online' })).toBeDisabled())
    letGo()
    await waitFor(() => expect(screen.getByRole('button', { name: 'No, not online' })).toBeEnabled())
    expect(sent).toHaveLength(1)
  })

  test('an answer that was not saved says so, and can be given again', async () => {
    serveDecision(() => refuse(500, 'internal'))
    const { user } = open({ state: 'unknown', settled_at: null })
    await user.click(screen.getByRole('button', { name: 'Yes, online' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Your answer was not saved. An error occurred.')
    expect(screen.getByRole('button', { name: 'Yes, online' })).toBeEnabled()
  })
})

test.each<[string, string, Partial<DeliveryOut>]>([
  ['Yes, online', 'deliveries/delivery/decision', { state: 'unknown', settled_at: null }],
  ['Send comment again', 'deliveries/delivery/comment', { comment: { state: 'failed', attempts: 1, error_code: 'comment_not_allowed', error_detail: null, next_at: null } }],
  ['Try again', 'remove', { removal: { state: 'failed', attempts: 1, next_at: null, removed_at: null, error_code: 'removal_refused', error_detail: null } }],
])('pressed twice in one moment, “%s” is said once', async (name, path, delivery) => {
  let calls = 0
  server.use(
    http.post(`*/api/social-media-posts/post/${path}/`, async () => {
      calls += 1
      await delay(20)
      return HttpResponse.json(aPost())
    }),
  )
  open(delivery)
  const button = screen.getByRole('button', { name })
  fireEvent.click(button)
  fireEvent.click(button)
  await waitFor(() => expect(calls).toBeGreaterThan(0))
  await waitFor(() => expect(button).toBeEnabled())
  expect(calls).toBe(1)
})

describe('deleting it on its network', () => {
  const removal = (changes: Partial<RemovalOut>): Partial<DeliveryOut> => ({
    permalink: 'https://example.org/post',
    removal: { state: 'waiting', attempts: 1, next_at: null, removed_at: null, error_code: null, error_detail: null, ...changes },
  })

  test.each<[string, Partial<RemovalOut>]>([
    ['Being deleted on LinkedIn', {}],
    ['Not deleted on LinkedIn yet. Next attempt Sat 21 Nov, 12:30.', { error_code: 'rate_limited', next_at: '2026-11-21T12:30:00Z' }],
    ['Still online on LinkedIn. The network did not delete the post.', { state: 'failed', error_code: 'removal_refused' }],
    ['LinkedIn · Deleted on LinkedIn Sat 21 Nov, 11:00', { state: 'removed', removed_at: '2026-11-21T11:00:00Z' }],
  ])('says: %s', (said, changes) => {
    open(removal(changes), { leaves: true })
    expect(screen.getByText(new RegExp(said.replaceAll('.', '\\.')))).toBeVisible()
    const gone = changes.state === 'removed'
    expect(screen.queryAllByRole('link', { name: 'View on LinkedIn' })).toHaveLength(gone ? 0 : 1)
    expect(screen.queryAllByText('Published')).toHaveLength(gone ? 0 : 1)
  })

  test('that failed can be tried again, and then goes here too where it was to', async () => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/social-media-posts/post/remove/', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(aPost())
      }),
    )
    const { user } = open(removal({ state: 'failed', error_code: 'removal_refused', error_detail: '403 no' }), { leaves: true })
    expect(screen.getByText('Answer from LinkedIn: 403 no')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(sent).toEqual([{ delivery_ids: ['delivery'], here: true }]))
  })
})

describe('putting a failed post aside', () => {
  const failed = { state: 'failed', error_code: 'internal' } as const
  const button = (name = 'Dismiss: Riding in rain') => screen.queryByRole('button', { name })

  test('asks the server, and then everything that tells of posts', async () => {
    let calls = 0
    server.use(
      http.post('*/api/social-media-posts/post/acknowledge/', () => {
        calls += 1
        return HttpResponse.json(aPost())
      }),
    )
    const { user, queryClient } = open(failed, { status: 'failed' })
    queryClient.setQueryData([{ _id: 'listPosts', tags: ['posts'] }], {})
    await user.click(button() ?? document.body)
    await waitFor(() => expect(queryClient.getQueryState([{ _id: 'listPosts', tags: ['posts'] }])?.isInvalidated).toBe(true))
    expect(calls).toBe(1)
  })

  test('that does not work says so', async () => {
    server.use(http.post('*/api/social-media-posts/post/acknowledge/', () => refuse(500, 'internal')))
    const { user } = open(failed, { status: 'failed' })
    await user.click(button() ?? document.body)
    expect(await screen.findByText(/^The post could not be dismissed\. An error occurred/)).toBeVisible()
  })

  test('is named by its text where it has no topic', () => {
    open(failed, { status: 'failed', topic_title: '', content: '\n  \nMudguards help.\nMore' })
    expect(button('Dismiss: Mudguards help.')).toBeVisible()
  })

  test.each<[string, Partial<PostOut>]>([
    ['that was put aside', { status: 'failed', acknowledged_at: '2026-11-21T10:00:00Z' }],
    ['that is published', { status: 'published' }],
  ])('is not offered for one %s', (_, post) => {
    open(failed, post)
    expect(screen.queryByRole('button', { name: /^Dismiss/ })).toBeNull()
  })
})

describe('a first comment', () => {
  const comment = (changes: Partial<CommentOut>): Partial<DeliveryOut> => ({
    comment: { state: 'waiting', attempts: 1, next_at: null, error_code: null, error_detail: null, ...changes },
  })

  test.each<[string, Partial<CommentOut>]>([
    ['The first comment is being published on LinkedIn.', {}],
    [
      'The first comment is not published yet; next attempt Sat 21 Nov, 12:01.',
      { error_code: 'provider_unavailable', next_at: '2026-11-21T12:01:00Z' },
    ],
    ['First comment published.', { state: 'published' }],
  ])('%s', (said, changes) => {
    open(comment(changes))
    expect(screen.getByText(said, { exact: false })).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('that failed says why, and is put once more', async () => {
    let asked: unknown
    server.use(
      http.post('*/api/social-media-posts/post/deliveries/:id/comment/', async ({ request }) => {
        asked = await request.json()
        return HttpResponse.json(aPost())
      }),
    )
    const { user } = open(comment({ state: 'failed', error_code: 'comment_not_allowed', error_detail: '403 (#200) Requires it' }))
    expect(screen.getByText(/^The first comment is missing on LinkedIn\. Postloom may not comment with this account\./)).toBeVisible()
    expect(screen.getByText(/\(#200\) Requires it/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Yes, online' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Send comment again' }))
    await waitFor(() => expect(asked).toEqual({ answer: 'again' }))
  })

  test('of which nobody knows is decided by a person, and a refusal is told', async () => {
    server.use(http.post('*/api/social-media-posts/post/deliveries/:id/comment/', () => refuse(409, 'post_not_editable')))
    const { user } = open(comment({ state: 'unknown', error_code: 'comment_unknown' }))
    expect(screen.getByText(/^It is unclear whether the first comment is online on LinkedIn\./)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Yes, online' }))
    expect(screen.getByText('First comment published.')).toBeVisible()
    hidePage()
    expect(await within(screen.getByRole('list')).findByRole('alert')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Yes, online' })).toBeEnabled()
  })

  test('that is published can still be read and copied', async () => {
    const { user } = open(comment({ state: 'published' }), { first_comment: 'Everything on lights:\nhttps://shop.example' })
    await user.click(screen.getByText('Show comment'))
    expect(screen.getByText(/^Everything on lights:/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Copy comment' })).toBeVisible()
  })

  test.each(['failed', 'unknown'] as const)('that is %s can be read and copied, to be put there by hand', async (state) => {
    const { user } = open(comment({ state, error_code: 'comment_unknown' }), { first_comment: 'Everything on lights:\nhttps://shop.example' })
    expect(screen.getByText(/^Everything on lights:/)).toHaveTextContent('https://shop.example')
    await user.click(screen.getByRole('button', { name: 'Copy comment' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  })

  test('that belongs below nothing cannot be put again', () => {
    open(comment({ state: 'failed', error_code: 'comment_not_possible' }))
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Dismiss'])
  })

  test('that a person has seen missing waits for nobody', () => {
    open(comment({ state: 'failed', error_code: 'comment_not_possible' }), { acknowledged_at: '2026-11-21T11:00:00Z' })
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('what was asked and answered', () => {
  const entry: DeliveryEntryOut = {
    id: 'e1',
    delivery_id: aDelivery({}).id,
    at: '2026-11-21T09:00:01Z',
    attempt: 1,
    step: 'publish',
    decision: 'look_up',
    error_code: 'ambiguous_outcome',
    exchanges: [{ asked: 'POST https://network.test/posts', sent: '{"text":"Hi"}', status: null, answer: 'ReadTimeout', milliseconds: 20004 }],
  }
  const found: DeliveryEntryOut = {
    ...entry,
    id: 'e2',
    attempt: 2,
    step: 'look_up',
    decision: 'done',
    error_code: null,
    exchanges: [{ asked: 'GET https://network.test/posts', sent: '', status: 200, answer: '[cut', milliseconds: 140 }],
  }

  test('is read step by step, when somebody wants to', async () => {
    const log = [entry, found, { ...entry, id: 'e3', delivery_id: 'another' }]
    server.use(http.get('*/api/social-media-posts/post/log/', () => HttpResponse.json(log)))
    const { user } = open({})
    await user.click(screen.getByText('Log: requests and answers'))
    await screen.findByText('POST https://network.test/posts')
    const steps = [...document.querySelectorAll<HTMLElement>('.delivery-log > li')]
    expect(steps).toHaveLength(2)
    expect(steps[0]).toHaveTextContent('→ No answer (ReadTimeout), 20 sec')
    expect(steps[0]).toHaveTextContent('The request may have succeeded: we check with the network before sending anything else.')
    expect(steps[1]).toHaveTextContent('Attempt 2')
    expect(steps[1]).toHaveTextContent('→ 200, 140 ms')
    await user.click(within(steps[0] ?? document.body).getByText('POST https://network.test/posts'))
    expect(screen.getByText(/"text": "Hi"/)).toBeVisible()
  })

  test('that cannot be loaded says so', async () => {
    server.use(http.get('*/log/', () => refuse(500, 'internal')))
    const { user } = open({})
    await user.click(screen.getByText('Log: requests and answers'))
    expect(await screen.findByText('The log could not be loaded.')).toBeVisible()
  })

  test('is nothing of one that waits for its time', () => {
    open({ state: 'pending', called_at: null, settled_at: null, attempts: 0 })
    expect(screen.queryByText('Log: requests and answers')).toBeNull()
  })
})

describe('of an article', () => {
  const article = { is_article: true, status: 'failed' } as const
  const toSite = { channel: 'wordpress', account_name: 'Lindhof Journal' } as const

  test('what was said of networks and accounts is said of its website, which has a list of its own', async () => {
    await speak('de')
    open({ ...toSite, state: 'failed', error_code: 'delivery_needs_reconnect', error_detail: '401 Sorry' }, article)
    expect(screen.getByText(/^Die Website nimmt die Anmeldung nicht mehr an/)).toBeVisible()
    expect(screen.getByText('Antwort von Lindhof Journal: 401 Sorry')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Website neu verbinden' })).toHaveAttribute('href', '/websites')
    expect(document.body.textContent).not.toMatch(/Beitrag|Netzwerk|Konto/)
  })

  test.each([
    ['en', 'Unclear at Lindhof Journal: is the article online?', 'Send the same article to Lindhof Journal again?'],
    ['de', 'Unklar bei Lindhof Journal: Ist der Artikel online?', 'Denselben Artikel erneut an Lindhof Journal senden?'],
  ] as const)('an unclear one is asked about by its name: %s', async (language, asked, again) => {
    await speak(language)
    const { user } = open({ ...toSite, state: 'unknown' }, { ...article, status: 'complete' })
    expect(screen.getByText(asked)).toBeVisible()
    await user.click(screen.getByRole('button', { name: language === 'en' ? 'Send again' : 'Erneut senden' }))
    expect(await screen.findByRole('dialog', { name: again })).toBeVisible()
  })

  test('one that is held says that its website is to be connected', () => {
    open({ ...toSite, state: 'held', called_at: null, settled_at: null, held_until: '2026-11-22T09:00:00Z', error_code: 'delivery_needs_reconnect' }, { ...article, status: 'complete' })
    expect(screen.getByText(/Held: reconnect Lindhof Journal by .*/)).toBeVisible()
    expect(screen.getByText(/^Reconnect the website by then/)).toBeVisible()
  })
})

describe('a first comment that the app may not publish', () => {
  const left: Partial<DeliveryOut> = {
    state: 'published',
    account_id: 'account',
    comment_left: {
      field: 'first_comment',
      code: 'first_comment_not_granted',
      params: { network: 'LinkedIn', scope: 'w_member_social_feed', product: 'Community Management API', setting: 'LINKEDIN_SCOPES' },
    },
  }
  const post = { first_comment: 'Everything on lights:\nhttps://shop.example' }

  function recordAnswers(): unknown[] {
    const asked: unknown[] = []
    server.use(
      http.post('*/api/social-media-posts/post/deliveries/:id/comment/', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json({})
      }),
    )
    return asked
  }

  test('that is said to be there can be taken back for a while, and stays readable', async () => {
    const asked = recordAnswers()
    const { user, unmount } = open(left, post)
    await user.click(await screen.findByRole('button', { name: 'Comment is there' }))
    expect(screen.queryByRole('button', { name: 'Comment is there' })).toBeNull()
    expect(screen.getByText(/^Everything on lights:/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Copy comment' })).toBeVisible()
    await waitFor(() => expect(screen.getByText('Show comment')).toHaveFocus())
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('button', { name: 'Comment is there' })).toBeEnabled()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Comment is there' })).toHaveFocus())
    unmount()
    expect(asked).toEqual([])
  })

  test('is told elsewhere if what was said is refused after its page is left', async () => {
    server.use(http.post('*/api/social-media-posts/post/deliveries/:id/comment/', () => refuse(409, 'post_not_editable')))
    itIs('2026-11-21T12:00:00Z')
    const { user, router } = show(<DeliveryList post={aPost({ deliveries: [aDelivery(left)], ...post })} />, { at: '/post', path: '/post' })
    await user.click(await screen.findByRole('button', { name: 'Comment is there' }))
    await act(() => router.navigate('/'))
    expect(await screen.findByText(/^Your answer was not saved\./)).toBeVisible()
  })

  test('is copied, and said to be there', async () => {
    const asked = recordAnswers()
    const { user } = open(left, post)
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Copy comment', 'Comment is there'])
    expect(await screen.findByText('Published without the first comment: copy it and add it on LinkedIn yourself.')).toBeVisible()
    expect(screen.getByText(/^Postloom may not publish first comments on LinkedIn\. The server’s operator has to allow it/)).toBeVisible()
    expect(document.body).not.toHaveTextContent('LINKEDIN_SCOPES')
    expect(screen.queryByRole('button', { name: 'Send comment again' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Copy comment' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Comment is there' }))
    expect(asked).toEqual([])
    hidePage()
    await waitFor(() => expect(asked).toEqual([{ answer: 'there' }]))
  })

  test('can be sent again after a refusal, which may have ended', async () => {
    const params = { network: 'LinkedIn', product: 'Community Management API' }
    const refused = { field: 'first_comment', code: 'first_comment_refused' as const, params }
    open({ ...left, comment_left: refused }, post)
    expect(await screen.findByRole('button', { name: 'Send comment again' })).toBeEnabled()
  })

  test('can be sent once the account is allowed to comment', async () => {
    itIs('2026-11-21T12:00:00Z')
    show(<DeliveryList post={aPost({ deliveries: [aDelivery(left)], ...post })} accounts={[anAccount()]} />)
    expect(await screen.findByRole('button', { name: 'Send comment again' })).toBeEnabled()
  })
})
