import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { PostOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aDelivery, aFile, anAccount, anAssistant, aPost } from '@/test/made'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { PostDetail } from '@/features/posts/detail/post-detail'
import { PostList } from './post-list'

const server = startServer(
  http.get('*/api/assistants/', () => HttpResponse.json({ items: [anAssistant()], next_cursor: null, total: 1 })),
  http.get('*/api/accounts/', () => HttpResponse.json([anAccount()])),
  http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([{ tag: 'winter', count: 3 }])),
)

function open(pages: PostOut[][], at = '/social-media-posts') {
  const asked: string[] = []
  const total = pages.flat().length
  server.use(
    http.get('*/api/social-media-posts/', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query.toString())
      const page = Number(query.get('cursor') ?? 0)
      const items = pages[page] ?? []
      const statuses = { draft: 4, complete: 3, published: 2, failed: 0 }
      return HttpResponse.json({ items, next_cursor: pages[page + 1] ? String(page + 1) : null, total, statuses })
    }),
  )
  itIs('2026-11-21T12:00:00Z')
  return {
    asked,
    ...show(
      <TimeZoneContext value="UTC">
        <PostList />
      </TimeZoneContext>,
      { at, path: '/social-media-posts' },
    ),
  }
}

const rows = async () => (await screen.findAllByRole('row')).slice(1)

describe('a row', () => {
  test.each([
    ['waiting', true, 'Answer by Sun 22 Nov, 11:04'],
    ['rewritten', true, 'Answer by Sun 22 Nov, 11:04'],
    ['waiting', false, 'Sun 22 Nov, 11:05'],
    ['declined', true, 'Sun 22 Nov, 11:05'],
  ] as const)('tells until when one can be approved that goes out at once (%s, %s)', async (state, at_once, text) => {
    const approval = { state, at_deadline: 'hold', deadline_at: '2026-11-22T11:04:00Z', decided_at: null, by_deadline: false, remark: '', rewrite_error: null, at_once } as const
    open([[aPost({ status: 'draft', planned_at: '2026-11-22T11:05:00Z', deliveries: [], approval })]])
    const [row] = await rows()
    expect(within(row as HTMLElement).getByText(text)).toBeVisible()
  })

  test('begins with what the post says', async () => {
    open([[aPost({ content: '\n\nMudguards help.\nSecond line' })]])
    const [row] = await rows()
    expect(within(row as HTMLElement).getByRole('link', { name: 'Mudguards help.' })).toHaveAttribute('href', '/social-media-posts/post')
    expect(row).toHaveTextContent('Cycling tips · Riding in rain')
    expect(row).toHaveTextContent('Sat 21 Nov, 09:00')
    expect(row).toHaveTextContent('Published')
  })

  test.each<[Partial<PostOut>, string]>([
    [{ content: '', topic_title: 'Rain' }, 'Rain'],
    [{ content: ' ', topic_title: '' }, 'No text yet'],
  ])('of a post without text has another name (%#)', async (post, name) => {
    open([[aPost(post)]])
    expect(await screen.findByRole('link', { name })).toBeVisible()
  })

  test('of one by hand, not planned, says so', async () => {
    open([[aPost({ assistant_id: null, assistant_name: null, topic_title: '', planned_at: null })]])
    const [row] = await rows()
    expect(row).toHaveTextContent('Manual')
    expect(row).toHaveTextContent('Not scheduled')
  })

  test('shows what needs a person before what rests', async () => {
    open([[aPost({ deliveries: [aDelivery(), aDelivery({ id: 'd2', state: 'unknown' })] })]])
    const [row] = await rows()
    expect(row).toHaveTextContent('Unclear')
  })

  test('of a draft shows where it is meant to go', async () => {
    const accounts = [anAccount({ id: 'a', name: 'Jonas Weber' }), anAccount({ id: 'b' })]
    server.use(http.get('*/api/accounts/', () => HttpResponse.json(accounts)))
    open([[aPost({ status: 'draft', deliveries: [], account_ids: ['a'] })]], '/social-media-posts?columns=channels,accounts')
    const [row] = await rows()
    expect(await within(row as HTMLElement).findByRole('img', { name: 'LinkedIn' })).toBeVisible()
    expect(within(row as HTMLElement).getByRole('cell', { name: 'Jonas Weber' })).toBeVisible()
  })

  test('shows each network once', async () => {
    open([[aPost({ deliveries: [aDelivery(), aDelivery({ id: 'd2', account_id: 'other' })] })]])
    const [row] = await rows()
    expect(within(row as HTMLElement).getAllByRole('img', { name: 'LinkedIn' })).toHaveLength(1)
  })
})

describe('the list', () => {
  test('has articles too where its address says so, and leads to their own pages', async () => {
    const { asked, user, address } = open([[aPost({ id: 'a7', is_article: true, topic_title: 'Winter tyres' }), aPost()]], '/social-media-posts?status=failed&articles=too')
    expect(await screen.findByRole('link', { name: 'Winter tyres' })).toHaveAttribute('href', '/posts/a7')
    expect(screen.getByText('Article · Cycling tips')).toBeVisible()
    expect(screen.getByText('2 of 2 posts and articles')).toBeVisible()
    expect(new URLSearchParams(asked[0]).get('articles_too')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Include articles' }))
    expect(await screen.findByText('2 of 2 posts')).toBeVisible()
    expect(new URLSearchParams(asked.at(-1)).get('articles_too')).toBeNull()
    expect(address()).toBe('/social-media-posts?status=failed')
  })

  test('goes on where it ended', async () => {
    const { user, asked } = open([[aPost()], [aPost({ id: 'p2', content: 'Second page.' })]])
    expect(await screen.findByText('1 of 2 posts')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await screen.findByRole('link', { name: 'Second page.' })).toBeVisible()
    expect(await screen.findByText('2 of 2 posts')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
    expect(asked.map((query) => new URLSearchParams(query).get('cursor') ?? '')).toEqual(['', '1'])
  })

  test('is empty before the first post, and leads to what writes it', async () => {
    open([[]])
    expect(await screen.findByRole('heading', { name: 'No posts yet' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to assistants' })).toHaveAttribute('href', '/assistants')
  })

  test('that could not be loaded says so, and is asked for again', async () => {
    const { user } = open([[aPost()]])
    await rows()
    let calls = 0
    server.use(
      http.get('*/api/social-media-posts/', () => {
        calls += 1
        return refuse(500, 'internal')
      }),
    )
    await user.click(screen.getByRole('button', { name: 'Failed 0' }))
    // the filter that was shown before stays in sight until it is known that the new one cannot be
    expect(await screen.findByText('Posts could not be loaded')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(calls).toBe(2))
  })
})

describe('filters', () => {
  test('are asked of the server as the address has them', async () => {
    const at =
      '/social-media-posts?search=rain&status=failed,draft&state=unknown,missed&channel=linkedin&account=01a2105b-d0cc-7db2-8588-7e9dd9ac05ea' +
      '&assistant=01a2105b-d0cc-7db2-8588-7e9dd9ac05eb&source=person&tag=winter&from=2026-03-28&to=2026-03-29&sort=updated_earliest&waiting=yes'
    const { asked, user } = open([[aPost()]], at)
    await rows()
    const query = new URLSearchParams(asked[0])
    expect(query.getAll('status')).toEqual(['draft', 'failed'])
    expect(query.getAll('state')).toEqual(['unknown', 'missed'])
    expect(Object.fromEntries(query)).toMatchObject({
      search: 'rain',
      channel: 'linkedin',
      account_id: '01a2105b-d0cc-7db2-8588-7e9dd9ac05ea',
      assistant_id: '01a2105b-d0cc-7db2-8588-7e9dd9ac05eb',
      source: 'person',
      tag: 'winter',
      planned_from: '2026-03-28T00:00:00.000Z',
      planned_before: '2026-03-30T00:00:00.000Z',
      sort: 'updated_earliest',
      waiting: 'true',
    })
    expect(screen.getByRole('button', { name: 'Failed 0' })).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('button', { name: 'Published 2' })).toHaveAttribute('aria-pressed', 'false')
    expect(screen.getByRole('searchbox')).toHaveValue('rain')
    expect(screen.getByRole('button', { name: 'Filters (8)' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Tag: winter' }))
    await waitFor(() => expect(new URLSearchParams(asked.at(-1)).has('tag')).toBe(false))
  })

  test('that nobody knows are none', async () => {
    const { asked } = open([[aPost()]], '/social-media-posts?status=lost&state=odd&source=x&sort=y&from=2026-13-01&to=soon')
    await rows()
    const query = Object.fromEntries(new URLSearchParams(asked[0]))
    expect(query).toEqual({ search: '', sort: 'planned_next', page_size: '30', cursor: '' })
    expect(screen.getByRole('button', { name: 'All 9' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('change the address, one by one', async () => {
    const { user, address } = open([[aPost()]])
    await rows()
    await user.click(screen.getByRole('button', { name: 'Failed 0' }))
    await user.click(screen.getByRole('button', { name: 'Draft 4' }))
    await waitFor(() => expect(address()).toBe('/social-media-posts?status=draft%2Cfailed'))
    await user.click(screen.getByRole('button', { name: 'Failed 0' }))
    await waitFor(() => expect(address()).toBe('/social-media-posts?status=draft'))
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(address()).toBe('/social-media-posts'))
  })

  test('asked for less often are in a drawer, which says how many posts fit', async () => {
    const { user, address } = open([[aPost()]])
    await rows()
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    const drawer = await screen.findByRole('dialog', { name: 'Filter posts' })
    await user.click(within(drawer).getByRole('button', { name: 'Unclear' }))
    await user.click(within(drawer).getByRole('combobox', { name: 'Assistant' }))
    await user.click(await screen.findByRole('option', { name: 'Cycling tips' }))
    await user.click(within(drawer).getByRole('combobox', { name: 'Account' }))
    await user.click(await screen.findByRole('option', { name: 'Mara Lind (LinkedIn)' }))
    await user.click(within(drawer).getByRole('combobox', { name: 'Tag' }))
    await user.click(await screen.findByRole('option', { name: 'winter (3)' }))
    await user.type(within(drawer).getByLabelText('Scheduled from'), '2026-11-01')
    await waitFor(() =>
      expect(address()).toBe('/social-media-posts?state=unknown&assistant=assistant&account=account&tag=winter&from=2026-11-01'),
    )
    expect(within(drawer).getByRole('button', { name: 'Show 1 post' })).toBeVisible()
    await user.click(within(drawer).getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/social-media-posts'))
  })

  test('take no day before its year is typed, and nothing that the server would refuse', async () => {
    const { user, address, asked } = open([[aPost()]], `/social-media-posts?search=${'x'.repeat(300)}&tag=${'y'.repeat(41)}&to=9999-12-31`)
    await rows()
    const query = new URLSearchParams(asked[0])
    expect(query.get('search')).toHaveLength(200)
    expect([query.get('tag'), query.get('planned_before')]).toEqual([null, null])
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    const field = within(await screen.findByRole('dialog', { name: 'Filter posts' })).getByLabelText('Scheduled from')
    fireEvent.change(field, { target: { value: '0002-11-28' } })
    expect(field).toHaveValue('0002-11-28')
    expect(address()).not.toContain('from=')
    fireEvent.change(field, { target: { value: '2026-11-28' } })
    expect(address()).toContain('from=2026-11-28')
    fireEvent.change(field, { target: { value: '' } })
    expect(address()).not.toContain('from=')
  })

  test('leave the order and the columns as they are', async () => {
    const { user, address } = open([[aPost({ tags: ['winter'] })]], '/social-media-posts?status=draft')
    const [row] = await rows()
    await user.click(screen.getByRole('button', { name: 'Order: Next due first' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Written: newest first' }))
    expect(await screen.findByRole('button', { name: 'Order: Written: newest first' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Changed' }))
    await user.click(screen.getByRole('checkbox', { name: 'Channels' }))
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Post', 'Scheduled', 'Tags', 'Status', 'Changed'])
    // a card, which has no headings, says which time it is
    expect(screen.getAllByRole('cell').filter((cell) => cell.dataset.name).map((cell) => cell.dataset.name)).toEqual(['Changed'])
    await user.click(within(row as HTMLElement).getByRole('button', { name: 'Only posts with the tag winter' }))
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await waitFor(() => expect(address()).toBe('/social-media-posts?sort=created_latest&columns=planned%2Ctags%2Cstatus%2Cupdated'))
  })

  test('that find nothing say what was looked for', async () => {
    open([[]], '/social-media-posts?search=zebra')
    expect(await screen.findByText('No post mentions “zebra”.')).toBeVisible()
  })

  test('that fit nothing say so, and can be cleared', async () => {
    const { user, address } = open([[]], '/social-media-posts?status=failed')
    expect(await screen.findByText('No post matches these filters.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/social-media-posts'))
  })
})

describe('one post', () => {
  const openPost = (changes: Partial<PostOut> = {}) => {
    server.use(
      http.get('*/api/accounts/', () => HttpResponse.json([])),
      http.get('*/api/channels/', () => HttpResponse.json([{ kind: 'linkedin', limits: { max_characters: 10, max_images: 9, needs_image: false } }])),
    )
    itIs('2026-11-21T12:00:00Z')
    return show(
      <TimeZoneContext value="UTC">
        <PostDetail post={aPost(changes)} />
      </TimeZoneContext>,
    )
  }

  test('is named by its topic, else its first line, else what it is', () => {
    openPost()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Riding in rain')
  })

  test.each<[Partial<PostOut>, string]>([
    [{ topic_title: '', content: 'First.\nSecond.' }, 'First.'],
    [{ topic_title: '', content: '' }, 'Post'],
  ])('without a topic has another name (%#)', (post, name) => {
    openPost(post)
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(name)
  })

  test('counts as the server does, and says when they are too many', async () => {
    openPost({ content: '🚲🚲 riding' })
    expect(await screen.findByText('11 of 10 characters')).toHaveAttribute('data-over')
  })

  test('that is too long says so', async () => {
    openPost({ content: 'Mudguards help.' })
    expect(await screen.findByText('15 of 10 characters')).toHaveAttribute('data-over')
  })

  test.each<[Partial<PostOut>, string]>([
    [{}, 'gpt-6-luna'],
    [{ is_demo: true }, 'Demo writer'],
    [{ written_by: '' }, 'You'],
  ])('says who wrote it (%#)', (post, writer) => {
    openPost(post)
    const term = screen.getByText('Written by')
    expect(term.nextElementSibling ?? term.parentElement).toHaveTextContent(writer)
  })

  test('shows its hashtags and all of a long text on demand', async () => {
    const { user } = openPost({ content: `One #rain.\nTwo.\nThree.\nFour, the hidden one.` })
    expect(screen.getByText('#rain')).toBeVisible()
    expect(screen.queryByText(/the hidden one/)).toBeNull()
    await user.click(screen.getByRole('button', { name: '…more' }))
    expect(screen.getByText(/the hidden one/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true')
  })

  test('tells the alt text of each image, and where one has none', () => {
    const file = aFile({ media_id: 'm1', alt: 'A wet bike', url: '/one.png' })
    openPost({ files: [file, { ...file, media_id: 'm2', alt: '' }] })
    expect(screen.getByText('Image 2 of 2')).toBeVisible()
    expect(screen.getByText('This image has no alt text.')).toBeVisible()
    expect(screen.getByRole('img', { name: 'A wet bike' })).toBeVisible()
  })
})
