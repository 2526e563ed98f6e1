import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { SiteKindOut, WebsiteOut } from '@/api/types.gen'
import { websiteQuery } from '@/features/websites/api'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aLive, anAssistant, aWebsite } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { WebsiteRoute } from './website'
import { WebsitesRoute } from './websites'

const server = startServer()

const aKind = (changes: Partial<SiteKindOut> = {}): SiteKindOut => ({
  kind: 'mastodon',
  label: 'A blog',
  configured: true,
  served_here: false,
  connection: {
    consent: false,
    settings: ['BLOG_KEY'],
    fields: [
      { name: 'server', kind: 'url', example: 'blog.example', initial: '', max_length: 200 },
      { name: 'handle', kind: 'text', example: 'mara', initial: '', max_length: 100 },
      { name: 'app_password', kind: 'password', example: '', initial: '', max_length: 100 },
    ],
  },
  page: null,
  ...changes,
})

beforeEach(() => {
  itIs('2026-11-21T12:00:00Z')
  server.use(http.get('*/api/users/waiting/', () => HttpResponse.json({ approvals: 0 })))
})

function open(websites: WebsiteOut[], { kinds = [aKind()], at = '/websites' } = {}) {
  server.use(
    http.get('*/api/websites/', () => HttpResponse.json(websites)),
    http.get('*/api/websites/kinds/', () => HttpResponse.json(kinds)),
  )
  return show(
    <TimeZoneContext value="UTC">
      <WebsitesRoute />
    </TimeZoneContext>,
    { at, path: '/websites' },
  )
}

const row = async (name = 'Lindhof Journal') => {
  const found = (await screen.findByRole('link', { name })).closest('tr')
  if (!found) throw new Error(`${name} is in no row`)
  return found
}

describe('the list', () => {
  test('says of each site what it is, how it is and how much was written for it', async () => {
    open([
      aWebsite({ articles: 1_204, last_used_at: '2026-11-20T15:00:00Z' }),
      aWebsite({ id: 'old', name: 'Old blog', state: 'needs_reconnecting' }),
      aWebsite({ id: 'gone', name: 'Gone blog', state: null }),
    ])
    expect(await row()).toHaveTextContent(/lindhof\.example · as mara.*Connected.*1,204.*Fri 20 Nov, 15:00/)
    expect(await row('Old blog')).toHaveTextContent(/Needs a new login.*Not yet/)
    expect(await row('Gone blog')).toHaveTextContent('Disconnected')
    expect(screen.getByRole('link', { name: 'Lindhof Journal' })).toHaveAttribute('href', '/websites/website')
    expect(within(await row()).queryByRole('button', { name: 'Reconnect' })).toBeNull()
    expect(within(await row('Old blog')).getByRole('button', { name: 'Reconnect' })).toBeVisible()
  })

  test('stands under the tabs of all posts, in German too', async () => {
    await speak('de')
    open([aWebsite({ state: 'needs_reconnecting' })])
    expect(await row()).toHaveTextContent('Neue Anmeldung nötig')
    expect(screen.getByRole('link', { name: 'Websites' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('link', { name: 'Artikel' })).toHaveAttribute('href', '/posts')
  })

  test('that is empty says what a website is for, and leads to connecting one', async () => {
    const { user, address } = open([])
    expect(await screen.findByRole('heading', { name: 'No website connected yet' })).toBeVisible()
    expect(screen.getByText(/^Websites are for longer texts/)).toBeVisible()
    await user.click(screen.getAllByRole('button', { name: 'Connect website' }).at(-1) as HTMLElement)
    expect(await screen.findByRole('dialog', { name: 'Connect A blog' })).toBeVisible()
    expect(address()).toBe('/websites?connect=website')
  })

  test('that could not be loaded says so', async () => {
    server.use(http.get('*/api/websites/', () => refuse(500, 'internal')))
    show(<WebsitesRoute />)
    expect(await screen.findByText('Websites could not be loaded')).toBeVisible()
  })
})

describe('connecting', () => {
  test('sends what its form asks for, with the language of its articles', async () => {
    const sent = vi.fn()
    server.use(
      http.post('*/api/websites/connect/mastodon/', async ({ request }) => {
        sent(await request.json())
        server.use(http.get('*/api/websites/', () => HttpResponse.json([aWebsite()])))
        return HttpResponse.json(aWebsite(), { status: 201 })
      }),
    )
    const { user, address } = open([], { at: '/websites?connect=website' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Connect A blog' }))
    await user.type(dialog.getByRole('textbox', { name: 'Server' }), 'lindhof.example')
    await user.type(dialog.getByRole('textbox', { name: 'Handle' }), 'mara')
    await user.type(dialog.getByLabelText('App password'), 'abcd efgh')
    await user.click(dialog.getByRole('combobox', { name: 'Language' }))
    await user.click(await screen.findByRole('option', { name: 'German' }))
    await user.click(dialog.getByRole('button', { name: 'Connect' }))
    expect(await screen.findByText('Lindhof Journal is connected.')).toBeVisible()
    expect(sent).toHaveBeenCalledWith({
      fields: { server: 'lindhof.example', handle: 'mara', app_password: 'abcd efgh' },
      language: 'de',
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await row()).toBeVisible()
    expect(address()).toBe('/websites')
  })

  test('that is refused says why at its field, and nothing that was typed is lost', async () => {
    server.use(
      http.post('*/api/websites/connect/mastodon/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'fields.server', code: 'connect_server_unusable' }] }),
      ),
    )
    const { user } = open([], { at: '/websites?connect=website' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Connect A blog' }))
    const address = dialog.getByRole('textbox', { name: 'Server' })
    await user.type(address, 'nowhere.example')
    await user.click(dialog.getByRole('button', { name: 'Connect' }))
    expect(await dialog.findByText(/^No server of this network answers at this address/)).toBeVisible()
    expect(address).toBeInvalid()
    expect(address).toHaveValue('nowhere.example')
    // a stray key does not close it
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Connect A blog' })).toBeVisible()
  })

  test('makes a secret that is another one each time, and sends what is typed in its place', async () => {
    const sent = vi.fn()
    server.use(
      http.post('*/api/websites/connect/mastodon/', async ({ request }) => {
        sent(await request.json())
        return HttpResponse.json(aWebsite(), { status: 201 })
      }),
    )
    const secret = { name: 'secret', kind: 'new_secret', example: 'whsec_…', initial: '', max_length: 200 } as const
    const kinds = [aKind({ connection: { consent: false, settings: [], fields: [secret] } })]
    const { user } = open([], { kinds, at: '/websites' })
    const openForm = async () => {
      await user.click((await screen.findAllByRole('button', { name: 'Connect website' }))[0] as HTMLElement)
      const dialog = within(await screen.findByRole('dialog', { name: 'Connect A blog' }))
      return { dialog, field: dialog.getByRole<HTMLInputElement>('textbox', { name: 'Secret' }) }
    }
    const first = await openForm()
    const made = first.field.value
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await user.click(first.dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const { dialog, field } = await openForm()
    expect(field.value).toMatch(/^whsec_/)
    expect(field.value).not.toBe(made)
    await user.clear(field)
    await user.type(field, 'whsec_own')
    await user.click(dialog.getByRole('button', { name: 'Connect' }))
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ fields: { secret: 'whsec_own' }, language: 'en' }))
  })

  test.each([
    ['en', 'wordpress', 'Application password'],
    ['de', 'wordpress', 'Anwendungspasswort'],
    ['de', 'bluesky', 'App-Passwort'],
  ] as const)('calls the password as its kind does: %s, %s', async (language, kind, label) => {
    await speak(language)
    open([], { kinds: [aKind({ kind })], at: '/websites?connect=website' })
    expect(await screen.findByLabelText(label)).toBeVisible()
  })

  test('asks which kind of site it is where there are several', async () => {
    const { user } = open([], {
      kinds: [aKind(), aKind({ kind: 'bluesky', label: 'A shop', configured: false })],
      at: '/websites?connect=website',
    })
    const dialog = within(await screen.findByRole('dialog', { name: 'Connect a website' }))
    expect(await dialog.findByRole('button', { name: /A shop/ })).toBeDisabled()
    expect(dialog.getByText('Not set up on this server. Set BLOG_KEY.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: /A blog/ }))
    expect(await screen.findByRole('textbox', { name: 'Server' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Another kind' }))
    expect(await screen.findByRole('button', { name: /A blog/ })).toBeVisible()
  })

  test('again begins with what is known of the site', async () => {
    const { user } = open([aWebsite({ state: 'needs_reconnecting', form: { server: 'lindhof.example', handle: 'mara' } })])
    await user.click(within(await row()).getByRole('button', { name: 'Reconnect' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reconnect Lindhof Journal' }))
    expect(await dialog.findByRole('textbox', { name: 'Server' })).toHaveValue('lindhof.example')
    expect(dialog.queryByRole('combobox', { name: 'Language' })).toBeNull()
  })
})

async function choose(websites: WebsiteOut[], item: string) {
  const shown = open(websites)
  await shown.user.click(await screen.findByRole('button', { name: 'More actions for Lindhof Journal' }))
  await shown.user.click(await screen.findByRole('menuitem', { name: item }))
  return shown
}

describe('a website', () => {
  test('is renamed', async () => {
    const sent = vi.fn()
    server.use(
      http.put('*/api/websites/website/', async ({ request }) => {
        sent(await request.json())
        return HttpResponse.json(aWebsite({ name: 'Journal', version: 2 }))
      }),
    )
    const { user } = await choose([aWebsite()], 'Rename or change language')
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Lindhof Journal' }))
    await user.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Journal')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ name: 'Journal', language: 'en', version: 1 }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('that was changed elsewhere meanwhile keeps what is typed here', async () => {
    const versions: unknown[] = []
    server.use(
      http.put('*/api/websites/website/', async ({ request }) => {
        versions.push(await request.json())
        if (versions.length > 1) return HttpResponse.json(aWebsite({ version: 3 }))
        server.use(http.get('*/api/websites/', () => HttpResponse.json([aWebsite({ language: 'de', version: 2 })])))
        return refuse(409, 'stale_version')
      }),
    )
    const { user } = await choose([aWebsite()], 'Rename or change language')
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), ' 2')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(/^The website was changed elsewhere in the meantime/)).toBeVisible()
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Lindhof Journal 2')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(versions[1]).toEqual({ name: 'Lindhof Journal 2', language: 'de', version: 2 }))
  })

  test('is checked as an account is', async () => {
    server.use(
      http.post('*/api/accounts/account/check/', () => HttpResponse.json([{ point: 'access', result: 'fine', error: null }])),
    )
    await choose([aWebsite()], 'Check website')
    const dialog = within(await screen.findByRole('dialog', { name: 'Check Lindhof Journal' }))
    expect(await dialog.findByText('OK')).toBeVisible()
  })

  test('whose access has ended is reconnected from there', async () => {
    const error = { field: '', code: 'delivery_needs_reconnect', params: {} }
    server.use(http.post('*/api/accounts/account/check/', () => HttpResponse.json([{ point: 'access', result: 'broken', error }])))
    const { user } = await choose([aWebsite()], 'Check website')
    const dialog = within(await screen.findByRole('dialog', { name: 'Check Lindhof Journal' }))
    await user.click(await dialog.findByRole('button', { name: 'Reconnect' }))
    expect(await screen.findByRole('dialog', { name: 'Reconnect Lindhof Journal' })).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Check Lindhof Journal' })).toBeNull())
  })

  test('says in which zone readers see its times, and that nothing is wrong with that', async () => {
    const error = { field: '', code: 'site_zone_differs', params: { zone: 'UTC+00:00', yours: 'Europe/Berlin' } }
    server.use(http.post('*/api/accounts/account/check/', () => HttpResponse.json([{ point: 'clock', result: 'fine', error }])))
    await choose([aWebsite()], 'Check website')
    const dialog = within(await screen.findByRole('dialog', { name: 'Check Lindhof Journal' }))
    expect(await dialog.findByText('Clock and time zone')).toBeVisible()
    expect(dialog.getByText(/^The website shows times in UTC\+00:00, but you plan in Europe\/Berlin\./)).toBeVisible()
    expect(dialog.getByText('OK')).toBeVisible()
  })

  test.each([
    [0, 'The website has no articles here.'],
    [1, 'The website’s article is kept, here and on the website.'],
    [12, '12 articles are kept, here and on the website.'],
  ])('with %i articles is removed once that is confirmed, and says what stays', async (articles, text) => {
    server.use(
      http.delete('*/api/websites/website/', () => {
        server.use(http.get('*/api/websites/', () => HttpResponse.json([])))
        return HttpResponse.json({ access: 'refused' })
      }),
    )
    const { user } = await choose([aWebsite({ articles })], 'Remove')
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove Lindhof Journal?' }))
    expect(dialog.getByText(new RegExp(text))).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Remove website' }))
    expect(await screen.findByText(/^Lindhof Journal was removed\. The website did not revoke the access/)).toBeVisible()
    expect(await screen.findByRole('heading', { name: 'No website connected yet' })).toBeVisible()
  })
})

const aFeed = (changes: Partial<WebsiteOut> = {}) =>
  aWebsite({
    url: 'https://post.example/feeds/journal/',
    handle: '',
    feed: {
      rss_url: 'https://post.example/feeds/journal/rss.xml',
      json_url: 'https://post.example/feeds/journal/feed.json',
      description: 'Looms',
      author: '',
      indexed: true,
    },
    ...changes,
  })

const hostedFeed = aKind({
  kind: 'hosted_feed',
  label: 'A feed',
  served_here: true,
  connection: {
    consent: false,
    settings: [],
    fields: [
      { name: 'site_name', kind: 'text', example: 'Notes from the garden', initial: '', max_length: 120 },
      { name: 'address', kind: 'text', example: 'garden-notes', initial: '', max_length: 60 },
    ],
  },
})

describe('a website that is served here', () => {
  test('says what its address becomes while that is typed, in German with German examples', async () => {
    await speak('de')
    const { user } = open([], { kinds: [hostedFeed], at: '/websites?connect=website' })
    const dialog = within(await screen.findByRole('dialog', { name: 'A feed verbinden' }))
    const address = dialog.getByRole('textbox', { name: 'Adresse' })
    expect(address).toHaveAttribute('placeholder', 'garten-notizen')
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveAttribute('placeholder', 'Notizen aus dem Garten')
    expect(dialog.queryByRole('status')).toBeNull()
    await user.type(address, 'Gärten & Höfe!')
    expect(dialog.getByRole('status')).toHaveTextContent('Wird zu /feeds/gaerten-hoefe/')
    await user.clear(address)
    await user.type(address, '!?')
    expect(dialog.getByRole('status')).toHaveTextContent(/^Dieser Name enthält weder Buchstaben/)
  })

  test('is refused at its field where another of one’s own has the address', async () => {
    server.use(
      http.post('*/api/websites/connect/hosted_feed/', () =>
        refuse(422, 'invalid_input', {
          errors: [{ field: 'fields.address', code: 'connect_address_own', params: { name: 'Lindhof Journal' } }],
        }),
      ),
    )
    const { user } = open([], { kinds: [hostedFeed], at: '/websites?connect=website' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Connect A feed' }))
    await user.type(dialog.getByRole('textbox', { name: 'Address' }), 'journal')
    await user.click(dialog.getByRole('button', { name: 'Connect' }))
    expect(await dialog.findByText('Your website “Lindhof Journal” already uses this address. Choose another one.')).toBeVisible()
    expect(dialog.getByRole('textbox', { name: 'Address' })).toBeInvalid()
  })

  test('keeps its address when it is connected once more, and says which one is meant', async () => {
    const sent = vi.fn()
    server.use(
      http.post('*/api/websites/connect/hosted_feed/', async ({ request }) => {
        sent(await request.json())
        return HttpResponse.json(aFeed(), { status: 201 })
      }),
    )
    const site = aFeed({ kind: 'hosted_feed', form: { site_name: 'Lindhof Journal', address: 'journal' } })
    const { user } = open([site], { kinds: [hostedFeed] })
    await user.click(await screen.findByRole('button', { name: 'More actions for Lindhof Journal' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Reconnect' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reconnect Lindhof Journal' }))
    expect(await dialog.findByRole('textbox', { name: 'Address' })).toHaveAttribute('readonly')
    await user.click(dialog.getByRole('button', { name: 'Reconnect' }))
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith({
        fields: { site_name: 'Lindhof Journal', address: 'journal' },
        language: 'en',
        website_id: 'website',
      }),
    )
  })

  test('is connected without a site of one’s own', async () => {
    open([], { kinds: [aKind(), aKind({ kind: 'hosted_feed', label: 'A feed', served_here: true })], at: '/websites?connect=website' })
    expect(await screen.findByRole('button', { name: /A feed.*No website needed/ })).toBeVisible()
  })

  test('has settings for what its readers are told', async () => {
    const sent = vi.fn()
    server.use(
      http.put('*/api/websites/website/', async ({ request }) => {
        sent(await request.json())
        return refuse(422, 'invalid_input', { errors: [{ field: 'feed.author', code: 'content_too_long', params: { length: 121, limit: 120 } }] })
      }),
    )
    const { user } = await choose([aFeed()], 'Change settings')
    const dialog = within(await screen.findByRole('dialog', { name: 'Change Lindhof Journal' }))
    await user.type(dialog.getByRole('textbox', { name: 'Description' }), ' and threads')
    await user.type(dialog.getByRole('textbox', { name: 'Author' }), 'Mara')
    await user.click(dialog.getByRole('switch', { name: 'Allow search engines to list the website' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent).toHaveBeenCalledWith({
        name: 'Lindhof Journal',
        language: 'en',
        version: 1,
        feed: { description: 'Looms and threads', author: 'Mara', indexed: false },
      }),
    )
    await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Author' })).toBeInvalid())
  })

  test.each([
    [0, 'The pages and feeds are deleted immediately'],
    [1, 'The article is kept here'],
    [12, 'The 12 articles are kept here'],
  ])('with %i articles says what its removal takes away', async (articles, text) => {
    await choose([aFeed({ articles })], 'Remove')
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove Lindhof Journal?' }))
    expect(dialog.getByText(new RegExp(text))).toBeVisible()
    expect(dialog.queryByText(/on the website/)).toBeNull()
  })
})

test('one that an assistant writes for says who, and is not removed', async () => {
  const removed = vi.fn(() => HttpResponse.json({ access: null }))
  server.use(http.delete('*/api/websites/website/', removed))
  const assistant = { id: 'assistant', name: 'Journal', active: true, topic_tree_id: 'tree' }
  const { user } = await choose([aWebsite({ assistant })], 'Remove')
  const dialog = within(await screen.findByRole('dialog', { name: 'Lindhof Journal is in use' }))
  expect(dialog.getByText(/^The assistant “Journal” writes for this website\./)).toBeVisible()
  expect(dialog.getByRole('link', { name: 'Open assistant' })).toHaveAttribute('href', '/assistants/assistant')
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(removed).not.toHaveBeenCalled()
})

test('one that an assistant has taken since is not removed either', async () => {
  server.use(http.delete('*/api/websites/website/', () => refuse(409, 'in_use', { params: { by: 'Journal' } })))
  const { user } = await choose([aWebsite()], 'Remove')
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove website' }))
  expect(within(await screen.findByRole('dialog', { name: 'Lindhof Journal is in use' })).getByText(/^The assistant “Journal” writes/)).toBeVisible()
})

describe('the page of a website', () => {
  const openOne = (website: WebsiteOut) => {
    server.use(
      http.get('*/api/websites/', () => HttpResponse.json([website])),
      http.get('*/api/websites/website/', () => HttpResponse.json(website)),
      http.get('*/api/websites/kinds/', () => HttpResponse.json([aKind()])),
      http.get('*/api/articles/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })),
    )
    return show(
      <TimeZoneContext value="UTC">
        <WebsiteRoute />
      </TimeZoneContext>,
      { at: '/websites/website', path: '/websites/:websiteId' },
    )
  }

  test('has its address, its state and what was written for it', async () => {
    openOne(aWebsite())
    expect(await screen.findByRole('heading', { level: 1, name: 'Lindhof Journal' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'lindhof.example' })).toHaveAttribute('href', 'https://www.lindhof.example/')
    expect(screen.getByRole('button', { name: 'Check' })).toBeVisible()
    expect(await screen.findByText('This website has no articles yet.')).toBeVisible()
    for (const link of screen.getAllByRole('link', { name: 'New article' })) expect(link).toHaveAttribute('href', '/posts?new=website')
  })

  test('closes what was opened for it when another one follows', async () => {
    const other = aWebsite({ id: 'other', name: 'Old blog' })
    server.use(http.get('*/api/websites/other/', () => HttpResponse.json(other)))
    const { user, router, queryClient } = openOne(aWebsite())
    queryClient.setQueryData(websiteQuery('other').queryKey, other)
    await user.click(await screen.findByRole('button', { name: 'More actions for Lindhof Journal' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Rename or change language' }))
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Lindhof Journal')
    await act(() => router.navigate('/websites/other'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Old blog', hidden: true })).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull())
  })

  test('leads to an assistant that writes for it, where there is none', async () => {
    openOne(aWebsite())
    expect(await screen.findByRole('link', { name: 'Let an assistant write' })).toHaveAttribute('href', '/assistants?new&website=website')
  })

  test('says who writes for it and when next, and pauses and resumes that', async () => {
    const assistant = anAssistant({ name: 'Journal', website: { id: 'website', name: 'Lindhof Journal' }, topic_tree_name: 'Cycling' })
    const paused = anAssistant({ ...assistant, pause: { reason: null, since: '2026-11-21T12:00:00Z', until: null } })
    let now = assistant
    server.use(
      http.get('*/api/assistants/assistant/live/', () => HttpResponse.json(aLive({ assistant: now, now: '2026-11-21T12:00:00Z' }))),
      http.post('*/api/assistants/assistant/pause/', () => {
        now = paused
        return HttpResponse.json({ assistant: paused, confirmed: true })
      }),
      http.post('*/api/assistants/assistant/resume/', () => {
        now = assistant
        return HttpResponse.json({ assistant, confirmed: true })
      }),
    )
    const { user } = openOne(aWebsite({ assistant: { id: 'assistant', name: 'Journal', active: true, topic_tree_id: 'tree' } }))
    expect(await screen.findByText('Next article tomorrow at 9:00')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Journal' })).toHaveAttribute('href', '/assistants/assistant')
    expect(screen.getByRole('link', { name: 'Topics: Cycling' })).toHaveAttribute('href', '/websites/website/topics')
    await user.click(screen.getByRole('button', { name: 'Pause Journal' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Until I resume' }))
    await user.click(await screen.findByRole('button', { name: 'Resume' }))
    expect(await screen.findByText('Next article tomorrow at 9:00')).toBeVisible()
  })

  test('that takes nothing any more says so over all else, and connects it again', async () => {
    const { user } = openOne(aWebsite({ state: 'needs_reconnecting' }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('This website accepts no articles at the moment.')
    await user.click(within(alert).getByRole('button', { name: 'Reconnect' }))
    expect(await screen.findByRole('dialog', { name: 'Reconnect Lindhof Journal' })).toBeVisible()
  })

  test('that is served here has the addresses for its readers', async () => {
    const { user } = openOne(aFeed({ feed: { ...(aFeed().feed as NonNullable<WebsiteOut['feed']>), indexed: false } }))
    const readers = within(await screen.findByRole('region', { name: 'For your readers' }))
    expect(readers.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      'https://post.example/feeds/journal/',
      'https://post.example/feeds/journal/rss.xml',
      'https://post.example/feeds/journal/feed.json',
    ])
    expect(readers.getByText(/Search engines are asked not to list the website/)).toBeVisible()
    const write = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(readers.getByRole('button', { name: 'Copy RSS address' }))
    expect(await readers.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(write).toHaveBeenCalledWith('https://post.example/feeds/journal/rss.xml')
  })

  test('of one that is not there says that', async () => {
    server.use(http.get('*/api/websites/website/', () => refuse(404, 'not_found')))
    show(<WebsiteRoute />, { at: '/websites/website', path: '/websites/:websiteId' })
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  })
})
