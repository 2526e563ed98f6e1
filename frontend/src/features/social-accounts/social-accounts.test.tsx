import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { AccountOut, ChannelOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { anAccount } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SocialAccounts } from './social-accounts'

const server = startServer()

const channel = (changes: Partial<ChannelOut> = {}): ChannelOut => ({
  kind: 'linkedin',
  label: 'LinkedIn',
  configured: true,
  connection: { consent: true, fields: [], settings: ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET'] },
  can_delete: true,
  limits: {
    max_characters: 3_000,
    counting: 'larger',
    min_images: 0,
    max_images: 9,
    needs_image: false,
    max_hashtags: null,
    max_mentions: null,
    max_first_comment: 0,
    urn_mentions: true,
    link: 'card',
    card_images: 1,
    document: null,
    video: null,
  },
  ...changes,
})

function open(accounts: AccountOut[], channels = [channel()]) {
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json(accounts)),
    http.get('*/api/channels/', () => HttpResponse.json(channels)),
  )
  itIs('2026-11-21T12:00:00Z')
  return show(
    <TimeZoneContext value="UTC">
      <SocialAccounts />
    </TimeZoneContext>,
  )
}

const row = async (name = 'Mara Lind') => {
  const item = (await screen.findByText(name)).closest('li')
  if (!item) throw new Error(`${name} is in no list`)
  return item
}

describe('a connected account', () => {
  test.each<[string, Partial<AccountOut>]>([
    ['LinkedIn · Person', {}],
    ['LinkedIn · Page', { type: 'organisation' }],
    ['LinkedIn Pages · Page', { type: 'organisation', kind: 'linkedin_pages' }],
    ['Facebook · Page', { type: 'organisation', kind: 'facebook' }],
    ['Instagram · Business account', { type: 'organisation', kind: 'instagram' }],
    ['Login does not expire', {}],
    ['Login valid until Wed 20 Jan 2027', { expires_at: '2027-01-20T12:00:00Z' }],
    [
      'The login expires on Wed 20 Jan 2027 and cannot be renewed automatically. Reconnect the account before then.',
      { expires_at: '2027-01-20T12:00:00Z', expires_soon: true },
    ],
    ['Expires soon', { expires_at: '2027-01-20T12:00:00Z', expires_soon: true }],
    ['No assistant · no post yet', {}],
    ['1 assistant · last post Fri 20 Nov, 15:00', { used_by: 1, last_used_at: '2026-11-20T15:00:00Z' }],
    ['12 assistants', { used_by: 12 }],
    ['Connected', {}],
    ['LinkedIn has ended the access. Until you reconnect the account, finished posts are held, and no new posts are written.', { state: 'needs_reconnecting', expires_at: '2027-01-20T12:00:00Z' }],
  ])('says: %s', async (text, changes) => {
    open([anAccount(changes)])
    expect(await row()).toHaveTextContent(text)
  })

  test('says what the app may not do, and what the operator needs for it', async () => {
    const params = { network: 'LinkedIn', scope: 'w_member_social_feed', product: 'Community Management API', setting: 'LINKEDIN_SCOPES' }
    const { user } = open([anAccount({ first_comment_error: { field: 'first_comment', code: 'first_comment_not_granted', params } })])
    const item = within(await row())
    expect(item.getByText(/The server’s operator has to allow it/)).not.toBeVisible()
    await user.click(item.getByText('First comments: not allowed by this LinkedIn app'))
    expect(item.getByText(/The server’s operator has to allow it/)).toBeVisible()
    expect(item.getByText(/needs the product “Community Management API” at LinkedIn and w_member_social_feed in LINKEDIN_SCOPES/)).toBeVisible()
  })

  test('is told in German, too', async () => {
    await speak('de')
    open([anAccount({ used_by: 2 })])
    expect(await row()).toHaveTextContent('2 Assistenten')
  })

  test('that works is not offered a new login; one that needs it, now or soon, is', async () => {
    open([
      anAccount(),
      anAccount({ id: 'old', name: 'Lindhof', state: 'needs_reconnecting' }),
      anAccount({ id: 'soon', name: 'Ada Lindqvist', expires_at: '2027-01-20T12:00:00Z', expires_soon: true }),
    ])
    expect(within(await row()).queryByRole('button', { name: 'Reconnect' })).toBeNull()
    expect(within(await row('Lindhof')).getByRole('button', { name: 'Reconnect' })).toBeVisible()
    expect(within(await row('Ada Lindqvist')).getByRole('button', { name: 'Reconnect' })).toBeVisible()
  })

  test('whose new login could not be started says so beside it', async () => {
    server.use(http.post('*/api/accounts/connect/linkedin/', () => refuse(500, 'internal')))
    const { user } = open([anAccount({ state: 'needs_reconnecting' })])
    await user.click(await screen.findByRole('button', { name: 'Reconnect' }))
    expect(await within(await row()).findByRole('alert')).toHaveTextContent('An error occurred.')
    expect(screen.getByRole('button', { name: 'Reconnect' })).toBeEnabled()
  })
})

describe('disconnecting', () => {
  const ask = async (account: AccountOut, answer: string) => {
    const shown = open([account])
    await shown.user.click(await screen.findByRole('button', { name: 'More actions for Mara Lind' }))
    await shown.user.click(await screen.findByRole('menuitem', { name: 'Disconnect' }))
    const dialog = await screen.findByRole('dialog', { name: 'Disconnect Mara Lind?' })
    const text = dialog.textContent
    await shown.user.click(within(dialog).getByRole('button', { name: answer }))
    return text
  }

  test.each([
    [0, 'No assistant publishes to this account.'],
    [1, '1 assistant will no longer publish to this account.'],
    [3, '3 assistants will no longer publish to this account.'],
  ])('says what that means for %i assistants, and asks first', async (used_by, text) => {
    const gone = vi.fn(() => new HttpResponse(null, { status: 204 }))
    server.use(http.delete('*/api/accounts/account/', gone))
    expect(await ask(anAccount({ used_by }), 'Cancel')).toContain(text)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(gone).not.toHaveBeenCalled()
  })

  test('takes it out of the list', async () => {
    server.use(
      http.delete('*/api/accounts/account/', () => {
        server.use(http.get('*/api/accounts/', () => HttpResponse.json([])))
        return HttpResponse.json({ access: 'revoked' })
      }),
    )
    await ask(anAccount(), 'Disconnect account')
    expect(await screen.findByText('Mara Lind is disconnected.')).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'No account connected yet' })).toBeVisible()
  })

  test.each([
    ['waiting', /LinkedIn is not answering\. We revoke the access there as soon as it answers/],
    ['refused', /LinkedIn did not revoke the access\. You can remove it/],
  ])('says where the network has not taken the access back: %s', async (access, text) => {
    server.use(http.delete('*/api/accounts/account/', () => HttpResponse.json({ access })))
    await ask(anAccount(), 'Disconnect account')
    expect(await screen.findByText(text)).toBeVisible()
  })

  test('that does not work says so', async () => {
    server.use(http.delete('*/api/accounts/account/', () => refuse(500, 'internal')))
    await ask(anAccount(), 'Disconnect account')
    expect(await screen.findByText(/^Mara Lind was not disconnected\./)).toBeVisible()
  })
})

describe('what can be connected', () => {
  const card = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}`) })

  test('is what this server is set up for; the others say what they wait for', async () => {
    open([])
    expect(await card('LinkedIn')).toBeEnabled()
    expect(await card('WhatsApp')).toBeDisabled()
    expect(screen.getByRole('heading', { name: 'Connect an account' })).toBeVisible()
  })

  test('beside one that is connected is another', async () => {
    open([anAccount()])
    expect(await screen.findByRole('heading', { name: 'Connect another' })).toBeVisible()
  })

  test('says which settings are missing', async () => {
    open([], [channel({ configured: false })])
    expect(await card('LinkedIn')).toBeDisabled()
    expect(await card('LinkedIn')).toHaveTextContent('Not set up on this server. Set LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET.')
  })

  test('of a network that the server has learnt is not coming any more', async () => {
    open([], [channel(), channel({ kind: 'whatsapp' as ChannelOut['kind'], label: 'WhatsApp Business' })])
    await card('LinkedIn')
    const learnt = screen.getAllByRole('button', { name: /^WhatsApp/ })
    expect(learnt).toHaveLength(1)
    expect(learnt[0]).toBeEnabled()
    expect(learnt[0]).toHaveTextContent('Log in with WhatsApp Business')
  })

  test('that could not be started says so, and can be tried again', async () => {
    server.use(http.post('*/api/accounts/connect/linkedin/', () => refuse(500, 'internal')))
    const { user } = open([])
    await user.click(await card('LinkedIn'))
    expect(await screen.findByRole('alert')).toHaveTextContent('Connecting could not be started. An error occurred.')
    expect(await card('LinkedIn')).toBeEnabled()
  })
})

test.each([
  ['accounts', '*/api/accounts/', 'Social accounts could not be loaded'],
  ['networks', '*/api/channels/', 'Networks could not be loaded'],
])('%s that could not be loaded say so, and the rest is there', async (_, path, title) => {
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([anAccount()])),
    http.get('*/api/channels/', () => HttpResponse.json([channel()])),
  )
  server.use(http.get(path, () => refuse(500, 'internal')))
  show(<SocialAccounts />)
  expect(await screen.findByText(title)).toBeVisible()
  expect(await screen.findByText(path.includes('channels') ? 'Mara Lind' : 'LinkedIn')).toBeVisible()
})

const bluesky = channel({
  label: 'Bluesky',
  connection: {
    consent: false,
    settings: [],
    fields: [
      { name: 'handle', kind: 'text', example: 'ada.example', max_length: 200, initial: '' },
      { name: 'app_password', kind: 'password', example: '', max_length: 200, initial: '' },
      { name: 'host', kind: 'url', example: '', max_length: 200, initial: 'https://bsky.social' },
    ],
  },
})

describe('a network with a form', () => {
  test('is drawn as the server describes it, and each problem stands at its field', async () => {
    const bodies: unknown[] = []
    const answers = [
      () =>
        HttpResponse.json(
          {
            status: 422,
            code: 'connect_login_refused',
            detail: '',
            params: {},
            errors: [{ field: 'fields.app_password', code: 'connect_login_refused', params: {} }],
          },
          { status: 422 },
        ),
      () => HttpResponse.json({ authorize_url: null, connected: { accounts: [], choice: null } }),
    ]
    server.use(
      http.post('*/api/accounts/connect/linkedin/', async ({ request }) => {
        bodies.push(await request.json())
        return answers.shift()?.()
      }),
    )
    const { user } = open([], [bluesky])
    await user.click(await screen.findByRole('button', { name: /^Bluesky/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Connect Bluesky' })
    await user.type(within(dialog).getByRole('textbox', { name: 'Handle' }), 'ada')
    expect(within(dialog).getByRole('textbox', { name: 'Handle' })).toHaveAttribute('placeholder', 'ada.example')
    const password = within(dialog).getByLabelText('App password')
    expect(password).toHaveAttribute('type', 'password')
    await user.type(password, 'wrong')
    await user.click(within(dialog).getByRole('button', { name: 'Connect' }))
    expect(await within(dialog).findByText(/^The login was not accepted/)).toBeVisible()
    expect(password).toHaveAccessibleDescription(/The login was not accepted/)
    await user.click(within(dialog).getByRole('button', { name: 'Connect' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodies).toEqual([
      { fields: { handle: 'ada', app_password: 'wrong', host: 'https://bsky.social' } },
      { fields: { handle: 'ada', app_password: 'wrong', host: 'https://bsky.social' } },
    ])
  })
})

test('connecting again begins with what is known of the account', async () => {
  const { user } = open(
    [anAccount({ state: 'needs_reconnecting', form: { handle: 'ada.example', host: 'pds.example' } })],
    [bluesky],
  )
  await user.click(await screen.findByRole('button', { name: 'Reconnect' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect Bluesky' }))
  expect(dialog.getByRole('textbox', { name: 'Handle' })).toHaveValue('ada.example')
  expect(dialog.getByRole('textbox', { name: 'Host' })).toHaveValue('pds.example')
  await waitFor(() => expect(dialog.getByLabelText('App password')).toHaveFocus())
})

describe('checking an account', () => {
  const points = [
    { point: 'access', result: 'fine', error: null },
    { point: 'permissions', result: 'broken', error: { field: '', code: 'connect_scope_missing', params: { scopes: 'w_member_social' } } },
    { point: 'media', result: 'unsure', error: { field: '', code: 'media_local', params: { address: 'http://127.0.0.1:8000' } } },
  ]

  async function check() {
    const shown = open([anAccount({ name: 'Mara Lind' })])
    await shown.user.click(await screen.findByRole('button', { name: 'Check Mara Lind' }))
    return { ...shown, dialog: within(await screen.findByRole('dialog', { name: 'Check Mara Lind' })) }
  }

  test('says each point with what is to be done, and asks again', async () => {
    let asked = 0
    server.use(
      http.post('*/api/accounts/:id/check/', () => {
        asked += 1
        return HttpResponse.json(asked === 1 ? points : points.slice(0, 1))
      }),
    )
    const { user, dialog } = await check()
    expect(await dialog.findByText('Not everything is in order.')).toBeVisible()
    expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Access to the accountOK',
      expect.stringMatching(/^PermissionsThe network did not grant these permissions.*: publish posts in your name \(w_member_social\)\..*Not OK$/),
      expect.stringMatching(/^Images that the network fetches from this serverhttp:\/\/127\.0\.0\.1:8000 can only be reached.*Unclear$/),
    ])
    await user.click(dialog.getByRole('button', { name: 'Check again' }))
    expect(await dialog.findByText('Everything is in order: the next post can be published.')).toBeVisible()
    await user.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test.each([
    ['en', /no more posts.*until 12:07\./, /is limiting requests.*until tomorrow at 9:00\./],
    ['de', /keine Beiträge mehr.*bis 12:07\sUhr/, /begrenzt gerade Anfragen.*bis morgen um 9:00\sUhr/],
  ] as const)('says when the network takes calls again, where it said so (%s)', async (language, quota, access) => {
    await speak(language)
    server.use(
      http.post('*/api/accounts/:id/check/', () =>
        HttpResponse.json([
          { point: 'access', result: 'unsure', error: { field: '', code: 'rate_limited', params: { until: '2026-11-22T09:00:00+00:00' } } },
          { point: 'quota', result: 'broken', error: { field: '', code: 'quota_used', params: { until: '2026-11-21T12:07:00+00:00' } } },
        ]),
      ),
    )
    const { user } = open([anAccount({ name: 'Mara Lind' })])
    await user.click(await screen.findByRole('button', { name: language === 'de' ? 'Mara Lind prüfen' : 'Check Mara Lind' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText(quota)).toBeVisible()
    expect(dialog.getByText(access)).toBeVisible()
  })

  test.each([
    ['en', 'Check Mara Lind', 'No problems were found, but not everything could be checked.'],
    ['de', 'Mara Lind prüfen', 'Es wurden keine Probleme gefunden, aber nicht alles ließ sich prüfen.'],
  ] as const)('finds no fault where something could only not be told (%s)', async (language, name, sentence) => {
    await speak(language)
    server.use(http.post('*/api/accounts/:id/check/', () => HttpResponse.json(points.filter(({ result }) => result !== 'broken'))))
    const { user } = open([anAccount({ name: 'Mara Lind' })])
    await user.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  test('says in German, too, what a permission is for; one that is not known has its name alone', async () => {
    await speak('de')
    const error = { field: '', code: 'connect_scope_missing', params: { scopes: 'pages_manage_posts, pages_do_more' } }
    server.use(http.post('*/api/accounts/:id/check/', () => HttpResponse.json([{ point: 'permissions', result: 'broken', error }])))
    const { user } = open([anAccount()])
    await user.click(await screen.findByRole('button', { name: 'Mara Lind prüfen' }))
    expect(await screen.findByText(/: Beiträge auf deinen Seiten veröffentlichen \(pages_manage_posts\) und pages_do_more\./)).toBeVisible()
  })

  const ended = [{ point: 'access', result: 'broken', error: { field: '', code: 'delivery_needs_reconnect', params: {} } }]

  test.each([
    ['en', 'Check Mara Lind', 'Reconnect'],
    ['de', 'Mara Lind prüfen', 'Neu verbinden'],
  ] as const)('that found the access ended leads to a new login as the row does (%s)', async (language, name, reconnect) => {
    await speak(language)
    const asked = vi.fn(() => refuse(500, 'internal'))
    server.use(
      http.post('*/api/accounts/:id/check/', () => {
        server.use(http.get('*/api/accounts/', () => HttpResponse.json([anAccount({ state: 'needs_reconnecting' })])))
        return HttpResponse.json(ended)
      }),
      http.post('*/api/accounts/connect/linkedin/', asked),
    )
    const { user } = open([anAccount()])
    await user.click(await screen.findByRole('button', { name }))
    const dialog = within(await screen.findByRole('dialog', { name }))
    await user.click(await dialog.findByRole('button', { name: reconnect }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked).toHaveBeenCalledOnce()
    expect(await within(await row()).findByRole('alert')).toBeVisible()
  })

  test('leads to the form of a network that has one', async () => {
    server.use(http.post('*/api/accounts/:id/check/', () => HttpResponse.json(ended)))
    const { user } = open([anAccount({ form: { handle: 'ada.example' } })], [bluesky])
    await user.click(await screen.findByRole('button', { name: 'Check Mara Lind' }))
    await user.click(await screen.findByRole('button', { name: 'Reconnect' }))
    const form = within(await screen.findByRole('dialog', { name: 'Connect Bluesky' }))
    expect(form.getByRole('textbox', { name: 'Handle' })).toHaveValue('ada.example')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Check Mara Lind' })).toBeNull())
    await waitFor(() => expect(form.getByLabelText('App password')).toHaveFocus())
  })

  test('offers no new login where none would help', async () => {
    const error = { field: '', code: 'quota_used', params: {} }
    server.use(http.post('*/api/accounts/:id/check/', () => HttpResponse.json([{ point: 'quota', result: 'broken', error }])))
    const { dialog } = await check()
    expect(await dialog.findByText('Not everything is in order.')).toBeVisible()
    expect(dialog.queryByRole('button', { name: 'Reconnect' })).toBeNull()
  })

  test('is in the menu of one that needs a new login first', async () => {
    server.use(http.post('*/api/accounts/:id/check/', () => HttpResponse.json(points)))
    const { user } = open([anAccount({ name: 'Mara Lind', state: 'needs_reconnecting' })])
    await user.click(await screen.findByRole('button', { name: 'More actions for Mara Lind' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Check account' }))
    expect(await screen.findByRole('dialog', { name: 'Check Mara Lind' })).toBeVisible()
  })

  test('that could not be done says so, and is tried again', async () => {
    server.use(http.post('*/api/accounts/:id/check/', () => refuse(503, 'unavailable')))
    const { dialog } = await check()
    expect(await dialog.findByText('The account could not be checked.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})
