import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { ApprovalLinkOut, LinkedPostOut } from '@/api/types.gen'
import { aFile } from '@/test/made'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ApprovalLink } from './approval-link'

const server = startServer()

const post = (changes: Partial<LinkedPostOut> = {}): LinkedPostOut => ({
  assistant_name: 'Commuter tips',
  topic_title: 'Riding in rain',
  article: null,
  content: 'Rain is only water.',
  first_comment: '',
  language: 'en',
  planned_at: '2026-11-24T08:00:00Z',
  time_zone: 'Europe/Berlin',
  deadline_at: '2026-11-21T19:49:00Z',
  at_deadline: 'hold',
  at_once: false,
  is_demo: false,
  accounts: [
    { name: 'Mara Lind', channel: 'linkedin', content: null, first_comment: '', link: 'card', file_places: [0], hides_cover: false },
    { name: 'Lindhof', channel: 'linkedin', content: 'We ride in rain.', first_comment: '', link: 'card', file_places: [0], hides_cover: false },
  ],
  link: null,
  files: [
    aFile({ media_id: 'm', url: '/api/media/m/file/' }),
  ],
  ...changes,
})
const asked = (changes?: Partial<LinkedPostOut>): ApprovalLinkOut => ({ state: 'open', decided_at: null, by_deadline: false, topic_title: 'Rain', at_deadline: 'hold', at_once: false, post: post(changes) })
const over = (state: ApprovalLinkOut['state'], by_deadline = false): ApprovalLinkOut => ({
  state,
  decided_at: ['approved', 'declined'].includes(state) ? '2026-11-21T11:30:00Z' : null,
  by_deadline,
  topic_title: 'Rain without drama',
  at_deadline: 'hold',
  at_once: false,
  post: null,
})

/** The link as the server has it: each answer to a look in turn, the last one from then on. */
function open(looks: (ApprovalLinkOut | Response)[], { token = 'secret', answer }: { token?: string; answer?: Response } = {}) {
  itIs('2026-11-21T12:00:00Z')
  const sent: unknown[] = []
  const asks: unknown[] = []
  server.use(
    http.post('*/api/approvals/link/', async ({ request }) => {
      asks.push(await request.json())
      const look = looks.length > 1 ? looks.shift() : looks[0]
      return look instanceof Response ? look.clone() : HttpResponse.json(look)
    }),
    http.post('*/api/approvals/link/decision/', async ({ request }) => {
      const body = (await request.json()) as { approved: boolean }
      sent.push(body)
      return answer ?? HttpResponse.json(over(body.approved ? 'approved' : 'declined'))
    }),
  )
  return { ...show(<ApprovalLink postId="rain" token={token} />), sent, asks }
}

const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const button = (name: string) => screen.getByRole('button', { name })

describe('the link of a mail', () => {
  test('shows equal texts once, with all accounts that get them', async () => {
    const [mara, lindhof] = post().accounts as [LinkedPostOut['accounts'][0], LinkedPostOut['accounts'][0]]
    open([asked({ accounts: [mara, lindhof, { ...mara, name: 'Lindhof Page', channel: 'facebook' }] })])
    await title('Publish this?')
    const shown = within(screen.getByRole('region', { name: 'Riding in rain' }))
    expect(shown.getAllByText('Rain is only water.')).toHaveLength(1)
    const [first, second] = shown.getAllByRole('listitem')
    expect(within(first as HTMLElement).getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'On LinkedIn, as Mara Lind',
      'On Facebook, as Lindhof Page',
    ])
    expect(within(second as HTMLElement).getByRole('heading', { level: 2 })).toHaveTextContent('On LinkedIn, as Lindhof')
  })

  test.each([true, false])('names the demo writer where it wrote the text (%s)', async (is_demo) => {
    open([asked({ is_demo })])
    await title('Publish this?')
    expect(screen.queryAllByText(/^The demo writer wrote the text/)).toHaveLength(is_demo ? 1 : 0)
  })

  test('shows exactly what is asked, and decides nothing', async () => {
    const { sent, asks } = open([asked()])
    await title('Publish this?')
    const shown = within(screen.getByRole('region', { name: 'Riding in rain' }))
    expect(shown.getByText('Rain is only water.')).toBeVisible()
    expect(shown.getByText('We ride in rain.')).toBeVisible()
    expect(shown.getAllByRole('img', { name: 'A wet street' })).toHaveLength(2)
    expect(shown.getByText('Tue 24 Nov, 09:00 (Europe/Berlin)')).toBeVisible()
    expect(shown.getByText('Mara Lind (LinkedIn) and Lindhof (LinkedIn)')).toBeVisible()
    expect(shown.getByText(/^7 .*49 .*left\.$/)).toBeVisible()
    expect(shown.getByText(/Without an answer, the draft is kept\./)).toBeVisible()
    expect(shown.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/social-media-posts?compose=rain')
    expect(asks).toEqual([{ post_id: 'rain', token: 'secret' }])
    expect(sent).toEqual([])
  })

  test('shows an article as its readers will see it', async () => {
    const article = { title: 'Riding in rain', summary: 'What to wear.', html: '<p>A cape.</p>', website: 'Lindhof Journal', words: 812, reading_minutes: 4, featured: null }
    open([asked({ article, accounts: [{ name: 'Lindhof Journal', channel: 'wordpress', content: null, first_comment: '', link: 'left_out', file_places: [0], hides_cover: false }] })])
    const shown = within(await screen.findByRole('region', { name: 'Riding in rain' }))
    expect(await shown.findByText('A cape.')).toBeVisible()
    expect(shown.getByText('Lindhof Journal')).toBeVisible()
    expect(shown.getByText('Lindhof Journal · 812 words · 4 minutes to read')).toBeVisible()
    expect(screen.getByText(/has prepared the article “Riding in rain”\.$/)).toBeVisible()
    expect(shown.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/posts/rain?edit=text')
  })

  test('shows all of a long text at once', async () => {
    const end = 'And this is how it ends.'
    open([asked({ content: `${'Rain is only water.\n\n'.repeat(20)}${end}` })])
    await title('Publish this?')
    expect(screen.getByText(new RegExp(end))).toBeVisible()
  })

  test('approves with one click, and leads on', async () => {
    const { user, sent } = open([asked()])
    await title('Publish this?')
    await user.click(button('Approve'))
    await title('Approved')
    expect(sent).toEqual([{ post_id: 'rain', token: 'secret', approved: true, remark: '' }])
    expect(screen.getByRole('link', { name: 'Open in Postloom' })).toHaveAttribute('href', '/social-media-posts/rain')
  })

  test.each([
    ['approves', true],
    ['declines', false],
  ])('pressed twice in one moment, %s once', async (_, approved) => {
    const { user, sent } = open([asked()])
    await title('Publish this?')
    if (!approved) await user.click(button('Decline'))
    const answer = button(approved ? 'Approve' : 'Decline')
    fireEvent.click(answer)
    fireEvent.click(answer)
    await title(approved ? 'Approved' : 'Declined')
    expect(sent).toHaveLength(1)
  })

  test('declines with the reason', async () => {
    const { user, sent } = open([asked()])
    await title('Publish this?')
    await user.click(button('Decline'))
    expect(sent).toEqual([])
    await user.type(screen.getByRole('textbox', { name: /^Reason/ }), ' Too loud {Enter}')
    await title('Declined')
    expect(sent).toEqual([{ post_id: 'rain', token: 'secret', approved: false, remark: 'Too loud' }])
  })

  test('stops what goes out without an answer', async () => {
    open([asked({ at_deadline: 'publish' })])
    await title('Publish this?')
    expect(button('Stop')).toBeVisible()
    expect(screen.getByText(/Without an answer, publishing goes ahead automatically\./)).toBeVisible()
  })

  test.each([
    ['approved', false, 'Approved', /^Approved at 1[0-9]:30/],
    ['approved', true, 'The deadline has passed', /^Nobody objected by/],
    ['declined', false, 'Declined', /^Declined at/],
    ['expired', false, 'The deadline has passed', /^Nobody decided in time, so nothing is published\. The draft is kept/],
    ['outdated', false, 'The content has changed', /earlier version/],
    ['withdrawn', false, 'This request was withdrawn', /cancelled/],
  ] as const)('that is %s (by its deadline: %s) says so and leads on', async (state, byDeadline, heading, text) => {
    open([over(state, byDeadline)])
    await title(heading)
    expect(screen.getByText(text)).toBeVisible()
    expect(screen.getByText('Rain without drama')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.getByRole('link', { name: 'Open in Postloom' })).toBeVisible()
  })

  test('says what has happened meanwhile instead of the answer', async () => {
    const { user } = open([asked(), over('outdated')], { answer: refuse(409, 'approval_outdated') })
    await title('Publish this?')
    await user.click(button('Approve'))
    await title('The content has changed')
  })

  test('says why an answer was not taken, and keeps asking', async () => {
    const { user } = open([asked()], { answer: refuse(500, 'internal') })
    await title('Publish this?')
    await user.click(button('Approve'))
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Your answer was not saved\./)
    expect(button('Approve')).toBeEnabled()
  })

  test('shows nothing to answer once the deadline is over', async () => {
    open([asked({ deadline_at: '2026-11-21T11:59:00Z' })])
    await title('The deadline has passed')
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('that nobody knows, or that is incomplete, says so without asking', async () => {
    open([refuse(422, 'link_invalid')])
    await title('This link does not work')
    expect(screen.getByRole('link', { name: 'See all approvals' })).toHaveAttribute('href', '/social-media-posts?tab=approvals')
  })

  test('without its token asks nobody', async () => {
    const { asks } = open([asked()], { token: '' })
    await title('This link does not work')
    expect(asks).toEqual([])
  })

  test('that could not be asked can be tried again', async () => {
    const { user } = open([refuse(500, 'internal'), asked()])
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await title('Publish this?')
  })

  test('speaks German', async () => {
    await speak('de')
    open([asked()])
    await title('Veröffentlichung freigeben?')
    await waitFor(() => expect(button('Freigeben')).toBeVisible())
  })
})

test('the cover of a video is shown where the network shows it', async () => {
  const clip = aFile({ media_id: 'clip', kind: 'video', alt: 'A street', thumbnail_url: '/frame.webp', cover_url: '/face.jpg' })
  const account = { content: null, first_comment: '', link: 'left_out' as const, file_places: [0] }
  open([
    asked({
      files: [clip],
      accounts: [
        { ...account, name: 'Mara Lind', channel: 'linkedin', hides_cover: false },
        { ...account, name: 'Lindhof', channel: 'bluesky', hides_cover: true },
      ],
    }),
  ])
  const covers = (await screen.findAllByRole('img', { name: 'A street' })).map((image) => image.getAttribute('src'))
  expect(covers).toEqual(['/face.jpg', '/frame.webp'])
})

test('what somebody has asked for goes out as soon as it is approved, and says so', async () => {
  open([asked({ at_once: true })])
  expect(await screen.findByText('as soon as you approve')).toBeVisible()
})

test.each([
  ['en', true, 'Approve', 'Approved', /^Approved at .*\. Publishing starts right away\.$/],
  ['en', false, 'Approve', 'Approved', /^Approved at .*\. Publishing goes ahead as scheduled\.$/],
  ['de', true, 'Freigeben', 'Freigegeben', /^Freigegeben um .*\. Veröffentlicht wird sofort\.$/],
] as const)('what is approved is said to go out when it does (%s, at once: %s)', async (language, at_once, approve, heading, text) => {
  if (language === 'de') await speak('de')
  const { user } = open([asked({ at_once })], { answer: HttpResponse.json({ ...over('approved'), at_once }) })
  await user.click(await screen.findByRole('button', { name: approve }))
  await title(heading)
  expect(screen.getByText(text)).toBeVisible()
})
