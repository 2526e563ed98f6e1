import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BrandDraftIn, BrandIn, BrandOut, CardIn } from '@/api/types.gen'
import { held, refuse } from '@/test/answers'
import { aBrand, aDelivery, aPost } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { TemplatesRoute } from './templates'

const server = startServer()

let stored: BrandOut[]
let sent: { method: string; body: BrandIn }[]
let drafted: BrandDraftIn[]
let isDemo: boolean

const page = <Item,>(items: Item[]) => HttpResponse.json({ items, next_cursor: null, total: items.length })

beforeEach(() => {
  stored = [aBrand({ assistants: 2 })]
  sent = []
  drafted = []
  isDemo = false
  server.use(
    http.get('*/api/brands/', () => page(stored)),
    http.get('*/api/brands/:id/', ({ params }) => {
      const found = stored.find(({ id }) => id === params.id)
      return found ? HttpResponse.json(found) : refuse(404, 'not_found')
    }),
    http.get('*/api/brands/:id/uses/', () => HttpResponse.json([])),
    http.post('*/api/brands/', async ({ request }) => {
      const body = (await request.json()) as BrandIn
      sent.push({ method: 'POST', body })
      const made = aBrand({ ...(body as Partial<BrandOut>), id: 'made' })
      stored.push(made)
      return HttpResponse.json(made, { status: 201 })
    }),
    http.put('*/api/brands/:id/', async ({ request }) => {
      const body = (await request.json()) as BrandIn & { version: number }
      sent.push({ method: 'PUT', body })
      stored = [aBrand({ ...(body as Partial<BrandOut>), version: body.version + 1 })]
      return HttpResponse.json(stored[0])
    }),
    http.delete('*/api/brands/:id/', ({ params }) => {
      stored = stored.filter(({ id }) => id !== params.id)
      return new HttpResponse(null, { status: 204 })
    }),
    http.get('*/api/system/', () => HttpResponse.json({ writer: { is_demo: isDemo } })),
    http.get('*/api/cards/options/', () => HttpResponse.json({ layouts: [], fonts: [], palettes: [] })),
    http.get('*/api/assistants/', () => page([])),
    http.get('*/api/templates/', () => page([])),
    http.get('*/api/templates/tags/', () => HttpResponse.json([])),
  )
})

const LIST = '/templates?tab=brands'
const open = (at: string) => show(<TemplatesRoute />, { at })

const field = (name: string | RegExp) => screen.findByRole('textbox', { name })
const saved = () => screen.getByRole('button', { name: 'Save brand' })

describe('the list', () => {
  test('is a tab beside the templates, and names voice, languages and how many assistants use each', async () => {
    const { user, address } = open('/templates')
    await user.click(await screen.findByRole('link', { name: 'Brands' }))
    expect(address()).toBe(LIST)
    const row = within((await screen.findByRole('link', { name: 'Lindhof' })).closest('tr') as HTMLElement)
    expect(row.getByText('Friendly and matter-of-fact')).toBeVisible()
    expect(row.getByText('English')).toBeVisible()
    expect(row.getByText('2 assistants')).toBeVisible()
  })

  test('explains brands as long as there is none (German)', async () => {
    stored = []
    await speak('de')
    const { user, address } = open(LIST)
    expect(await screen.findByText(/^Eine Marke sagt der KI, wer du bist/)).toBeVisible()
    const links = await screen.findAllByRole('link', { name: 'Neue Marke' })
    await user.click(links.at(-1)!)
    expect(address()).toBe(`${LIST}&brand=new`)
    expect(await screen.findByRole('heading', { level: 1, name: 'Neue Marke' })).toBeVisible()
  })

  test('says when brands could not be loaded', async () => {
    server.use(http.get('*/api/brands/', () => refuse(503, 'server_busy')))
    open(LIST)
    expect(await screen.findByText('Your brands could not be loaded')).toBeVisible()
  })
})

describe('the editor', () => {
  test('saves what was typed, without empty entries, over the version that was read', async () => {
    const { user } = open(`${LIST}&brand=brand`)
    await user.type(await field('Name'), ' Bikes')
    const group = within(screen.getByRole('group', { name: /^Do \(optional\)/ }))
    await user.type(group.getByRole('textbox'), '{Enter}')
    await waitFor(() => expect(group.getAllByRole('textbox')[1]).toHaveFocus())
    await user.keyboard('Name the place{Enter}')
    await user.type(screen.getByRole('textbox', { name: 'utm_source' }), '{{network}')
    expect(screen.getByText('https://example.org/?utm_source=linkedin')).toBeVisible()
    await user.click(saved())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      method: 'PUT',
      body: { name: 'Lindhof Bikes', dos: ['Begin in the workshop', 'Name the place'], utm: { utm_source: '{network}' }, version: 1 },
    })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save brand' })).toBeNull())
    expect(screen.getByRole('heading', { level: 1, name: 'Lindhof Bikes' })).toBeVisible()
  })

  test('shows a sample card in colours that were typed, and warns of too little contrast', async () => {
    const asked: CardIn[] = []
    server.use(
      http.post('*/api/cards/preview/', async ({ request }) => {
        const body = (await request.json()) as CardIn
        asked.push(body)
        const notes = body.settings?.ink === '#8a2030' ? ['ink_switched'] : []
        return HttpResponse.json({ image: 'AAAA', mime: 'image/png', width: 10, height: 10, layout: 'quote', notes })
      }),
    )
    const { user } = open(`${LIST}&brand=brand`)
    await user.click(await screen.findByRole('combobox', { name: 'Colours' }))
    await user.click(await screen.findByRole('option', { name: 'Custom colours' }))
    const warning = /^A text colour has too little contrast/
    expect(await screen.findByRole('img', { name: 'Sample card in the brand’s look' })).toBeVisible()
    expect(screen.queryByText(warning)).toBeNull()
    for (const [name, colour] of [['Background', '#7a1020'], ['Text colour', '#8a2030']] as const) {
      await user.clear(await field(name))
      await user.type(await field(name), colour)
    }
    expect(await screen.findByText(warning)).toBeVisible()
    expect(asked.at(-1)?.settings).toMatchObject({ ground: '#7a1020', ink: '#8a2030' })
    await user.click(saved())
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ ground: '#7a1020', ink: '#8a2030' }))
  })

  test.each([
    ['en', /to the link below a post’s text if it leads to your own website.* Links within a text or in a first comment stay/],
    ['de', /an den Link unter dem Text eines Beitrags, wenn er zu deiner eigenen Website führt.* Links im Text oder im ersten Kommentar bleiben/],
  ] as const)('promises parameters only for the link that gets them (%s)', async (language, said) => {
    await speak(language)
    open(`${LIST}&brand=brand`)
    expect(await screen.findByText(said)).toBeVisible()
  })

  test('shows the errors of the server at their fields', async () => {
    server.use(
      http.put('*/api/brands/:id/', () =>
        refuse(422, 'invalid_input', {
          errors: [
            { field: 'dos.0', code: 'content_too_long', params: { length: 301, limit: 300 } },
            { field: 'utm.utm_source', code: 'utm_name_malformed' },
          ],
        }),
      ),
    )
    const { user } = open(`${LIST}&brand=brand`)
    await user.type(await field('Name'), '!')
    await user.click(saved())
    const entry = screen.getByRole('textbox', { name: 'Do (optional): entry 1' })
    await waitFor(() => expect(entry).toHaveAttribute('aria-invalid', 'true'))
    await waitFor(() => expect(entry).toHaveFocus())
    expect(screen.getByRole('textbox', { name: 'utm_source' })).toHaveAttribute('aria-invalid', 'true')
    await user.type(entry, '!')
    expect(entry).not.toHaveAttribute('aria-invalid', 'true')
  })

  test('overwrites no version that was not seen', async () => {
    const { user } = open(`${LIST}&brand=brand`)
    await user.type(await field('Name'), '!')
    stored = [aBrand({ name: 'Changed elsewhere', facts: ['The workshop opened in 2015'], version: 2 })]
    server.use(http.put('*/api/brands/:id/', () => refuse(409, 'stale_version'), { once: true }))
    await user.click(saved())
    expect(await screen.findByText('This brand was changed elsewhere in the meantime.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Continue with my version' }))
    await user.click(saved())
    const body = { name: 'Lindhof!', facts: ['The workshop opened in 2015'], version: 2 }
    await waitFor(() => expect(sent[0]?.body).toMatchObject(body))
  })

  test('keeps what was changed elsewhere while the changes were a draft', async () => {
    const { user, router } = open(`${LIST}&brand=brand`)
    await user.type(await field('Name'), '!')
    await router.navigate(LIST)
    expect(await screen.findByRole('link', { name: 'Lindhof' })).toBeVisible()
    stored = [aBrand({ facts: ['The workshop opened in 2015'], version: 2 })]
    await router.navigate(`${LIST}&brand=brand`)
    await user.click(await screen.findByRole('button', { name: 'Continue with my version' }))
    await user.click(saved())
    const body = { name: 'Lindhof!', facts: ['The workshop opened in 2015'], version: 2 }
    await waitFor(() => expect(sent[0]?.body).toMatchObject(body))
  })

  test('keeps what is typed while a new brand is being saved', async () => {
    const { until, letGo } = held()
    server.use(
      http.post('*/api/brands/', async ({ request }) => {
        const body = (await request.json()) as Partial<BrandOut>
        await until
        stored.push(aBrand({ ...body, id: 'made' }))
        return HttpResponse.json(stored.at(-1), { status: 201 })
      }),
    )
    const { user, address } = open(`${LIST}&brand=new`)
    await user.type(await field('Name'), 'Mine')
    await user.click(saved())
    await user.type(await field(/^What you do/), 'Repairs')
    letGo()
    await waitFor(() => expect(address()).toBe(`${LIST}&brand=made`))
    expect(await screen.findByRole('heading', { level: 1, name: 'Mine' })).toBeVisible()
    expect(await field(/^What you do/)).toHaveValue('Repairs')
    await user.click(saved())
    await waitFor(() => expect(sent[0]).toMatchObject({ method: 'PUT', body: { name: 'Mine', about: 'Repairs' } }))
  })

  test('keeps the changes to a brand that was deleted elsewhere, and saves them as a new one', async () => {
    const { user, address } = open(`${LIST}&brand=brand`)
    await user.type(await field('Name'), '!')
    stored = []
    server.use(http.put('*/api/brands/:id/', () => refuse(404, 'not_found')))
    await user.click(saved())
    expect(await screen.findByText('This brand was deleted in the meantime.')).toBeVisible()
    expect(await field('Name')).toHaveValue('Lindhof!')
    expect(screen.queryByRole('button', { name: 'Delete brand “Lindhof”' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save as a new brand' }))
    await waitFor(() =>
      expect(sent[0]).toMatchObject({ method: 'POST', body: { name: 'Lindhof!', facts: ['The workshop opened in 2014'] } }),
    )
    await waitFor(() => expect(address()).toBe(`${LIST}&brand=made`))
  })

  test('keeps unsaved changes while the app is open', async () => {
    const { user, router } = open(`${LIST}&brand=brand`)
    await user.type(await field('Name'), '!')
    await router.navigate(LIST)
    expect(await screen.findByRole('link', { name: 'Lindhof' })).toBeVisible()
    await router.navigate(`${LIST}&brand=brand`)
    expect(await field('Name')).toHaveValue('Lindhof!')
  })

  test('takes published posts as examples, with their network', async () => {
    server.use(
      http.get('*/api/social-media-posts/', () =>
        page([
          aPost({ id: 'one', content: 'Mudguards help.', deliveries: [aDelivery({ channel: 'mastodon' })] }),
          aPost({ id: 'two', content: 'Chains last.', deliveries: [aDelivery(), aDelivery({ id: 'second', channel: 'mastodon' })] }),
          aPost({ id: 'three', content: 'Common.', deliveries: [aDelivery({ channel: 'mastodon', content: 'Bells ring.' })] }),
          aPost({
            id: 'four',
            content: 'Common.',
            deliveries: [aDelivery({ content: 'Lamps shine.' }), aDelivery({ id: 'second', channel: 'mastodon' })],
          }),
        ]),
      ),
    )
    const { user } = open(`${LIST}&brand=brand`)
    await user.click(await screen.findByRole('button', { name: 'Choose published posts' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(await dialog.findByRole('checkbox', { name: 'Mudguards help.' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Chains last.' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Bells ring.' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Lamps shine.' }))
    await user.click(dialog.getByRole('button', { name: 'Add as examples' }))
    await waitFor(() => expect(screen.getByText('4 of 20')).toBeVisible())
    await user.click(saved())
    await waitFor(() =>
      expect(sent[0]?.body.examples).toEqual([
        { text: 'Mudguards help.', network: 'mastodon' },
        { text: 'Chains last.', network: '' },
        { text: 'Bells ring.', network: 'mastodon' },
        { text: 'Lamps shine.', network: 'linkedin' },
      ]),
    )
  })

  test('of a brand that does not exist says so', async () => {
    open(`${LIST}&brand=none`)
    expect(await screen.findByRole('heading', { level: 1, name: 'Page Not Found' })).toBeVisible()
  })
})

describe('a draft', () => {
  const draft = { ...aBrand({ name: 'Drafted', voice: 'Dry', facts: ['Since 2014'] }), model: 'a-model', cost_micros: 3, currency: 'USD' }

  test('of a website is shown in the form, and stored only when it is saved', async () => {
    const { until, letGo } = held()
    server.use(
      http.post('*/api/brands/draft/', async ({ request }) => {
        drafted.push((await request.json()) as BrandDraftIn)
        await until
        return HttpResponse.json(draft)
      }),
    )
    const { user, address } = open(`${LIST}&brand=new`)
    await user.type(await field('Website address'), 'https://lindhof.example{Enter}')
    expect(await screen.findByText(/^Reading the page and drafting/)).toBeVisible()
    letGo()
    expect(await screen.findByDisplayValue('Drafted')).toBeVisible()
    expect(drafted).toEqual([{ address: 'https://lindhof.example', language: 'en' }])
    expect(sent).toEqual([])
    await user.click(saved())
    await waitFor(() => expect(sent[0]).toMatchObject({ method: 'POST', body: { name: 'Drafted', facts: ['Since 2014'] } }))
    await waitFor(() => expect(address()).toBe(`${LIST}&brand=made`))
  })

  test('can be undone', async () => {
    server.use(http.post('*/api/brands/draft/', () => HttpResponse.json(draft)))
    const { user } = open(`${LIST}&brand=new`)
    await user.type(await field('Name'), 'Mine')
    await user.type(await field('Website address'), 'https://lindhof.example{Enter}')
    expect(await screen.findByDisplayValue('Drafted')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await field('Name')).toHaveValue('Mine')
  })

  test('can be undone, and what was typed while it was made stays', async () => {
    const { until, letGo } = held()
    server.use(
      http.post('*/api/brands/draft/', async () => {
        await until
        return HttpResponse.json(draft)
      }),
    )
    const { user } = open(`${LIST}&brand=new`)
    await user.type(await field('Website address'), 'https://lindhof.example{Enter}')
    await user.type(await field('Name'), 'Mine')
    letGo()
    expect(await screen.findByDisplayValue('Drafted')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await field('Name')).toHaveValue('Mine')
  })

  test('of posts without visible characters says why nothing was drafted', async () => {
    server.use(
      http.post('*/api/brands/draft/', () => refuse(422, 'invalid_input', { errors: [{ field: 'address', code: 'field_required' }] })),
    )
    const { user } = open(`${LIST}&brand=new`)
    await user.click(await screen.findByRole('radio', { name: 'Posts' }))
    await user.click(screen.getAllByRole('button', { name: 'Paste a post' })[0]!)
    await user.type(await field('Example 1'), '\u200b')
    await user.click(screen.getByRole('button', { name: 'Draft brand' }))
    expect(await screen.findByText(/^The brand could not be drafted\./)).toBeVisible()
  })

  test('of posts makes them examples', async () => {
    server.use(
      http.post('*/api/brands/draft/', async ({ request }) => {
        drafted.push((await request.json()) as BrandDraftIn)
        return HttpResponse.json(draft)
      }),
    )
    const { user } = open(`${LIST}&brand=new`)
    await user.click(await screen.findByRole('radio', { name: 'Posts' }))
    await user.click(screen.getAllByRole('button', { name: 'Paste a post' })[0]!)
    await user.type(await field('Example 1'), 'Mudguards help.')
    await user.click(screen.getByRole('button', { name: 'Draft brand' }))
    await waitFor(() => expect(drafted).toEqual([{ posts: ['Mudguards help.'], language: 'en' }]))
    await waitFor(() => expect(screen.getAllByDisplayValue('Mudguards help.')).toHaveLength(2))
  })

  test('that failed says why, at the address', async () => {
    server.use(
      http.post('*/api/brands/draft/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'address', code: 'web_page_unreachable' }] }),
      ),
    )
    const { user } = open(`${LIST}&brand=new`)
    const address = await field('Website address')
    await user.type(address, 'https://lindhof.example{Enter}')
    expect(await screen.findByText(/^This address does not answer/)).toBeVisible()
    expect(address).toHaveFocus()
  })

  test('is not offered where no model is set up', async () => {
    isDemo = true
    open(`${LIST}&brand=new`)
    expect(await screen.findByText(/^This server has no language model/)).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Website address' })).toBeNull()
    expect(await field('Name')).toBeVisible()
  })
})

describe('deleting', () => {
  const remove = async ({ user }: ReturnType<typeof open>) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for “Lindhof”' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete brand' }))
  }

  test('a brand that nobody uses can be undone', async () => {
    const shown = open(LIST)
    await remove(shown)
    expect(await screen.findByText('“Lindhof” was deleted.')).toBeVisible()
    expect(stored).toEqual([])
    await shown.user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sent[0]).toMatchObject({ method: 'POST', body: { name: 'Lindhof', facts: ['The workshop opened in 2014'] } }))
    expect(await screen.findByRole('link', { name: 'Lindhof' })).toBeVisible()
  })

  test('a brand in use asks first, and names who uses it', async () => {
    server.use(
      http.get('*/api/brands/:id/uses/', () =>
        HttpResponse.json([
          { kind: 'assistant', name: 'Cycling tips' },
          { kind: 'template', name: 'Practical tip' },
          { kind: 'card_preset', name: 'House card' },
        ]),
      ),
    )
    const shown = open(LIST)
    await remove(shown)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/In use by Cycling tips, Practical tip and House card\./)).toBeVisible()
    expect(stored).toHaveLength(1)
    await shown.user.click(dialog.getByRole('button', { name: 'Delete brand' }))
    await waitFor(() => expect(stored).toEqual([]))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})
