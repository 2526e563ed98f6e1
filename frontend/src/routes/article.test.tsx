import { EditorView } from '@codemirror/view'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ArticleEditIn, ArticleIn, ArticleOut, WebsiteTermsOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { saveToken } from '@/lib/token'
import { refuse } from '@/test/answers'
import { aDelivery, aFile, anArticle, anImage, aPost, aWebsite } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ArticleRoute } from './article'
import { NewArticleRoute } from './new-article'

const server = startServer()
const SITE = '0a8e2f0e-5a2b-4d55-9f0e-2f6f5a1b0c11'
const ID = '0a8e2f0e-5a2b-4d55-9f0e-2f6f5a1b0c33'
const waiting = aDelivery({ state: 'pending', called_at: null, settled_at: null })

/** As the server has it. */
let stored: ArticleOut | undefined
let sent: { method: string; path: string; body: unknown }[]

const kept = (body: ArticleIn | ArticleEditIn, id: string): ArticleOut =>
  anArticle({
    ...stored,
    id,
    website_id: body.website_id,
    content: body.content,
    title: body.fields.title ?? '',
    fields: { ...anArticle().fields, ...body.fields },
    featured: body.featured
      ? aFile({ media_id: body.featured.media_id, alt: body.featured.alt ?? '', url: '/featured.jpg' })
      : null,
    planned_at: body.planned_at ?? null,
    time_zone: body.time_zone,
    language: body.language,
    version: (stored?.version ?? 0) + 1,
  })

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
  stored = undefined
  sent = []
  const keep = async (request: Request) => {
    const body: unknown = await request.json()
    sent.push({ method: request.method, path: new URL(request.url).pathname, body })
    return body
  }
  server.use(
    http.get('*/api/websites/', () => HttpResponse.json([aWebsite({ id: SITE, language: 'de' })])),
    http.get('*/api/websites/:id/terms/', () => HttpResponse.json({ ...terms, sorts: false })),
    http.get('*/api/articles/:id/', () => (stored ? HttpResponse.json(stored) : refuse(404, 'not_found'))),
    http.post('*/api/articles/', async ({ request }) => {
      const body = (await keep(request)) as ArticleIn
      stored = kept(body, body.id)
      return HttpResponse.json(stored, { status: 201 })
    }),
    http.put('*/api/articles/:id/', async ({ request, params }) => {
      stored = kept((await keep(request)) as ArticleEditIn, String(params.id))
      return HttpResponse.json({ article: stored, confirmed: true })
    }),
    http.post('*/api/articles/preview/', async ({ request }) => {
      const { content, title } = (await request.json()) as { content: string; title: string }
      const words = content.split(/\s+/).filter(Boolean).length
      return HttpResponse.json({
        html: content && `<p>${content}</p>`,
        words,
        reading_minutes: 1,
        slug: title.toLowerCase().replaceAll(' ', '-'),
      })
    }),
    http.get('*/api/social-media-posts/:id/', () =>
      HttpResponse.json(
        aPost({ id: stored?.id, status: stored?.status, deliveries: stored?.deliveries, version: stored?.version, files: [] }),
      ),
    ),
    http.post('*/api/social-media-posts/:id/publish/', async ({ request }) => {
      const { planned_at } = (await keep(request)) as { planned_at: string | null }
      stored = anArticle({ ...stored, status: 'complete', planned_at, deliveries: [waiting] })
      return HttpResponse.json({ post: aPost({ status: 'complete', planned_at }), confirmed: true })
    }),
    http.get('*/api/media/:id/', ({ params }) => HttpResponse.json({ ...anImage({ id: String(params.id) }), used_in: [] })),
    http.get('*/api/media/', () =>
      HttpResponse.json({
        items: [anImage()],
        next_cursor: null,
        total: 1,
        origins: { own: 1, upload: 1, ai: 0, card: 0, assistant: 0 }, kinds: { image: 1, document: 0, video: 0 },
      }),
    ),
  )
})

const here = (page: ReactNode) => <TimeZoneContext value="Europe/Berlin">{page}</TimeZoneContext>
const openNew = () => show(here(<NewArticleRoute />), { at: `/posts?new=${SITE}`, path: '/posts' })
const openArticle = (article: ArticleOut, at = `/posts/${article.id}`) => {
  stored = article
  return show(here(<ArticleRoute />), { at, path: at.startsWith('/websites') ? '/websites/:websiteId/posts/:postId' : '/posts/:postId' })
}

const title = () => screen.findByRole('textbox', { name: 'Title' })
/** The editor, which loads after the page. */
async function editor(): Promise<EditorView> {
  const place = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('.cm-content')
    if (!found) throw new Error('The editor is not there yet')
    return found
  })
  return EditorView.findFromDOM(place) as EditorView
}
/** Typed at its end. */
async function write(words: string) {
  const view = await editor()
  const end = view.state.doc.length
  act(() => view.dispatch({ changes: { from: end, insert: words }, selection: { anchor: end + words.length }, userEvent: 'input.type' }))
}
const written = async () => (await editor()).state.doc.toString()
const button = (name: string) => screen.getAllByRole('button', { name })[0] as HTMLElement
const last = () => sent.at(-1)

describe('writing', () => {
  test('a new article saves itself for its website, in the language of that', async () => {
    const { user, address } = openNew()
    await user.type(await title(), 'Riding in rain')
    await write('Mudguards help.')
    // one typed slowly is saved more than once
    await waitFor(
      () =>
        expect(last()?.body).toMatchObject({
          website_id: SITE,
          content: 'Mudguards help.',
          fields: { title: 'Riding in rain', slug: 'riding-in-rain' },
          language: 'de',
          time_zone: 'Europe/Berlin',
          planned_at: null,
          featured: null,
        }),
    )
    expect(sent.map(({ method }) => method)).toEqual(['POST', ...sent.slice(1).map(() => 'PUT')])
    await waitFor(() => expect(address()).toBe(`/posts?new=${SITE}&id=${stored?.id}`))
    expect(await screen.findByText(/^Draft saved at/)).toBeVisible()
    const { version } = stored as unknown as ArticleOut
    // what is typed goes on in the same field
    await write(' Lights too.')
    await waitFor(() => expect(last()).toMatchObject({ method: 'PUT', body: { content: 'Mudguards help. Lights too.', version } }))
  })

  test('another new article does not go on with the first', async () => {
    const { user, router, address } = openNew()
    await user.type(await title(), 'Rain')
    await write('Mudguards help.')
    await user.click(button('Save draft'))
    await waitFor(() => expect(address()).toBe(`/posts?new=${SITE}&id=${stored?.id}`))
    const first = last()
    await act(() => router.navigate(`/posts?new=${SITE}`))
    expect(await title()).toHaveValue('')
    await user.type(await title(), 'Snow')
    await user.click(button('Save draft'))
    await waitFor(() => expect(last()).toMatchObject({ method: 'POST', body: { fields: { title: 'Snow' }, content: '' } }))
    expect((last()?.body as ArticleIn).id).not.toBe((first?.body as ArticleIn).id)
  })

  test('the address follows the title until somebody writes another one', async () => {
    const { user } = openArticle(anArticle({ id: ID, fields: { slug: 'riding-in-rain', title: 'Riding in rain' } }))
    const slug = () => screen.getByRole('textbox', { name: 'Address (slug)' })
    await waitFor(() => expect(slug()).toHaveValue('riding-in-rain'))
    // the first answer says that it is the title's
    await screen.findByText('2 words')
    await user.type(await title(), ' again')
    await waitFor(() => expect(slug()).toHaveValue('riding-in-rain-again'))
    await user.clear(slug())
    await user.type(slug(), 'rain')
    await user.type(await title(), ' now')
    await user.click(await screen.findByRole('button', { name: 'From the title: riding-in-rain-again-now' }))
    expect(slug()).toHaveValue('riding-in-rain-again-now')
  })

  test('what it looks like, how long it is and what a search shows stand beside it', async () => {
    const { user } = openArticle(anArticle({ id: ID, website_id: SITE, content: 'Mudguards help.', fields: { summary: 'In short.' } }))
    expect(await screen.findByText('2 words')).toBeVisible()
    expect(screen.getByText('1 minute to read')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Preview' }))
    const preview = within(screen.getByRole('region', { name: 'Preview' }))
    expect(preview.getByRole('heading', { name: 'Riding in rain' })).toBeVisible()
    expect(await preview.findByText('Mudguards help.')).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull()
    const result = within(screen.getByRole('group', { name: 'In search results' }))
    expect(await result.findByText('www.lindhof.example › riding-in-rain')).toBeVisible()
    expect(result.getByText('In short.')).toBeVisible()
    await user.type(screen.getByRole('textbox', { name: /^Title for search engines/ }), 'x'.repeat(61))
    expect(screen.getByText('61 / 60, the rest may be cut off')).toBeVisible()
  })

  test('the preview has what stands above the text at the site, and a title is one line however it is typed', async () => {
    const featured = aFile({ media_id: 'bike', url: '/bike.png', alt: 'A bike' })
    server.use(http.get('*/api/media/bike/', () => refuse(404, 'not_found')))
    const { user } = openArticle(anArticle({ id: ID, featured, fields: { ...anArticle().fields, summary: 'Stay dry.' } }))
    const named = await title()
    await user.type(named, ' and{Enter}snow')
    expect(named).toHaveValue('Riding in rain andsnow')
    await user.click(screen.getByRole('button', { name: 'Preview' }))
    const preview = within(await screen.findByRole('region', { name: 'Preview' }))
    expect(preview.getByRole('img', { name: 'A bike' })).toHaveAttribute('src', '/bike.png')
    expect(preview.getByText('Stay dry.')).toBeVisible()
  })

  test('tools mark what is selected', async () => {
    const { user } = openArticle(anArticle({ id: ID, content: 'Rain helps' }))
    const view = await editor()
    act(() => view.dispatch({ selection: { anchor: 5, head: 10 } }))
    await user.click(screen.getByRole('button', { name: 'Bold' }))
    expect(await written()).toBe('Rain **helps**')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await written()).toBe('Rain helps')
  })

  test('an image of the gallery, and one that is pasted, come into the text', async () => {
    server.use(http.post('*/api/media/', () => HttpResponse.json({ ...anImage({ id: 'new', alt: '' }), duplicate: false }, { status: 201 })))
    const { user } = openArticle(anArticle({ id: ID, content: 'Rain' }))
    const view = await editor()
    act(() => view.dispatch({ selection: { anchor: 4 } }))
    await user.click(screen.getByRole('button', { name: 'Image from the gallery' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Image for the text' }))
    await user.click(await drawer.findByRole('button', { name: 'A wet street' }))
    await waitFor(async () => expect(await written()).toBe('Rain\n\n![A street in the rain](media:image)'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.paste(view.contentDOM, { clipboardData: { files: [new File(['x'], 'street.jpg', { type: 'image/jpeg' })], types: ['Files'] } })
    await waitFor(async () => expect(await written()).toMatch(/\n\n!\[Image\]\(media:new\)$/))
  })

  test('the featured image is chosen, described and taken out again', async () => {
    const { user } = openArticle(anArticle({ id: ID }))
    await title()
    await user.click(screen.getByRole('button', { name: 'Choose image' }))
    const drawer = within(await screen.findByRole('dialog', { name: 'Choose image' }))
    await user.click(await drawer.findByRole('button', { name: 'A wet street' }))
    const alt = await screen.findByRole('textbox', { name: 'Alt text' })
    expect(alt).toHaveValue('A street in the rain')
    await waitFor(() => expect(last()?.body).toMatchObject({ featured: { media_id: 'image', alt: 'A street in the rain' } }))
    await user.click(screen.getByRole('button', { name: 'Remove image' }))
    await waitFor(() => expect(last()?.body).toMatchObject({ featured: null }))
    expect(screen.getByRole('button', { name: 'Choose image' })).toHaveFocus()
  })

  test('what could not be saved is kept and told, and goes as soon as there is a network again', async () => {
    openArticle(anArticle({ id: ID }))
    await title()
    server.use(http.put('*/api/articles/:id/', () => HttpResponse.error(), { once: true }))
    await write(' More.')
    expect(await screen.findByText('Not saved yet. We’ll retry automatically.')).toBeVisible()
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText(/^Draft saved at/)).toBeVisible()
    expect(stored?.content).toBe('Mudguards **help**. More.')
  })

  test('what was changed elsewhere stands beside what was written here, and the rest is taken over', async () => {
    const { user, queryClient } = openArticle(anArticle({ id: ID, content: 'Rain.' }))
    await title()
    server.use(http.put('*/api/articles/:id/', () => refuse(409, 'stale_version'), { once: true }))
    stored = anArticle({ id: ID, version: 2, content: 'Snow.', fields: { summary: 'Theirs' } })
    await write(' Hail.')
    expect(await screen.findByText('This article was changed elsewhere')).toBeVisible()
    const both = within(await screen.findByRole('region', { name: 'Both versions' }))
    expect(both.getByText('Snow')).toBeVisible()
    expect(both.getByText(/Summary/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Continue with my version' }))
    await waitFor(() => expect(last()?.body).toMatchObject({ version: 2, content: 'Rain. Hail.', fields: { summary: 'Theirs' } }))
    expect(queryClient.isMutating()).toBe(0)
  })

  test('whose website was removed is saved all the same, and can be given another one', async () => {
    const { user } = openArticle(anArticle({ id: ID, website_id: null, website_name: null }))
    await user.type(await title(), '!')
    await user.click(button('Save draft'))
    await waitFor(() => expect(last()?.body).toMatchObject({ website_id: null }))
    await user.click(screen.getByRole('combobox', { name: 'Website' }))
    await user.click(await screen.findByRole('option', { name: 'Lindhof Journal' }))
    await waitFor(() => expect(last()?.body).toMatchObject({ website_id: SITE }))
  })
})

describe('categories', () => {
  beforeEach(() => server.use(http.get('*/api/websites/:id/terms/', () => HttpResponse.json(terms))))

  test('of the site are chosen by name', async () => {
    const { user } = openArticle(anArticle({ id: ID, website_id: SITE, fields: { categories: ['3'] } }))
    const town = await screen.findByRole('checkbox', { name: 'Town' })
    expect(screen.getByRole('checkbox', { name: 'News' })).toBeChecked()
    await user.click(town)
    await waitFor(() => expect(last()?.body).toMatchObject({ fields: { categories: ['3', '4'] } }))
  })

  test('that the site has no more are named, and told when it is to go out', async () => {
    server.use(
      http.post('*/api/social-media-posts/:id/publish/', () =>
        refuse(422, 'category_gone', { errors: [{ field: 'fields.categories', code: 'category_gone', params: { category: 'Old' } }] }),
      ),
    )
    const { user } = openArticle(anArticle({ id: ID, website_id: SITE, fields: { categories: ['9'] } }))
    const old = await screen.findByRole('checkbox', { name: 'Old (no longer on the website)' })
    await user.click(button('Publish now'))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish now' }))
    expect((await screen.findAllByText('The category “Old” no longer exists on the website. Remove it.')).length).toBeGreaterThan(0)
    await user.click(old)
    await waitFor(() => expect(last()?.body).toMatchObject({ fields: { categories: [] } }))
  })
})

describe('sending', () => {
  test('now asks first, and shows what becomes of it then', async () => {
    const { user } = openArticle(anArticle({ id: ID, website_id: SITE }))
    await title()
    await user.click(button('Publish now'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish this article now?' }))
    expect(dialog.getByText('The article is published on Lindhof Journal right away.')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Publish now' }))
    await waitFor(() => expect(last()).toMatchObject({ path: `/api/social-media-posts/${ID}/publish/`, body: { planned_at: null, version: 1 } }))
    expect(await screen.findByRole('heading', { name: 'Channels' })).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Text' })).toBeNull()
  })

  test('at a time needs one', async () => {
    const { user } = openArticle(anArticle({ id: ID, website_id: SITE, time_zone: 'Europe/Berlin' }))
    await title()
    await user.click(button('Schedule'))
    expect(await screen.findByText('Choose when to publish.')).toBeVisible()
    expect(screen.getByLabelText('Date and time')).toHaveFocus()
    fireEvent.change(screen.getByLabelText('Date and time'), { target: { value: '2031-03-01T12:30' } })
    await user.click(button('Schedule'))
    await waitFor(() => expect(last()).toMatchObject({ path: `/api/social-media-posts/${ID}/publish/`, body: { planned_at: '2031-03-01T11:30:00.000Z' } }))
    expect(await screen.findByText(/^Scheduled for .*12:30/)).toBeVisible()
  })

  test.each([
    ['en', 'The article has no title yet. Write one.', 'The text is empty. Write one.'],
    ['de', 'Der Artikel hat noch keinen Titel. Schreibe einen.', 'Der Text ist leer.'],
  ] as const)('what keeps it back is told at its field: %s', async (language, first, second) => {
    await speak(language)
    server.use(
      http.post('*/api/social-media-posts/:id/publish/', () =>
        refuse(422, 'invalid_input', {
          errors: [
            { field: 'article.title', code: 'title_missing' },
            { field: 'article.slug', code: 'slug_missing' },
            { field: 'content', code: 'content_empty' },
          ],
        }),
      ),
    )
    const { user } = openArticle(anArticle({ id: ID, website_id: SITE, content: '', title: '', fields: { title: '', slug: '' } }))
    const field = await screen.findByRole('textbox', { name: /^Tit(le|el)$/ })
    await user.click(button(language === 'en' ? 'Publish now' : 'Jetzt veröffentlichen'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: language === 'en' ? 'Publish now' : 'Jetzt veröffentlichen' }))
    await waitFor(() => expect(field).toHaveAccessibleDescription(first))
    expect(screen.getAllByText(new RegExp(second)).length).toBeGreaterThan(0)
    await waitFor(() => expect(field).toHaveFocus())
  })

  test('to a site that takes nothing says that it waits', async () => {
    server.use(http.get('*/api/websites/', () => HttpResponse.json([aWebsite({ id: SITE, state: 'needs_reconnecting' })])))
    const { user } = openArticle(anArticle({ id: ID, website_id: SITE }))
    expect(await screen.findByText('Lindhof Journal accepts no articles at the moment.')).toBeVisible()
    await user.click(button('Publish now'))
    expect(await screen.findByText(/the article is held until you reconnect the website\.$/)).toBeVisible()
  })
})

describe('deleting a draft', () => {
  test('goes back to the list, and can be undone', async () => {
    const actions: unknown[] = []
    server.use(
      http.post('*/api/social-media-posts/bulk/', async ({ request }) => {
        actions.push(await request.json())
        return HttpResponse.json({ done: 1, refused: 0, repeats: [], results: [{ id: ID, confirmed: true, refusal: null }] })
      }),
    )
    const { user, address } = openArticle(anArticle({ id: ID, website_id: SITE }), `/websites/${SITE}/posts/${ID}`)
    await title()
    await user.click(screen.getByRole('button', { name: 'More actions for this article' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete article' }))
    await waitFor(() => expect(address()).toBe(`/websites/${SITE}`))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('The article was restored.')).toBeVisible()
    const posts = [{ id: ID, version: 1, content_hash: 'hash' }]
    expect(actions).toEqual([{ action: 'delete', posts }, { action: 'restore', posts }])
  })
})

describe('an article that is out or on its way', () => {
  test('is read, with its way to the live page and what became of it', async () => {
    openArticle(
      anArticle({
        id: ID,
        status: 'published',
        website_id: SITE,
        deliveries: [aDelivery({ permalink: 'https://lindhof.example/riding-in-rain/' })],
        fields: { summary: 'In short.', tags: ['Rain'] },
      }),
      `/websites/${SITE}/posts/${ID}`,
    )
    expect(await screen.findByRole('heading', { level: 1, name: 'Riding in rain' })).toBeVisible()
    expect(await screen.findByRole('link', { name: 'View live' })).toHaveAttribute('href', 'https://lindhof.example/riding-in-rain/')
    for (const link of screen.getAllByRole('link', { name: 'Lindhof Journal' })) expect(link).toHaveAttribute('href', `/websites/${SITE}`)
    expect(await screen.findByText('Mudguards **help**.')).toBeVisible()
    expect(await screen.findByText('Log: requests and answers')).toBeVisible()
    expect(screen.getByText('In short.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  })

  test('that waits for its time is changed when somebody says so', async () => {
    const { user, address } = openArticle(
      anArticle({ id: ID, status: 'complete', website_id: SITE, planned_at: '2031-03-01T11:30:00Z', deliveries: [waiting] }),
    )
    expect(await screen.findByRole('button', { name: 'Do not publish' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    expect(address()).toBe(`/posts/${ID}?edit=text`)
    await user.type(await title(), '!')
    expect(screen.getByText(/^Will be published .* 12:30/)).toBeVisible()
    await new Promise((resolve) => setTimeout(resolve, 1_800))
    expect(sent).toEqual([])
    await user.click(button('Save'))
    await waitFor(() => expect(last()).toMatchObject({ method: 'PUT', body: { fields: { title: 'Riding in rain!' }, planned_at: '2031-03-01T11:30:00Z' } }))
    await waitFor(() => expect(address()).toBe(`/posts/${ID}`))
  })

  test('that is not there says so', async () => {
    show(here(<ArticleRoute />), { at: `/posts/${ID}`, path: '/posts/:postId' })
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  })
})

describe('an article of an assistant', () => {
  const RUN = '0a8e2f0e-5a2b-4d55-9f0e-2f6f5a1b0c44'
  const writing = { step: 'text', section: 2, sections: 5, again: false } as const
  const made = (changes: Partial<ArticleOut> = {}) =>
    anArticle({ id: ID, source: 'assistant', assistant_id: 'assistant', assistant_name: 'Journal', run_id: RUN, ...changes })

  test('says which part of it is being written, and lets nobody else write until all of it is there', async () => {
    const { queryClient } = openArticle(made({ writing }))
    expect(await screen.findByRole('heading', { name: 'Journal is writing' })).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent(
      'Section 2 of 5 is being written and appears here. You can edit the article once it has been written.',
    )
    const steps = [...document.querySelectorAll<HTMLElement>('.step')]
    expect(steps.map(({ textContent, dataset }) => [textContent, dataset.state])).toEqual([
      ['Outline', 'done'], ['Section 2 of 5', 'active'], ['Summary', 'todo'], ['SEO texts', 'todo'], ['Checks', 'todo'],
    ])
    for (const name of ['Edit', 'Publish now', 'Schedule']) expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(await screen.findByText('Mudguards **help**.')).toBeVisible()

    stored = made({ content: 'Mudguards help. So do tyres.', writing: { ...writing, section: 3 } })
    await act(() => queryClient.invalidateQueries())
    expect(await screen.findByText('Mudguards help. So do tyres.')).toBeVisible()
    stored = made({ content: 'Mudguards help. So do tyres.', deliveries: [waiting] })
    await act(() => queryClient.invalidateQueries())
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible()
    expect(screen.queryByText(/is being written/)).toBeNull()
  })

  test('was not changed shown while another text is written', async () => {
    openArticle(made({ writing: { step: 'check', section: null, sections: 5, again: true }, deliveries: [waiting] }))
    expect(await screen.findByRole('status')).toHaveTextContent('A new text is being written, based on your instructions.')
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  })

  test('leads to who has written it, and how', async () => {
    openArticle(made({ status: 'published', deliveries: [aDelivery()] }))
    expect(await screen.findByRole('link', { name: 'Journal' })).toHaveAttribute('href', '/assistants/assistant')
    expect(screen.getByRole('link', { name: 'Show run step by step' })).toHaveAttribute('href', `/assistants/assistant?tab=runs&run=${RUN}`)
  })
})
