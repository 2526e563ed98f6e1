import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { ArticleEditIn, ArticleOut, WebsiteTermsOut } from '@/api/types.gen'
import { saveToken } from '@/lib/token'
import { refuse } from '@/test/answers'
import { aDelivery, anArticle, aPost, atSite, aWebsite } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ArticleRoute } from './article'

const server = startServer()
const SITE = '0a8e2f0e-5a2b-4d55-9f0e-2f6f5a1b0c11'
const ID = '0a8e2f0e-5a2b-4d55-9f0e-2f6f5a1b0c33'

let stored: ArticleOut
let sent: { path: string; body: unknown }[]

const published = (changes: Parameters<typeof anArticle>[0] = {}) =>
  anArticle({
    id: ID,
    website_id: SITE,
    status: 'published',
    deliveries: [aDelivery({ state: 'published', channel: 'wordpress', removable: 'yes', permalink: 'https://www.lindhof.example/rain/' })],
    at_site: atSite(),
    planned_at: '2026-11-20T09:00:00Z',
    ...changes,
  })

const open = (article: ArticleOut, at = `/posts/${ID}`) => {
  stored = article
  return show(<ArticleRoute />, { at, path: '/posts/:postId' })
}

/** Of its site. */
const terms: WebsiteTermsOut = {
  sorts: true,
  categories: [
    { id: '3', name: 'News', depth: 0 },
    { id: '4', name: 'Town', depth: 1 },
  ],
  gone: { '9': 'Old' },
  tags: ['mudguards'],
  read_at: '2026-11-21T08:00:00Z',
  error_code: null,
}

beforeEach(() => {
  saveToken('mine')
  sent = []
  const answer = (changes: () => Partial<ArticleOut>) =>
    async ({ request }: { request: Request }) => {
      sent.push({ path: new URL(request.url).pathname, body: await request.json() })
      stored = { ...stored, ...changes(), version: stored.version + 1 }
      return HttpResponse.json(stored)
    }
  const waiting = { state: 'waiting', attempts: 0, next_at: null, error_code: null, error_detail: null } as const
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([])),
    http.get('*/api/websites/', () => HttpResponse.json([aWebsite({ id: SITE })])),
    http.get('*/api/websites/:id/terms/', () => HttpResponse.json(terms)),
    http.get('*/api/articles/:id/', () => HttpResponse.json(stored)),
    http.get('*/api/social-media-posts/:id/', () =>
      HttpResponse.json(aPost({ id: ID, status: stored.status, deliveries: stored.deliveries, version: stored.version, files: [] })),
    ),
    http.post('*/api/articles/preview/', async ({ request }) => {
      const { content, title } = (await request.json()) as { content: string; title: string }
      return HttpResponse.json({ html: `<p>${content}</p>`, words: 2, reading_minutes: 1, slug: title.toLowerCase().replaceAll(' ', '-') })
    }),
    http.put('*/api/articles/:id/', async ({ request }) => {
      const body = (await request.json()) as ArticleEditIn
      sent.push({ path: new URL(request.url).pathname, body })
      stored = { ...stored, content: body.content, title: body.fields.title ?? '', at_site: atSite({ same: false, can_discard: true }), version: stored.version + 1 }
      stored.fields = { ...stored.fields, ...body.fields }
      return HttpResponse.json({ article: stored, confirmed: true })
    }),
    http.post('*/api/articles/:id/update/', answer(() => ({ at_site: atSite({ same: false, can_discard: true, revision: waiting }) }))),
    http.post('*/api/articles/:id/discard/', answer(() => ({ at_site: atSite() }))),
    http.post('*/api/articles/:id/take-down/', answer(() => ({}))),
  )
})

test('what is published is edited, saved here, and brought to the site when its author says so', async () => {
  const { user, address } = open(published())
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const title = await screen.findByRole('textbox', { name: 'Title' })
  // what others have linked to stays, whatever the title says
  expect(await screen.findByRole('textbox', { name: 'Address (slug)' })).toBeDisabled()
  expect(screen.queryByLabelText('Date and time')).toBeNull()
  await screen.findByText('2 words')
  await user.type(title, ' again')
  expect(await screen.findByText(/^Saved here at .*, not on the website yet$/)).toBeVisible()
  expect(sent.at(-1)?.body).toMatchObject({ fields: { title: 'Riding in rain again', slug: 'riding-in-rain' }, planned_at: '2026-11-20T09:00:00Z' })
  await user.click(screen.getAllByRole('button', { name: 'Update website' })[0] as HTMLElement)
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ path: `/api/articles/${ID}/update/`, body: { version: 2 } }))
  expect(await screen.findByText('The website is being updated.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(address()).toBe(`/posts/${ID}`)
})

test('whoever hears of the update before its answer arrives is led to the article all the same', async () => {
  let asked = false
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  server.use(
    http.post('*/api/articles/:id/update/', async () => {
      asked = true
      await answered
      return HttpResponse.json(stored)
    }),
  )
  const { user, address, queryClient } = open(published({ at_site: atSite({ same: false, can_discard: true }) }), `/posts/${ID}?edit=text`)
  await screen.findByRole('textbox', { name: 'Title' })
  const busy = { state: 'waiting', attempts: 0, next_at: null, error_code: null, error_detail: null } as const
  await user.click(screen.getAllByRole('button', { name: 'Update website' })[0] as HTMLElement)
  await waitFor(() => expect(asked).toBe(true))
  // as the stream of changes has it fetched: first asked of the site, then done
  for (const at_site of [atSite({ same: false, revision: busy }), atSite({ changed_at: '2026-11-21T12:00:00Z' })]) {
    stored = { ...stored, at_site, version: stored.version + 1 }
    await act(() => queryClient.invalidateQueries())
  }
  answer()
  expect(await screen.findByText('Updated on the website')).toBeVisible()
  expect(address()).toBe(`/posts/${ID}`)
})

test('its facts have its categories by name, and its tags', async () => {
  const fields = { ...published().fields, categories: ['3', '9'], tags: ['mudguards'] }
  open(published({ fields }))
  expect(await screen.findByText('News')).toBeVisible()
  expect(screen.getByText('Old')).toBeVisible()
  expect(screen.getByText('mudguards')).toBeVisible()
})

test.each([
  [false, /Sun 22 Nov/],
  [true, /^As soon as you approve$/],
] as const)('one that waits for an answer tells its time and until when that can be given: asked for now %s', async (at_once, planned) => {
  const approval = { state: 'waiting', at_deadline: 'hold', deadline_at: '2026-11-22T08:55:00Z', decided_at: null, by_deadline: false, remark: '', rewrite_error: null, at_once } as const
  const deliveries = [aDelivery({ state: 'pending', channel: 'wordpress', called_at: null, settled_at: null })]
  open(anArticle({ id: ID, website_id: SITE, status: 'draft', approval, deliveries, planned_at: '2026-11-22T09:00:00Z' }))
  const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling
  await screen.findByText('Decide by', { selector: 'dt' })
  expect(fact('Date and time')).toHaveTextContent(planned)
  expect(fact('Decide by')).toHaveTextContent(/Sun 22 Nov/)
})

test('changes that are not there yet are brought there, or discarded once that is confirmed', async () => {
  const { user } = open(published({ at_site: atSite({ same: false, can_discard: true }) }))
  expect(await screen.findByText('Your changes are not on the website yet.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Discard the changes?' }))
  await user.click(dialog.getByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ path: `/api/articles/${ID}/discard/`, body: { version: 1 } }))
  await waitFor(() => expect(screen.queryByText('Your changes are not on the website yet.')).toBeNull())
})

test.each([
  ['en', 'The website was not updated.', 'Answer from the website: 400 no', 'Try again'],
  ['de', 'Die Website wurde nicht aktualisiert.', 'Antwort der Website: 400 no', 'Erneut versuchen'],
] as const)('why a site was not updated is told: %s', async (language, title, said, again) => {
  await speak(language)
  server.use(http.get('*/api/articles/:id/announcements/', () => HttpResponse.json({ posts: [], by_itself: null })))
  const revision = { state: 'failed', attempts: 1, next_at: null, error_code: 'delivery_refused', error_detail: '400 no' } as const
  const { user } = open(published({ at_site: atSite({ same: false, can_discard: true, revision }) }))
  expect(await screen.findByText(title)).toBeVisible()
  expect(screen.getByText(said)).toBeVisible()
  await user.click(screen.getByRole('button', { name: again }))
  await waitFor(() => expect(sent.at(-1)?.path).toBe(`/api/articles/${ID}/update/`))
})

test('what the site has made of it is shown as the site says it', async () => {
  open(published({ at_site: atSite({ slug: 'riding-in-rain-2', status: 'pending' }) }))
  expect(await screen.findByText('Readers cannot see this article.')).toBeVisible()
  expect(screen.getByText('On the website, the article has the status “pending”.')).toBeVisible()
  expect(screen.getByText('The website changed the slug to /riding-in-rain-2, because /riding-in-rain was taken.')).toBeVisible()
})

test('another version than was shown is not brought there', async () => {
  server.use(http.post('*/api/articles/:id/update/', () => refuse(409, 'stale_version')))
  const { user } = open(published({ at_site: atSite({ same: false, can_discard: true }) }))
  await user.click(await screen.findByRole('button', { name: 'Update website' }))
  expect(await screen.findByText(/^The update could not be started\./)).toBeVisible()
})

test('it is taken down once that is confirmed', async () => {
  const { user } = open(published())
  await user.click(await screen.findByRole('button', { name: 'Unpublish' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Unpublish this article?' }))
  await user.click(dialog.getByRole('button', { name: 'Unpublish' }))
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ path: `/api/articles/${ID}/take-down/`, body: { version: 1 } }))
})

test('what was taken down is a draft that says so', async () => {
  const removal = { state: 'removed', attempts: 1, next_at: null, removed_at: '2026-11-21T08:00:00Z', error_code: null, error_detail: null } as const
  open(published({ status: 'draft', at_site: null, planned_at: null, deliveries: [aDelivery({ state: 'cancelled', called_at: null, removal })] }))
  expect(await screen.findByText(/^Unpublished /)).toBeVisible()
  expect(screen.getAllByRole('button', { name: 'Publish now' })[0]).toBeEnabled()
})

test('one that its website refused says why before it is written on', async () => {
  const { user } = open(
    anArticle({
      id: ID,
      website_id: SITE,
      status: 'failed',
      deliveries: [
        aDelivery({ state: 'failed', channel: 'wordpress', called_at: null, error_code: 'delivery_refused', error_detail: '403 {"message":"Sorry, not allowed"}' }),
      ],
    }),
  )
  expect(await screen.findByText(/Sorry, not allowed \(403\)/)).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  expect(await screen.findByRole('textbox', { name: 'Title' })).toBeVisible()
})
