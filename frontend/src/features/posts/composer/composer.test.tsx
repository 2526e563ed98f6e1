import { onlineManager, useQuery, type QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ComposeIn, EditIn, FitOut, PostOut, LinkPlace } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { held, refuse } from '@/test/answers'
import { aDelivery, aFile, anAccount, anImage, aPost } from '@/test/made'
import { newQueryClient, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { postQuery } from '@/features/posts/api'
import { Composer } from './composer'

const server = startServer()
const mara = anAccount({ id: 'mara', name: 'Mara Lind' })
const jonas = anAccount({ id: 'jonas', name: 'Jonas Weber' })
const limits = { max_characters: 20, max_images: 9, needs_image: false }
const waiting = aDelivery({ state: 'pending', called_at: null, settled_at: null })

let fits: FitOut[]
/** What the server was sent, in its order. */
let sent: { method: string; path: string; body: unknown }[]
let version: number

const saved = (body: Partial<ComposeIn>, changes: Partial<PostOut> = {}) =>
  aPost({
    id: 'made',
    source: 'person',
    status: 'draft',
    deliveries: [],
    approval: null,
    content: body.content ?? '',
    account_ids: body.account_ids ?? [],
    // as the server does: none that says the same as the common text
    variants: (body.variants ?? [])
      .filter(({ content }) => content !== body.content)
      .map((one) => ({ ...one, account_id: one.account_id ?? null })),
    files: [],
    first_comment: body.first_comment ?? '',
    link: body.link ? { title: '', description: '', ...body.link } : null,
    tags: body.tags ?? [],
    planned_at: body.planned_at ?? null,
    time_zone: body.time_zone ?? 'UTC',
    version: (version += 1),
    ...changes,
  })

beforeEach(() => {
  fits = []
  sent = []
  version = 0
  const keep = async (request: Request) => {
    const body = (await request.json()) as never
    sent.push({ method: request.method, path: new URL(request.url).pathname, body })
    return body as ComposeIn & EditIn
  }
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([mara, jonas])),
    http.get('*/api/channels/', () => HttpResponse.json([{ kind: 'linkedin', limits }])),
    http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
    http.get('*/api/calendar/free/', () => HttpResponse.json({ moments: ['2031-03-01T11:30:00Z', '2031-03-02T16:00:00Z'] })),
    http.post('*/api/social-media-posts/fit/', () => HttpResponse.json(fits)),
    http.post('*/api/social-media-posts/', async ({ request }) => HttpResponse.json(saved(await keep(request)), { status: 201 })),
    http.put('*/api/social-media-posts/:id/', async ({ request }) =>
      HttpResponse.json({ post: saved(await keep(request)), confirmed: true }),
    ),
    http.post('*/api/social-media-posts/:id/publish/', async ({ request }) =>
      HttpResponse.json({ post: saved(await keep(request), { status: 'complete' }), confirmed: true }),
    ),
  )
})

/** As the page has it: what was created has an address, to which it leads. */
function Page({ post, at, onCreated }: { post: PostOut | undefined; at: Date | undefined; onCreated: (id: string) => Promise<void> | void }) {
  const [id, setId] = useState('')
  const { data: created } = useQuery({ ...postQuery(id), enabled: false })
  const lead = async (created: string) => {
    await onCreated(created)
    setId(created)
  }
  return <Composer post={post ?? created} at={at} onCreated={(created) => void lead(created)} cover={() => null} images={() => null} />
}

function open(post?: PostOut, at?: Date, queryClient?: QueryClient) {
  const onCreated = vi.fn<(id: string) => Promise<void> | void>()
  const view = show(
    <TimeZoneContext value="Europe/Berlin">
      <Page post={post} at={at} onCreated={onCreated} />
    </TimeZoneContext>,
    { at: '/social-media-posts?compose=new', ...(queryClient && { queryClient }) },
  )
  return { ...view, onCreated }
}

type User = ReturnType<typeof open>['user']

const text = () => screen.getByRole('textbox', { name: 'Text for all channels' })
const button = (name: string) => screen.getAllByRole('button', { name })[0] as HTMLElement
const last = () => sent.at(-1)

async function choose(user: User, name: string) {
  await user.click(await screen.findByRole('button', { name: 'Add account' }))
  await user.click(await screen.findByRole('menuitem', { name: new RegExp(name) }))
}

test('a first comment is offered where a network has one, counted, shown below the post and saved with it', async () => {
  server.use(http.get('*/api/channels/', () => HttpResponse.json([{ kind: 'linkedin', limits: { ...limits, max_first_comment: 12 } }])))
  const { user } = open()
  await user.type(text(), 'Rain helps.')
  expect(screen.queryByRole('textbox', { name: /First comment/ })).toBeNull()
  await choose(user, 'Mara Lind')
  const field = await screen.findByRole('textbox', { name: /First comment/ })
  expect(field).toHaveAccessibleDescription('Posted right after the post, on LinkedIn.')
  await user.type(field, 'More: a.test/b')
  expect(screen.getByText('14 / 12')).toHaveAttribute('data-over')
  const preview = within(screen.getByRole('region', { name: 'Preview' }))
  expect(await preview.findByText((_, element) => element?.className === 'pv-comment' && element.textContent === 'Mara Lind More: a.test/b')).toBeVisible()
  await waitFor(() => expect(last()?.body).toMatchObject({ first_comment: 'More: a.test/b' }))
})

/** Why the server's app may publish no first comments. */
const refusal = {
  field: 'first_comment',
  code: 'first_comment_not_granted',
  params: { network: 'LinkedIn', scope: 'w_member_social_feed', product: 'Community Management API', setting: 'LINKEDIN_SCOPES' },
} as const

test('a first comment that the app may not publish cannot be typed, and the field says who can allow it', async () => {
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([{ ...mara, first_comment_error: refusal }])),
    http.get('*/api/channels/', () => HttpResponse.json([{ kind: 'linkedin', limits: { ...limits, max_first_comment: 12 } }])),
  )
  open() // the only account is chosen
  const field = await screen.findByRole('textbox', { name: /First comment/ })
  expect(field).toBeDisabled()
  expect(field).toHaveAccessibleDescription(/^Postloom may not publish first comments on LinkedIn\. The server’s operator has to allow it; then reconnect the account\.$/)
})

test('a first comment that one of two accounts can have is written, and the field says where it is copied', async () => {
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([{ ...mara, first_comment_error: refusal }, { ...jonas, kind: 'facebook' }])),
    http.get('*/api/channels/', () =>
      HttpResponse.json(['linkedin', 'facebook'].map((kind) => ({ kind, limits: { ...limits, max_first_comment: 90 } }))),
    ),
  )
  const { user } = open()
  await choose(user, 'Mara Lind')
  await choose(user, 'Jonas Weber')
  const field = screen.getByRole('textbox', { name: /First comment/ })
  expect(field).toHaveAccessibleDescription('Posted right after the post, on Facebook. Not on LinkedIn: add it there yourself after publishing.')
  await user.type(field, 'More')
  const comments = () => [...screen.getByRole('region', { name: 'Preview' }).querySelectorAll('.pv-comment')].map(({ textContent }) => textContent)
  await waitFor(() => expect(comments()).toEqual(['Jonas Weber More']))
})

test('a mention with a URN is previewed by its name', async () => {
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.click(text())
  await user.paste('Thanks, @[Lind Coffee](urn:li:organization:7)!')
  const preview = within(screen.getByRole('region', { name: 'Preview' }))
  expect(await preview.findByText(/^Thanks, Lind Coffee!/)).toBeVisible()
})

test('an image of the library brings the alt text that it has there', async () => {
  server.use(http.get('*/api/media/m/', () => HttpResponse.json({ ...anImage({ id: 'm', alt: 'A street' }), uses: [] })))
  const add = ({ onAdd }: { onAdd: (id: string) => void }) => (
    <button type="button" onClick={() => onAdd('m')}>
      Choose it
    </button>
  )
  const { user } = show(<Composer post={undefined} onCreated={vi.fn()} cover={() => null} images={add} />, { at: '/social-media-posts?compose=new' })
  await user.click(await screen.findByRole('button', { name: 'Choose it' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Alt text' })).toHaveValue('A street'))
  await waitFor(() => expect(last()?.body).toMatchObject({ files: [{ media_id: 'm', alt: 'A street' }] }))
})

/** LinkedIn, with what becomes of a link there. */
const withLinks = (link: LinkPlace, card_images = 0) =>
  server.use(http.get('*/api/channels/', () => HttpResponse.json([{ kind: 'linkedin', limits: { ...limits, link, card_images } }])))

test('a link is added by a button, shown as its card, and saved with the post', async () => {
  withLinks('card', 1)
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Rain helps.')
  await user.click(button('Add link'))
  const address = await screen.findByRole('textbox', { name: 'Address of the link' })
  expect(address).toHaveFocus()
  await user.type(address, 'blog.example/rain')
  await user.type(screen.getByRole('textbox', { name: 'Title of the card' }), 'Riding in rain')
  expect(address, 'https is added').toHaveValue('https://blog.example/rain')
  await user.type(screen.getByRole('textbox', { name: /Description of the card/ }), 'What to wear')
  expect(screen.getByText('LinkedIn: a card with title, description and the first image.')).toBeVisible()
  const preview = within(screen.getByRole('region', { name: 'Preview' }))
  expect(await preview.findByText('Riding in rain')).toBeVisible()
  expect(preview.getByText('blog.example')).toBeVisible()
  const link = { url: 'https://blog.example/rain', title: 'Riding in rain', description: 'What to wear' }
  await waitFor(() => expect(last()?.body).toMatchObject({ content: 'Rain helps.', link }))

  await user.click(button('Remove link'))
  expect(button('Add link')).toHaveFocus()
  await waitFor(() => expect(last()?.body).toMatchObject({ link: null }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('textbox', { name: 'Title of the card' })).toHaveValue('Riding in rain')
})

test('where the network has no card, the address is below the text and counts', async () => {
  withLinks('below')
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Rain.')
  await user.click(button('Add link'))
  await user.type(await screen.findByRole('textbox', { name: 'Address of the link' }), 'https://a.example')
  const preview = within(screen.getByRole('region', { name: 'Preview' }))
  expect(await preview.findByText(/Rain\.\s+https:\/\/a\.example/)).toBeVisible()
  expect(screen.getByText(/^24 \/ /)).toBeVisible()
})

test('half an address is not sent, and said where somebody wants to save it', async () => {
  const { user } = open()
  await user.type(text(), 'Rain.')
  await user.click(button('Add link'))
  const address = await screen.findByRole('textbox', { name: 'Address of the link' })
  await user.type(address, 'half')
  await user.click(button('Save draft'))
  expect(address).toHaveAccessibleDescription(/not an address of a web page/)
  await waitFor(() => expect(address).toHaveFocus())
  expect(sent).toEqual([])
})

test.each(['not a link', 'ftp://files.example'])('%s as an address is told as soon as it is left', async (typed) => {
  const { user } = open(onItsWay)
  await user.click(button('Add link'))
  const address = await screen.findByRole('textbox', { name: 'Address of the link' })
  await user.type(address, typed)
  expect(address).not.toHaveAccessibleDescription(/not an address of a web page/)
  await user.tab()
  expect(address).toHaveAccessibleDescription(/not an address of a web page/)
})

test('what keeps a draft from saving itself is told, and it goes on once that is mended', async () => {
  const { user } = open(draft)
  await user.click(button('Add link'))
  const address = await screen.findByRole('textbox', { name: 'Address of the link' })
  await user.type(address, 'half')
  expect(await screen.findByText(/^Not saved yet: This is not an address/)).toBeVisible()
  expect(address).toHaveAccessibleDescription(/not an address of a web page/)
  expect(address).toHaveFocus()
  expect(sent).toEqual([])
  await user.type(address, '.example')
  expect(address).not.toHaveAccessibleDescription(/not an address of a web page/)
  await waitFor(() => expect(last()?.body).toMatchObject({ link: { url: 'half.example' } }))
})

test('what each network says of the rest stays while the server does not take the address', async () => {
  withLinks('card')
  const { user } = open(aPost({ id: 'made', source: 'person', status: 'draft', deliveries: [], approval: null, account_ids: ['mara'], files: [] }))
  server.use(
    http.post('*/api/social-media-posts/fit/', async ({ request }) => {
      const { link } = (await request.json()) as { link: unknown }
      if (link) return refuse(422, 'invalid_input', { errors: [{ field: 'link.url', code: 'invalid_input' }] })
      return HttpResponse.json([{ account_id: 'mara', length: 4, limit: 3_000, problems: [] }])
    }),
  )
  await user.click(button('Add link'))
  await user.type(await screen.findByRole('textbox', { name: 'Address of the link' }), 'https://a.example')
  const stage = within(screen.getByRole('region', { name: 'Preview' }))
  expect(await stage.findByText('All rules met')).toBeVisible()
  await waitFor(() => expect(stage.queryByText('a.example')).toBeNull())
  expect(stage.getByRole('article')).toBeVisible()
})

test('an address that is pasted alone becomes the link, and the text by one press', async () => {
  const { user } = open()
  await user.click(text())
  await user.paste('https://blog.example/rain')
  expect(await screen.findByRole('textbox', { name: 'Address of the link' })).toHaveValue('https://blog.example/rain')
  expect(text()).toHaveValue('')
  await user.click(await screen.findByRole('button', { name: 'Move link into the text' }))
  expect(text()).toHaveValue('https://blog.example/rain')
  expect(button('Add link')).toBeVisible()
})

test('what was typed since stays apart from an address that is put into the text', async () => {
  const { user } = open()
  await user.click(text())
  await user.paste('https://blog.example/rain')
  await user.type(text(), 'Look here')
  await user.click(await screen.findByRole('button', { name: 'Move link into the text' }))
  expect(text()).toHaveValue('Look here https://blog.example/rain')
})

test('an address goes into the text that it was pasted into', async () => {
  const variants = [{ channel: 'linkedin' as const, account_id: 'mara', content: '' }]
  const { user } = open(aPost({ id: 'made', source: 'person', status: 'draft', deliveries: [], approval: null, content: 'For all', account_ids: ['mara'], variants, files: [] }))
  await user.click(await screen.findByRole('tab', { name: 'Custom text for Mara Lind (LinkedIn)' }))
  const own = screen.getByRole('textbox', { name: 'Custom text for Mara Lind (LinkedIn)' })
  await user.click(own)
  await user.paste('https://blog.example/rain')
  await user.type(own, 'Mine:\n')
  await user.click(await screen.findByRole('button', { name: 'Move link into the text' }))
  expect(own).toHaveValue('Mine:\nhttps://blog.example/rain')
})

test('where no network has one, none is offered', async () => {
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Rain helps.')
  await waitFor(() => expect(last()?.body).toMatchObject({ first_comment: '' }))
  expect(screen.queryByRole('textbox', { name: /First comment/ })).toBeNull()
})

test('a time that nothing is planned around is taken by a click', async () => {
  const { user } = open()
  const moments = await screen.findByRole('group', { name: 'Free times:' })
  const [first] = within(moments).getAllByRole('button')
  expect(first).toHaveTextContent(/1 Mar.*12:30/)
  await user.click(first as HTMLElement)
  expect(screen.getByLabelText(/Date and time/)).toHaveValue('2031-03-01T12:30')
  expect(first).toHaveAttribute('aria-pressed', 'true')
})

test('a draft saves itself while it is written, as one post', async () => {
  const { user, onCreated } = open()
  await user.type(text(), 'Rain')
  await waitFor(() => expect(onCreated).toHaveBeenCalledOnce())
  expect(last()).toMatchObject({ method: 'POST', body: { content: 'Rain', planned_at: null, time_zone: 'Europe/Berlin' } })
  expect(await screen.findByText(/^Draft saved at/)).toBeVisible()
  await user.type(text(), ' again')
  await waitFor(() => expect(last()).toMatchObject({ method: 'PUT', body: { content: 'Rain again', version: 1 } }))
  expect((last()?.path ?? '').includes((sent[0]?.body as ComposeIn).id)).toBe(true)
})

test('a new draft is not said to be saved before its address is its own: loaded anew, the page would be empty', async () => {
  const { user, onCreated } = open()
  const address = held()
  onCreated.mockReturnValue(address.until)
  await user.type(text(), 'Rain')
  await waitFor(() => expect(onCreated).toHaveBeenCalledOnce())
  expect(await screen.findByText('Saving…')).toBeVisible()
  expect(screen.queryByText(/^Draft saved at/)).toBeNull()
  address.letGo()
  expect(await screen.findByText(/^Draft saved at/)).toBeVisible()
})

test('an account gets a text of its own, which begins as the one for all and can be taken back', async () => {
  const { user } = open()
  await choose(user, 'Mara Lind')
  await choose(user, 'Jonas Weber')
  await user.type(text(), 'For all')
  await user.click(screen.getByRole('button', { name: 'Custom text' }))
  await user.click(await screen.findByRole('menuitem', { name: /Jonas Weber/ }))
  const own = screen.getByRole('textbox', { name: 'Custom text for Jonas Weber (LinkedIn)' })
  expect(own).toHaveValue('For all')
  expect(screen.getByText('This text is still the same as the text for all channels.')).toBeVisible()
  await user.type(own, ', says Jonas')
  expect(screen.queryByText('This text is still the same as the text for all channels.')).toBeNull()
  const shown = within(screen.getByRole('region', { name: 'Preview' })).getAllByRole('article')
  await waitFor(() => {
    expect(shown[0]).toHaveTextContent('For all')
    expect(shown[1]).toHaveTextContent('For all, says Jonas')
  })
  await user.click(screen.getByRole('button', { name: 'Remove custom text' }))
  await waitFor(() => expect(shown[1]).not.toHaveTextContent('says Jonas'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(shown[1]).toHaveTextContent('says Jonas'))
})

test('accounts of one name are told apart by their network', async () => {
  const kinds = ['bluesky', 'mastodon'] as const
  server.use(http.get('*/api/accounts/', () => HttpResponse.json(kinds.map((kind) => ({ ...mara, id: kind, kind })))))
  const variants = kinds.map((channel) => ({ channel, account_id: channel, content: `On ${channel}` }))
  const { user } = open(aPost({ id: 'made', source: 'person', status: 'draft', deliveries: [], approval: null, account_ids: [...kinds], variants, files: [] }))
  const tab = await screen.findByRole('tab', { name: 'Custom text for Mara Lind (Mastodon)' })
  expect(within(tab).getByRole('img', { name: 'Mastodon' })).toBeVisible()
  await user.click(tab)
  expect(screen.getByRole('textbox', { name: 'Custom text for Mara Lind (Mastodon)' })).toHaveValue('On mastodon')
  await user.click(screen.getByRole('button', { name: 'Remove custom text' }))
  expect(await screen.findByText('Mara Lind (Mastodon) gets the text for all channels again.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove Mara Lind (Bluesky)' }))
  expect(screen.queryByRole('tab', { name: 'Custom text for Mara Lind (Bluesky)' })).toBeNull()
})

test('a text of its own that still says the same keeps its tab when the draft saves itself', async () => {
  const { user } = open()
  await choose(user, 'Mara Lind')
  await choose(user, 'Jonas Weber')
  await user.type(text(), 'For all')
  await user.click(screen.getByRole('button', { name: 'Custom text' }))
  await user.click(await screen.findByRole('menuitem', { name: /Jonas Weber/ }))
  await waitFor(() => expect(last()?.body).toMatchObject({ content: 'For all', variants: [{ account_id: 'jonas' }] }))
  expect(await screen.findByText(/^Draft saved at/)).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Custom text for Jonas Weber (LinkedIn)' })).toHaveAttribute('aria-selected', 'true')
  await user.type(screen.getByRole('textbox', { name: 'Custom text for Jonas Weber (LinkedIn)' }), ', says Jonas')
  await waitFor(() => expect(last()?.body).toMatchObject({ variants: [{ content: 'For all, says Jonas' }] }))
})

test('an image of the library brings its alt text, which can be changed', async () => {
  server.use(
    http.get('*/api/media/:id/', ({ params }) =>
      HttpResponse.json({ ...anImage({ id: String(params.id), alt: 'Rain on a road', url: '/rain.jpg' }), uses: [] }),
    ),
  )
  const { user } = show(
    <TimeZoneContext value="Europe/Berlin">
      <Composer at={undefined} onCreated={vi.fn()} cover={() => null} images={({ onChange }) => <button type="button" onClick={() => onChange(['rain'])}>Take it</button>} />
    </TimeZoneContext>,
  )
  await user.click(await screen.findByRole('button', { name: 'Take it' }))
  const alt = screen.getByRole('textbox', { name: 'Alt text' })
  await waitFor(() => expect(alt).toHaveValue('Rain on a road'))
  await user.type(alt, ' at night')
  await waitFor(() => expect(last()?.body).toMatchObject({ files: [{ media_id: 'rain', alt: 'Rain on a road at night' }] }))
})

test('a text of its own has no tab while nobody gets it, and is kept for when its account comes back', async () => {
  const variants = [{ channel: 'linkedin' as const, account_id: 'jonas', content: 'Says Jonas' }]
  const { user } = open(aPost({ id: 'made', source: 'person', status: 'draft', deliveries: [], approval: null, content: 'For all', account_ids: ['mara', 'jonas'], variants, files: [] }))
  const tab = () => screen.queryByRole('tab', { name: 'Custom text for Jonas Weber (LinkedIn)' })
  await waitFor(() => expect(tab()).toBeVisible())
  await user.click(tab() as HTMLElement)
  await user.click(screen.getByRole('button', { name: 'Remove Jonas Weber (LinkedIn)' }))
  expect(tab()).toBeNull()
  expect(text()).toHaveValue('For all')
  await waitFor(() => expect(sent.at(-1)?.body).toMatchObject({ account_ids: ['mara'], variants }))
  await choose(user, 'Jonas Weber')
  expect(tab()).toBeVisible()
})

test('what the server says to each network stands at its preview, and the counter tells at once', async () => {
  fits = [
    {
      account_id: 'mara',
      channel: 'linkedin',
      length: 21,
      limit: 20,
      problems: [{ field: 'content', code: 'content_too_long', params: { length: 21, limit: 20 } }],
      repeats: { post_id: 'twin', planned_at: '2026-11-22T09:00:00Z' },
    },
  ]
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.type(text(), 'a'.repeat(21))
  expect(screen.getByText('21 / 20').closest('[data-over]')).not.toBeNull()
  const preview = screen.getByRole('region', { name: 'Preview' })
  expect(await within(preview).findByText(/21/, { selector: '[data-bad]' })).toBeVisible()
  // a warning beside it: the same is planned there already
  expect(within(preview).getByText(/Another post on this account has the same text/)).toBeVisible()
  expect(within(preview).getByRole('link', { name: 'Show post' })).toHaveAttribute('href', '/social-media-posts/twin')
})

test('each account counts by what its own server takes', async () => {
  server.use(http.get('*/api/accounts/', () => HttpResponse.json([mara, { ...jonas, max_characters: 30 }])))
  const { user } = open()
  await choose(user, 'Mara Lind')
  await choose(user, 'Jonas Weber')
  await user.type(text(), 'a'.repeat(21))
  expect(screen.getByText('21 / 20').closest('[data-over]')).not.toBeNull()
  expect(screen.getByText('21 / 30').closest('[data-over]')).toBeNull()
})

test('what the server finds too many of is counted beside the characters', async () => {
  fits = [
    {
      account_id: 'mara',
      channel: 'instagram',
      length: 12,
      limit: 2_200,
      problems: [
        { field: 'content', code: 'too_many_hashtags', params: { found: 31, limit: 30 } },
        { field: 'content', code: 'too_many_mentions', params: { found: 21, limit: 20 } },
      ],
      repeats: null,
    },
  ]
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Hello')
  expect((await screen.findByText('31 / 30 hashtags')).closest('[data-over]')).not.toBeNull()
  expect(screen.getByText('21 / 20 mentions').closest('[data-over]')).not.toBeNull()
  const preview = screen.getByRole('region', { name: 'Preview' })
  expect(within(preview).getByText(/21 mentions with @/, { selector: '[data-bad]' })).toBeVisible()
})

test('it is scheduled for a time in the chosen zone, after it was saved', async () => {
  const { user, address } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Spring')
  await user.click(button('Schedule'))
  await waitFor(() => expect(last()?.path).toMatch(/publish\/$/))
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST'])
  expect(last()?.body).toEqual({ version: 1, planned_at: '2126-03-01T08:00:00.000Z' })
  await waitFor(() => expect(address()).toBe('/social-media-posts/made'))
})

test('what is on its way to being scheduled does not save itself beside it, however long that takes', async () => {
  const slow = held()
  const made = { post: undefined as PostOut | undefined }
  server.use(
    http.post('*/api/social-media-posts/', async ({ request }) => {
      const body = (await request.json()) as ComposeIn
      sent.push({ method: 'POST', path: new URL(request.url).pathname, body })
      await slow.until
      made.post = saved(body)
      return HttpResponse.json(made.post, { status: 201 })
    }),
  )
  const { user } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Spring')
  await user.click(button('Schedule'))
  // longer than the rest after which a draft saves itself
  await new Promise((resolve) => setTimeout(resolve, 1_800))
  slow.letGo()
  await waitFor(() => expect(last()?.path).toMatch(/publish\/$/))
  expect(last()?.body).toMatchObject({ version: made.post?.version })
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST'])
})

test.each([/^Title of the card/, /^Alt/, /^Date and time/])('Enter in the field “%s” schedules nothing', async (name) => {
  withLinks('card', 1)
  const link = { url: 'https://blog.example/rain', title: 'Rain', description: '' }
  const files = [aFile({ media_id: 'm', alt: 'A street' })]
  const { user } = open(aPost({ ...onItsWay, status: 'draft', deliveries: [], link, files }))
  await screen.findAllByText('Mara Lind')
  await user.click(await screen.findByLabelText(name))
  await user.keyboard('{Enter}')
  await user.click(button('Schedule'))
  await waitFor(() => expect(sent.filter(({ path }) => path.endsWith('/publish/'))).toHaveLength(1))
})

test('without a time it is not scheduled, and nothing is sent', async () => {
  const { user } = open()
  const time = await screen.findByLabelText(/Date and time/) // its module is loaded when first shown
  await user.click(button('Schedule'))
  expect(await screen.findByText('Choose when to publish.')).toBeVisible()
  expect(time).toHaveFocus()
  expect(sent).toEqual([])
})

test('publishing now asks, and says to whom', async () => {
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Now')
  await user.click(button('Publish now'))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('The post is published to Mara Lind (LinkedIn) right away.')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Publish now' }))
  await waitFor(() => expect(last()?.body).toEqual({ version: 1, planned_at: null }))
})

test('publishing now says where it is held, since the account needs a new login', async () => {
  server.use(http.get('*/api/accounts/', () => HttpResponse.json([mara, { ...jonas, state: 'needs_reconnecting' }])))
  const { user } = open()
  await choose(user, 'Mara Lind')
  await choose(user, 'Jonas Weber')
  expect(screen.getByText('needs a new login')).toBeVisible()
  await user.type(text(), 'Now')
  await user.click(button('Publish now'))
  const dialog = await screen.findByRole('dialog')
  expect(
    within(dialog).getByText(
      'The post is published to Mara Lind (LinkedIn) right away. Jonas Weber (LinkedIn) needs a new login: the post is held there until you reconnect the account.',
    ),
  ).toBeVisible()
})

test.each([
  ['is not online', () => HttpResponse.error(), false],
  ['does not answer as it should', () => refuse(503, 'unavailable'), true],
])('publishing does not wait for a check where the server %s', async (_, answer, isOnline) => {
  onTestFinished(() => onlineManager.setOnline(true))
  server.use(http.post('*/api/social-media-posts/fit/', answer))
  const retrying = newQueryClient()
  retrying.setDefaultOptions({ ...retrying.getDefaultOptions(), queries: { retry: 2, retryDelay: 5_000 } })
  const { user } = open(undefined, undefined, retrying)
  await choose(user, 'Mara Lind')
  onlineManager.setOnline(isOnline)
  await user.type(text(), 'Now')
  await screen.findByText(/^Draft saved at/)
  await user.click(button('Publish now'))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(button('Publish now')).toHaveFocus())
})

test('nothing else can be pressed while the post is checked', async () => {
  const { user } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  await choose(user, 'Mara Lind')
  const check = held()
  server.use(
    http.post('*/api/social-media-posts/fit/', async () => {
      await check.until
      return HttpResponse.json([])
    }),
  )
  await user.type(text(), 'Now')
  await user.click(button('Publish now'))
  await waitFor(() => expect(button('Schedule')).toBeDisabled())
  expect(button('Publish now')).toBeDisabled()
  // Enter in the form schedules, too
  fireEvent.submit(text().closest('form') as HTMLFormElement)
  check.letGo()
  expect(await screen.findByRole('dialog')).toHaveTextContent('The post is published to Mara Lind (LinkedIn) right away.')
  expect(sent.some(({ path }) => path.endsWith('/publish/'))).toBe(false)
})

/** What the server says to an account that it takes no such video. */
const tooLong = (account_id: string): FitOut => ({
  account_id,
  channel: 'linkedin',
  length: 3,
  limit: 3_000,
  problems: [{ field: 'content', code: 'video_too_long', params: { seconds: 200, limit: 180 } }],
  repeats: null,
})

test.each(['Publish', 'Schedule'])('%s: an account that is known to refuse the post is named and left out by one press', async (verb) => {
  fits = [tooLong('jonas')]
  const { user } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  await choose(user, 'Mara Lind')
  await choose(user, 'Jonas Weber')
  await user.type(text(), 'Now')
  await screen.findByText(/^Draft saved at/)
  await user.click(button(verb === 'Publish' ? 'Publish now' : 'Schedule'))
  const dialog = await screen.findByRole('dialog')
  expect(dialog).toHaveTextContent('Will not be published to Jonas Weber (LinkedIn): This video is 3:20 long, this channel accepts up to 3:00.')
  if (verb === 'Publish') expect(dialog).toHaveTextContent('The post is published to Mara Lind (LinkedIn) right away.')
  await user.click(within(dialog).getByRole('button', { name: `${verb} without this account` }))
  await waitFor(() => expect(last()?.path).toMatch(/publish\/$/))
  expect(sent.at(-2)?.body).toMatchObject({ account_ids: ['mara'] })
})

test('an account that was left out is chosen again if nothing was published', async () => {
  fits = [tooLong('jonas')]
  server.use(http.post('*/api/social-media-posts/:id/publish/', () => refuse(503, 'unavailable')))
  const { user } = open()
  await choose(user, 'Mara Lind')
  await choose(user, 'Jonas Weber')
  await user.type(text(), 'Now')
  await screen.findByText(/^Draft saved at/)
  await user.click(button('Publish now'))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish without this account' }))
  await waitFor(() => expect(last()?.body).toMatchObject({ account_ids: ['mara'] }))
  await waitFor(() => expect(last()?.body).toMatchObject({ account_ids: ['mara', 'jonas'] }), { timeout: 5_000 })
})

test.each([
  ['Publish now', 'Nothing was published.'],
  ['Schedule', 'Nothing was scheduled.'],
])('%s: a post that all accounts refuse is not even asked about, and a message says why', async (name, message) => {
  fits = [tooLong('mara')]
  const { user } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Now')
  await user.click(button(name))
  expect(await screen.findByText(`${message} Mara Lind (LinkedIn): This video is 3:20 long, this channel accepts up to 3:00.`)).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(text()).toHaveFocus())
  // the field's own check comes after a pause in typing
  await waitFor(() => expect(text()).toHaveAccessibleDescription(/This video is 3:20 long/))
  expect(sent.some(({ path }) => path.endsWith('/publish/'))).toBe(false)
})

test('what the server alone knows is told, too: nothing was published', async () => {
  server.use(
    http.post('*/api/social-media-posts/:id/publish/', () =>
      refuse(422, 'invalid_input', { errors: [{ field: 'content', code: 'content_too_long', params: { length: 21, limit: 20 } }] }),
    ),
  )
  const { user } = open()
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Now')
  await user.click(button('Publish now'))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish now' }))
  expect(await screen.findByText(/^Nothing was published\. .*21/)).toBeVisible()
})

test('without an account publishing is not even asked about', async () => {
  const { user } = open()
  await screen.findByRole('button', { name: 'Add account' })
  await user.type(text(), 'Now')
  await user.click(button('Publish now'))
  expect(await screen.findByText('Choose at least one account.')).toBeVisible()
  expect(button('Add account')).toHaveFocus()
  expect(screen.queryByRole('dialog')).toBeNull()
  await choose(user, 'Mara Lind')
  expect(screen.queryByText('Choose at least one account.')).toBeNull()
})

test('what is more than is free is saved, says so and leads to the subscription', async () => {
  server.use(
    http.post('*/api/social-media-posts/:id/publish/', () =>
      HttpResponse.json(
        {
          status: 402,
          code: 'subscription_required',
          params: { limit: 'published_posts', allowed: 10, used: 10, subscribed: 0 },
          errors: [],
        },
        { status: 402 },
      ),
    ),
  )
  const { user } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  await choose(user, 'Mara Lind')
  await user.type(text(), 'One more')
  await user.click(button('Schedule'))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent(/^Your changes are saved, but nothing will be published\. Without a subscription, 10 posts and articles a month can be published/)
  expect(within(alert).getByRole('link', { name: 'See subscription' })).toHaveAttribute('href', '/subscription')
  expect(text()).toHaveValue('One more')
})

test('what the server refuses is told at its field, and what was typed stays', async () => {
  server.use(
    http.post('*/api/social-media-posts/:id/publish/', () =>
      HttpResponse.json(
        {
          status: 422,
          code: 'channel_not_selected',
          params: {},
          errors: [{ field: 'account_ids', code: 'channel_not_selected', params: {} }],
        },
        { status: 422 },
      ),
    ),
  )
  const { user } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  const group = screen.getByRole('group', { name: 'Publish to' })
  await within(group).findByRole('button')
  await user.type(text(), 'Whom for?')
  await user.click(button('Schedule'))
  expect(await within(group).findByRole('alert')).toHaveTextContent('At least one distribution channel must be selected')
  await waitFor(() => expect(group).toContainElement(document.activeElement as HTMLElement))
  expect(text()).toHaveValue('Whom for?')
})

test('a time that clocks leave out says when it goes out instead', async () => {
  const { user } = open()
  const field = screen.getByLabelText(/Date and time/)
  await user.type(field, '2027-03-28T02:30')
  expect(await screen.findByText('This time doesn’t exist that day. 03:30 is used instead.')).toBeVisible()
})

const onItsWay = aPost({
  id: 'made',
  status: 'complete',
  deliveries: [waiting],
  content: 'As planned',
  account_ids: ['mara'],
  planned_at: '2126-03-01T08:00:00Z',
  time_zone: 'Europe/Berlin',
  version: 3,
})

test('what is on its way is changed only when somebody says so', async () => {
  const { user, address } = open(onItsWay)
  await user.type(text(), '!')
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(sent).toEqual([])
  await user.click(button('Save'))
  await waitFor(() => expect(last()).toMatchObject({ method: 'PUT', body: { content: 'As planned!', version: 3, approved: false } }))
  await waitFor(() => expect(address()).toBe('/social-media-posts/made'))
})

test('what is on its way needs a time', async () => {
  const { user } = open(onItsWay)
  const time = await screen.findByLabelText(/Date and time/)
  await user.clear(time)
  await user.click(button('Save'))
  expect(time).toHaveAccessibleDescription('Choose when to publish.')
  expect(time).toHaveFocus()
  expect(sent).toEqual([])
})

test('what is out is shown at its own page', async () => {
  const { address } = open(aPost({ id: 'made' }))
  await waitFor(() => expect(address()).toBe('/social-media-posts/made'))
})

test('who publishes is told so, also where the post is out before the answer is there', async () => {
  const { user, arrive, address } = openWithNewer(draft, { status: 'published', deliveries: [aDelivery()] })
  const slow = held()
  server.use(
    http.post('*/api/social-media-posts/:id/publish/', async () => {
      await slow.until
      return HttpResponse.json({ post: draft, confirmed: true })
    }),
  )
  await screen.findByRole('button', { name: 'Remove Mara Lind (LinkedIn)' })
  await user.click(button('Publish now'))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish now' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  arrive()
  expect(screen.queryByText('The post cannot be changed in this status.')).toBeNull()
  expect(address()).toBe('/social-media-posts?compose=made')
  slow.letGo()
  await waitFor(() => expect(address()).toBe('/social-media-posts/made'))
  expect(await screen.findByText('Publishing now.')).toBeVisible()
})

test.each([
  ['is out', 'Published', 'The post cannot be changed in this status.', aDelivery()],
  ['is being published', 'Publishing', /changes are no longer possible/, aDelivery({ state: 'publishing' })],
  ['may be out', 'Unclear', 'The post cannot be changed in this status.', aDelivery({ state: 'unknown' })],
])('what is typed of a draft that %s is neither saved nor published, and can be kept as a new one', async (_, badge, why, delivery) => {
  const { user, arrive, address } = openWithNewer(draft, { status: delivery.state === 'published' ? 'published' : 'complete', deliveries: [delivery] })
  await user.type(text(), ', and more')
  arrive()
  expect(await screen.findByText(why)).toBeVisible()
  expect(screen.getByText(badge, { selector: '.status' })).toBeVisible()
  expect(screen.getByText('Not saved yet')).toBeVisible()
  for (const name of ['Save', 'Save draft', 'Publish now', 'Schedule']) expect(screen.queryByRole('button', { name })).toBeNull()
  await new Promise((resolve) => setTimeout(resolve, 1_800))
  expect(sent).toEqual([])
  expect(address()).toBe('/social-media-posts?compose=made')
  await user.click(screen.getByRole('button', { name: 'Keep as a new draft' }))
  await waitFor(() => expect(last()).toMatchObject({ method: 'POST', body: { content: 'As planned, and more' } }))
})

test('what is on its way names the changes that are not saved, and leaving says how long they are kept', async () => {
  onTestFinished(() => history.replaceState(null, '', '/'))
  const { user, router } = show(<Page post={onItsWay} at={undefined} onCreated={vi.fn()} />, { at: '/social-media-posts', path: '/social-media-posts' })
  const line = await screen.findByText(/^Will be published/)
  expect(line).not.toHaveTextContent('unsaved')
  await user.type(text(), '!')
  expect(line).toHaveTextContent(/^Will be published .* · 1 unsaved change$/)
  history.pushState(null, '', '/calendar')
  await act(() => router.navigate('/calendar'))
  expect(await screen.findByText('Your text is kept until you reload or close this page. Come back to this post to continue.')).toBeVisible()
})

test('what is on its way says so until its moment, also while something is typed', async () => {
  const { user, arrive } = openWithNewer(onItsWay, { status: 'published', deliveries: [aDelivery()] })
  await user.type(text(), '!')
  expect(screen.getByText(/^Will be published/)).toBeVisible()
  arrive()
  expect(screen.getByText('Published', { selector: '.status' })).toBeVisible()
  expect(screen.queryByText(/^Will be published/)).toBeNull()
})

test('what has failed saves itself no more, and does not say so', async () => {
  const { user } = open({ ...draft, status: 'failed', deliveries: [aDelivery({ state: 'failed', called_at: null })] })
  expect(screen.getByText('Failed', { selector: '.status' })).toBeVisible()
  expect(screen.queryByText(/saved automatically/)).toBeNull()
  await user.type(text(), '!')
  expect(screen.getByText('Not saved yet')).toBeVisible()
})

const question: PostOut['approval'] = {
  state: 'waiting',
  at_deadline: 'hold',
  deadline_at: '2126-03-01T07:58:00Z',
  decided_at: null,
  by_deadline: false,
  remark: '',
  rewrite_error: null,
  at_once: false,
}

test('who is asked approves what they have made of it', async () => {
  const { user } = open({ ...onItsWay, status: 'draft', approval: question })
  expect(screen.getByText('Waiting for your approval until Fri 1 Mar 2126, 08:58. Saving does not approve the post.')).toBeVisible()
  await user.type(text(), '!')
  await user.click(button('Approve with changes'))
  await waitFor(() => expect(last()?.body).toMatchObject({ content: 'As planned!', approved: true }))
})

test('what goes out without an answer says when', () => {
  open({ ...onItsWay, status: 'draft', approval: { ...question, at_deadline: 'publish' } })
  expect(screen.getByText(/^Will be published /)).toBeVisible()
})

/** As the page does when the server has told of another version. */
function openWithNewer(post: PostOut, newer: Partial<PostOut>) {
  const page = (shown: PostOut) => (
    <TimeZoneContext value="Europe/Berlin">
      <Composer post={shown} at={undefined} onCreated={vi.fn()} cover={() => null} images={() => null} />
    </TimeZoneContext>
  )
  let arrive: () => void = () => undefined
  function Page() {
    const [current, setCurrent] = useState(post)
    arrive = () => setCurrent({ ...post, ...newer })
    return page(current)
  }
  const view = show(<Page />, { at: '/social-media-posts?compose=made' })
  return { ...view, arrive: () => act(arrive) }
}

test('what was changed elsewhere is shown beside what was written here, and who goes on with theirs takes over the rest', async () => {
  const { user, arrive } = openWithNewer(onItsWay, { content: 'As planned, says B', tags: ['winter'], version: 4 })
  await user.type(text(), ', says A')
  arrive()
  const both = await screen.findByRole('region', { name: 'Both versions' })
  expect(within(both).getByText('Saved elsewhere').parentElement).toHaveTextContent('As planned, says B')
  expect(within(both).getByText('Written here').parentElement).toHaveTextContent('As planned, says A')
  expect(within(both).getByText('B')).toHaveProperty('tagName', 'MARK')
  expect(both).toHaveTextContent('applied in either case: Tags')
  // saving leads to the question and sends nothing
  await user.click(button('Save'))
  expect(both).toHaveFocus()
  expect(sent).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Continue with my version' }))
  await user.click(button('Save'))
  await waitFor(() => expect(last()?.body).toMatchObject({ content: 'As planned, says A', tags: ['winter'], version: 4 }))
})

test('what was written here comes back after the newer one was shown', async () => {
  const { user, arrive } = openWithNewer(onItsWay, { content: 'Theirs', version: 4 })
  await user.type(text(), ', mine')
  arrive()
  await user.click(await screen.findByRole('button', { name: 'Show newer version' }))
  expect(text()).toHaveValue('Theirs')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(text()).toHaveValue('As planned, mine')
})

const draft = aPost({ ...onItsWay, status: 'draft', deliveries: [], planned_at: null })
const noAnswer = () => http.put('*/api/social-media-posts/:id/', () => HttpResponse.error(), { once: true })

test('a draft that could not be saved says so, and is saved as soon as there is a network again', async () => {
  server.use(noAnswer())
  const { user } = open(draft)
  await user.type(text(), ', in a train')
  expect(await screen.findByText('Not saved yet. We’ll retry automatically.')).toBeVisible()
  expect(screen.getByText(/^Your changes could not be saved\./)).toBeVisible()
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(last()).toMatchObject({ method: 'PUT', body: { content: 'As planned, in a train' } }))
  expect(await screen.findByText(/^Draft saved at/)).toBeVisible()
  expect(screen.queryByText(/^Your changes could not be saved\./)).toBeNull()
})

test('what is refused for good is sent again only when it has changed, or when somebody says so', async () => {
  server.use(
    http.put('*/api/social-media-posts/:id/', ({ request }) => {
      sent.push({ method: 'PUT', path: new URL(request.url).pathname, body: undefined })
      return refuse(422, 'invalid_input', { errors: [{ field: 'content', code: 'invalid_input', params: {} }] })
    }),
  )
  const { user } = open(draft)
  await user.type(text(), '!')
  await waitFor(() => expect(sent).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(sent).toHaveLength(1)
  await user.type(text(), '!')
  await waitFor(() => expect(sent).toHaveLength(2))
  // until it is answered, that call is what was asked for
  await screen.findByText(/^Not saved yet/)
  await user.click(button('Save draft'))
  await waitFor(() => expect(sent).toHaveLength(3))
})

test('what arrived though its answer got lost is nobody else’s version', async () => {
  server.use(noAnswer())
  const { user, arrive } = openWithNewer(draft, { content: 'As planned, in a train', version: 4 })
  await user.type(text(), ', in a train')
  await screen.findByText(/^Your changes could not be saved\./)
  await user.type(text(), ' to Rome')
  arrive()
  expect(text()).toHaveValue('As planned, in a train to Rome')
  expect(screen.queryByText('This post was changed elsewhere')).toBeNull()
  await waitFor(() => expect(last()?.body).toMatchObject({ content: 'As planned, in a train to Rome', version: 4 }))
})

test('a new post that arrived though its answer got lost takes nothing of what was typed since', async () => {
  let first: ComposeIn | undefined
  server.use(
    http.post('*/api/social-media-posts/', async ({ request }) => {
      const body = (await request.json()) as ComposeIn
      if (first) return HttpResponse.json(saved(first), { status: 201 })
      first = body
      return HttpResponse.error()
    }),
  )
  const { user } = open()
  await user.type(text(), 'Rain')
  await screen.findByText(/^Your changes could not be saved\./)
  await user.type(text(), ' again')
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(last()).toMatchObject({ method: 'PUT', body: { content: 'Rain again', version: 1 } }))
  expect(text()).toHaveValue('Rain again')
})

test('what was deleted elsewhere while somebody writes can be kept as a new draft', async () => {
  const onCreated = vi.fn()
  let goes: () => void = () => undefined
  function Page() {
    const [gone, setGone] = useState(false)
    goes = () => setGone(true)
    return <Composer post={draft} isDeleted={gone} onCreated={onCreated} cover={() => null} images={() => null} />
  }
  const { user } = show(<Page />, { at: '/social-media-posts?compose=made' })
  act(() => goes())
  await user.type(text(), ', and more')
  expect(screen.getByText('This post was deleted elsewhere')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Keep as a new draft' }))
  await waitFor(() => expect(last()).toMatchObject({ method: 'POST', body: { content: 'As planned, and more' } }))
  expect(sent).toHaveLength(1)
  expect((last()?.body as ComposeIn).id).not.toBe('made')
  expect(onCreated).toHaveBeenCalledWith((last()?.body as ComposeIn).id)
})

test('whoever presses twice schedules once', async () => {
  const { user } = open(undefined, new Date('2126-03-01T08:00:00Z'))
  await choose(user, 'Mara Lind')
  await user.type(text(), 'Spring')
  await user.dblClick(button('Schedule'))
  await waitFor(() => expect(last()?.path).toMatch(/publish\/$/))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(sent.map(({ path }) => path.endsWith('/publish/'))).toEqual([false, true])
})

test('in German', async () => {
  await speak('de')
  open()
  expect(screen.getByRole('heading', { name: 'Neuer Beitrag' })).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Text für alle Kanäle' })).toBeVisible()
})
