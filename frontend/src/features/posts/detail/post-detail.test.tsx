import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { AccountOut, DeliveryOut, PostOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { aDelivery, aFile, anAccount, anArticle, aPost } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { PostDetail } from './post-detail'

const server = startServer()

const LONG = `${'word '.repeat(60)}end`

function open(
  post: Partial<PostOut> = {},
  { accounts = [anAccount()], limit = 3_000, ...more }: { accounts?: AccountOut[]; limit?: number; max_first_comment?: number } = {},
) {
  itIs('2026-11-21T12:00:00Z')
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json(accounts)),
    http.get('*/api/channels/', () =>
      HttpResponse.json([
        {
          kind: 'linkedin',
          label: 'LinkedIn',
          configured: true,
          limits: { max_characters: limit, max_images: 9, needs_image: false, ...more },
        },
      ]),
    ),
  )
  return show(
    <TimeZoneContext value="UTC">
      <PostDetail post={aPost(post)} />
    </TimeZoneContext>,
  )
}

const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling
const preview = () => within(screen.getByRole('article'))

describe('a copy', () => {
  const out = aDelivery({ id: 'out' })
  const failed = aDelivery({ id: 'failed', account_id: 'other', channel: 'instagram', state: 'failed', error_code: 'image_ratio_refused' })

  test.each<[string, Partial<PostOut>, string]>([
    ['en', { status: 'failed', deliveries: [out, failed] }, 'Copy for the channels that failed'],
    ['de', { status: 'failed', deliveries: [out, failed] }, 'Kopie für die fehlgeschlagenen Kanäle'],
    ['en', { status: 'complete', deliveries: [aDelivery({ state: 'unknown' }), failed] }, 'Copy for the channels that failed'],
    ['en', { status: 'failed', deliveries: [failed] }, 'Duplicate'],
    ['en', { status: 'published', deliveries: [out] }, 'Duplicate'],
  ])('says whom it is for, in %s (%#)', async (language, post, name) => {
    if (language === 'de') await speak('de')
    open(post)
    expect(screen.getAllByRole('button', { name })).toHaveLength(name === 'Duplicate' ? 1 : 2)
  })

  test('is made from the message that asks for another image', async () => {
    const asked = new Promise((resolve) => {
      server.use(
        http.post('*/api/social-media-posts/post/duplicate/', async ({ request }) => {
          resolve(await request.json())
          return HttpResponse.json(aPost(), { status: 201 })
        }),
      )
    })
    const { user } = open({ status: 'failed', deliveries: [out, failed] })
    const message = screen.getByText(/^The post can’t be edited any more/).closest<HTMLElement>('[role=status]')
    if (!message) throw new Error('the message has no role')
    await user.click(within(message).getByRole('button', { name: 'Copy for the channels that failed' }))
    expect(await asked).toHaveProperty('id')
    expect(await screen.findByText('Copied as a draft for the channels that failed.')).toBeVisible()
  })
})

test.each([
  ['en', 'Published on 6 of 7'],
  ['de', 'Auf 6 von 7 veröffentlicht'],
] as const)('a post that failed on one channel says on how many it is published, in %s', async (language, name) => {
  if (language === 'de') await speak('de')
  const deliveries = Array.from({ length: 7 }, (_, at) => aDelivery({ id: `${at}`, state: at ? 'published' : 'failed' }))
  open({ status: 'failed', deliveries })
  expect(screen.getByText(name)).toHaveAttribute('data-status', 'partly')
})

test('one that goes out as soon as it is approved has no other time', () => {
  open({ status: 'draft', planned_at: '2026-11-22T11:05:00Z', approval: { state: 'waiting', at_deadline: 'hold', deadline_at: '2026-11-22T11:04:00Z', decided_at: null, by_deadline: false, remark: '', rewrite_error: null, at_once: true } })
  expect(fact('Scheduled')).toHaveTextContent('as soon as you approve; answer by Sun 22 Nov, 11:04')
})

test.each([
  ['en', 'Publishing, 5 of 7', 'Do not publish', ['Move', 'Publish now']],
  ['de', 'Wird veröffentlicht, 5 von 7', 'Nicht veröffentlichen', ['Verschieben', 'Jetzt veröffentlichen']],
] as const)('a post whose time has come says how many channels have it, and can only be stopped, in %s', async (language, name, stop, others) => {
  if (language === 'de') await speak('de')
  const out = Array.from({ length: 5 }, (_, at) => aDelivery({ id: `${at}` }))
  const pending = ['a', 'b'].map((id) => aDelivery({ id, state: 'pending', called_at: null, settled_at: null, attempts: 0 }))
  open({ status: 'complete', planned_at: '2026-11-21T11:59:00Z', deliveries: [...out, ...pending] })
  expect(screen.getByText(name)).toHaveAttribute('data-status', 'publishing')
  expect(screen.getByRole('button', { name: stop })).toBeVisible()
  for (const other of others) expect(screen.queryByRole('button', { name: other })).toBeNull()
})

describe('the title', () => {
  test.each<[string, Partial<PostOut>]>([
    ['Riding in rain', {}],
    ['Mudguards help.', { topic_title: '', content: '\nMudguards help.\nAlways.' }],
    ['Post', { topic_title: '', content: ' ' }],
  ])('is %s', (title, post) => {
    open(post)
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible()
  })
})

test.each([
  ['publishing', true],
  ['pending', false],
] as const)('a post that is %s cannot be deleted: %s', (state, fixed) => {
  open({ status: 'complete', deliveries: [aDelivery({ state, called_at: null, settled_at: null })] })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  expect(button.disabled).toBe(fixed)
})

test('without text and account no network is made up', () => {
  open({ status: 'draft', content: ' ', files: [], deliveries: [], account_ids: [] })
  expect(screen.getByText('No text has been written yet, and no account is selected.')).toBeVisible()
  expect(screen.queryByRole('article')).toBeNull()
  expect(screen.queryByText('Preview for LinkedIn')).toBeNull()
})

test.each([
  ['draft', '?designer=carousel&page=p1&post=post'],
  ['complete', '?designer=carousel&page=p1'],
] as const)('the carousel of a post that is %s is edited for the post only while that can be changed', (status, search) => {
  open({ id: 'post', status, deliveries: status === 'draft' ? [] : [aDelivery()], files: [aFile({ media_id: 'p1', carousel: { number: 1, count: 3, sequence_id: 's' } })] })
  expect(screen.getByRole('link', { name: 'Edit as new carousel' })).toHaveAttribute('href', `/media-gallery${search}`)
})

test.each([
  ['pending', 1],
  ['published', 0],
] as const)('what a second look found says that the post can be published only before it is: %s', async (state, hints) => {
  open({ review: [{ finding: 'wrong_language', network: null, params: {} }], deliveries: [aDelivery({ state })] })
  expect(await screen.findByText('The text is not in the post’s language.')).toBeVisible()
  expect(screen.queryAllByText(/The post can be published as it is/)).toHaveLength(hints)
})

describe('the facts', () => {
  test('of an announcement lead back to its article', async () => {
    server.use(http.get('*/api/articles/rain/', () => HttpResponse.json(anArticle({ id: 'rain', title: 'Riding in rain' }))))
    open({ announces_id: 'rain', topic_title: '', content: 'Read this.' })
    expect(screen.getByText('Announces')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Riding in rain' })).toHaveAttribute('href', '/posts/rain')
  })

  test('say whose it is, when it is due, and who wrote it', () => {
    open({ tags: ['winter tyres'] })
    expect(screen.getByRole('link', { name: 'Cycling tips' })).toHaveAttribute('href', '/assistants/assistant')
    expect(fact('Scheduled')).toHaveTextContent('Sat 21 Nov, 09:00')
    expect(fact('Written by')).toHaveTextContent('gpt-6-luna')
    expect(fact('Language')).toHaveTextContent('English')
    const tag = screen.getByRole('link', { name: 'Only posts with the tag winter tyres' })
    expect(tag).toHaveAttribute('href', '/social-media-posts?tag=winter+tyres')
  })

  test('of one by hand, without a plan, say that', () => {
    open({
      assistant_id: null,
      assistant_name: null,
      planned_at: null,
      written_by: '',
      topic_title: '',
      deliveries: [],
    })
    expect(fact('Assistant')).toHaveTextContent('None')
    expect(fact('Scheduled')).toHaveTextContent('Not scheduled')
    expect(fact('Written by')).toHaveTextContent('You')
    expect(screen.queryByText('Topic')).toBeNull()
  })

  test('of a draft that is not planned say for when it was intended', () => {
    open({ status: 'draft', planned_at: '2026-10-22T07:00:00Z', deliveries: [] })
    expect(fact('Scheduled for')).toHaveTextContent('Oct')
    expect(screen.queryByText('Scheduled')).toBeNull()
  })

  test('of a language that the interface does not have name it as the server does', () => {
    open({ language: 'fr' })
    expect(fact('Language')).toHaveTextContent('fr')
  })

  test('say where no language model wrote, to those who hear it, too', () => {
    open({ is_demo: true })
    expect(fact('Written by')).toHaveTextContent('Demo writer')
    expect(screen.getAllByText('Text without a language model. The server’s operator can set one up.')).toHaveLength(2)
  })
})

describe('the alt texts', () => {
  test('stand with their images, and a missing one is told', () => {
    open({ files: [aFile(), aFile({ media_id: 'second', alt: '' })] })
    expect(fact('Image 1 of 2')).toHaveTextContent('A wet street')
    expect(fact('Image 2 of 2')).toHaveTextContent('This image has no alt text.')
  })

  test('without images are nothing', () => {
    open()
    expect(screen.queryByRole('heading', { name: 'Alt text' })).toBeNull()
  })
})

test('a time that was meant in another zone is told in that one as well', () => {
  open({ planned_at: '2026-11-21T09:00:00Z', time_zone: 'America/New_York' })
  expect(fact('Scheduled')).toHaveTextContent('Sat 21 Nov, 09:00')
  expect(fact('Time zone')).toHaveTextContent('America/New_York: Sat 21 Nov, 04:00')
})

describe('the preview', () => {
  const gone = (delivery: Partial<DeliveryOut>) =>
    aDelivery({
      ...delivery,
      removal: { state: 'removed', removed_at: '2026-11-21T11:00:00Z', next_at: null, attempts: 1, error_code: null, error_detail: null },
    })

  test('is of what was there, once all of it is deleted there', () => {
    open({ status: 'published', deliveries: [gone({ account_name: 'Mara' })] })
    expect(screen.getByRole('region', { name: 'As shown on LinkedIn' })).toBeVisible()
    expect(preview().getByText('Mara')).toBeVisible()
  })

  test('is of what is there still', () => {
    const there = aDelivery({ id: 'there', account_id: 'there', account_name: 'Jonas' })
    open({ status: 'published', deliveries: [gone({ channel: 'facebook', account_name: 'Mara' }), there] })
    expect(screen.getByRole('region', { name: 'Preview for LinkedIn' })).toBeVisible()
    expect(preview().getByText('Jonas')).toBeVisible()
    expect(preview().queryByText('Mara')).toBeNull()
  })

  test('names the account as it is called now, else as it was then', async () => {
    open({ deliveries: [aDelivery({ account_name: 'Mara' })] }, { accounts: [anAccount({ name: 'Mara Lind' })] })
    expect(preview().getByText('Mara')).toBeVisible()
    expect(await preview().findByText('Mara Lind')).toBeVisible()
  })

  test('of one whose account is gone keeps its name', async () => {
    open({ deliveries: [aDelivery({ account_name: 'Mara' })] }, { accounts: [] })
    await screen.findByText(/of 3,000 characters/)
    expect(preview().getByText('Mara')).toBeVisible()
  })

  test.each<[string, Partial<Parameters<typeof aDelivery>[0]>]>([
    ['Sat 21 Nov, 09:00', {}],
    // not when somebody said that it is there
    ['Sat 21 Nov, 09:00', { settled_at: '2026-11-21T11:30:00Z', decided_at: '2026-11-21T11:30:00Z' }],
    ['Sat 21 Nov, 10:15', { called_at: null, settled_at: '2026-11-21T10:15:00Z' }],
    ['Now', { state: 'pending', called_at: null, settled_at: null }],
    ['Now', { state: 'failed' }],
  ])('is dated %s (%#)', (date, delivery) => {
    open({ deliveries: [aDelivery(delivery)] })
    expect(preview().getByText(new RegExp(`^${date}`))).toBeVisible()
  })

  test.each([
    ['published', 1],
    ['failed', 0],
    ['unknown', 0],
  ] as const)('has its first comment where that is there or may come: %s', async (state, number) => {
    const comment = { state, attempts: 1, next_at: null, error_code: null, error_detail: null }
    open({ first_comment: 'More in the manual.', deliveries: [aDelivery({ comment })] }, { max_first_comment: 100 })
    await screen.findByText(/of 3,000 characters/)
    expect(preview().queryAllByText('More in the manual.')).toHaveLength(number)
  })

  test('has each text once, with who gets it', async () => {
    const accounts = [anAccount(), anAccount({ id: 'second', name: 'Jonas Weber' }), anAccount({ id: 'third', name: 'Hay & Co.' })]
    const deliveries = [
      aDelivery({ content: 'Only Mara says this.' }),
      aDelivery({ id: 'b', account_id: 'second', account_name: 'Jonas Weber' }),
      aDelivery({ id: 'c', account_id: 'third', account_name: 'Hay & Co.' }),
    ]
    open({ content: 'All the others say that.', deliveries }, { accounts })
    await screen.findByText('20 of 3,000 characters')
    const [own, common] = screen.getAllByRole('article')
    expect(own).toHaveTextContent(/Mara Lind.*Only Mara says this\./)
    expect(common).toHaveTextContent(/Jonas Weber.*All the others say that\./)
    expect(screen.getByText('Jonas Weber and Hay & Co.')).toBeVisible()
  })

  test('of a draft has the text of each account that it is meant for', async () => {
    const accounts = [anAccount(), anAccount({ id: 'second', name: 'Jonas Weber' })]
    const variants = [{ account_id: 'second', channel: 'linkedin' as const, content: 'Only Jonas says this.' }]
    open({ content: 'All say that.', deliveries: [], account_ids: ['account', 'second'], variants }, { accounts })
    expect((await screen.findByText('Only Jonas says this.')).closest('article')).toHaveTextContent('Jonas Weber')
    expect(screen.getByText('All say that.', { selector: 'p' }).closest('article')).toHaveTextContent('Mara Lind')
  })

  test('of a draft stand in the order in which its accounts were chosen', async () => {
    const accounts = [anAccount(), anAccount({ id: 'second', name: 'Jonas Weber' })]
    const variants = [{ account_id: 'second', channel: 'linkedin' as const, content: 'Only Jonas says this.' }]
    open({ content: 'All say that.', deliveries: [], account_ids: ['second', 'account'], variants }, { accounts })
    await screen.findByText('Only Jonas says this.')
    const texts = screen.getAllByRole('article').map(({ textContent }) => textContent)
    expect(texts).toEqual([expect.stringContaining('Only Jonas says this.'), expect.stringContaining('All say that.')])
  })

  test('cuts where the network cuts, and shows all of it on demand', async () => {
    const { user } = open({ content: LONG })
    expect(preview().queryByText(/end/)).toBeNull()
    await user.click(preview().getByRole('button', { name: '…more' }))
    expect(preview().getByText(/word end$/)).toBeVisible()
    await user.click(preview().getByRole('button', { name: 'Show less', expanded: true }))
    expect(preview().queryByText(/end/)).toBeNull()
  })

  test('marks hashtags, those with letters of any language, too', () => {
    open({ content: 'Ride on #Regen_1 and #größe, not # alone' })
    expect([...document.querySelectorAll('.pv-tag')].map((tag) => tag.textContent)).toEqual(['#Regen_1', '#größe'])
  })

  test.each([
    ['4 of 4 characters', '🚲🚲', 4, false],
    ['3 of 2 characters', 'abc', 2, true],
  ])('counts as the server does: %s', async (text, content, limit, over) => {
    open({ content }, { limit })
    expect((await screen.findByText(text)).hasAttribute('data-over')).toBe(over)
  })

  test('speaks the language of the page around a text in its own', async () => {
    await speak('de')
    open({ language: 'en', content: LONG })
    expect(screen.getByRole('article')).toHaveAttribute('lang', 'en')
    expect(preview().getByRole('button')).toHaveAttribute('lang', 'de')
  })
})

describe('what a second look found', () => {
  test('stands beside the post', async () => {
    open({ review: [{ finding: 'cliche', network: 'linkedin', params: { what: 'game changer' } }] })
    expect(await screen.findByRole('heading', { name: 'What a second look found' })).toBeVisible()
    expect(screen.getByText('Worn phrase: “game changer”')).toBeVisible()
  })

  test('takes no place where it found nothing', () => {
    open()
    expect(screen.queryByText('What a second look found')).toBeNull()
  })
})
