import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { PostOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aDelivery, aPost } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { AssistantPosts } from './assistant-posts'

const server = startServer()

function open(posts: PostOut[], at = '/assistants/assistant?tab=posts') {
  itIs('2026-11-21T12:00:00Z')
  const asked: Record<string, string>[] = []
  server.use(
    http.get('*/api/social-media-posts/', ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      asked.push(query)
      const items = query.cursor ? [aPost({ id: 'older', topic_title: 'An older one' })] : posts
      return HttpResponse.json({
        items,
        next_cursor: query.cursor || posts.length === 0 ? null : 'next',
        total: posts.length + 1,
      })
    }),
  )
  return {
    asked,
    ...show(
      <TimeZoneContext value="UTC">
        <AssistantPosts assistantId="assistant" />
      </TimeZoneContext>,
      { at },
    ),
  }
}

const row = async (name: string) => (await screen.findByRole('link', { name })).closest('li')

test('each post says when it is due and how it stands, and leads to its page', async () => {
  const { asked } = open([
    aPost(),
    aPost({ id: 'draft', topic_title: 'Snow', status: 'draft', planned_at: null, deliveries: [] }),
  ])
  expect(await row('Riding in rain')).toHaveTextContent('Sat 21 Nov, 09:00Published')
  expect(await row('Snow')).toHaveTextContent('Sat 21 Nov, 08:45Draft')
  expect(screen.getByRole('link', { name: 'Snow' })).toHaveAttribute('href', '/social-media-posts/draft')
  expect(asked[0]).toMatchObject({ assistant_id: 'assistant' })
})

test('one that goes out as soon as it is approved has no other date than until when that can be', async () => {
  open([aPost({ status: 'draft', planned_at: '2026-11-22T11:05:00Z', deliveries: [], approval: { state: 'waiting', at_deadline: 'hold', deadline_at: '2026-11-22T11:04:00Z', decided_at: null, by_deadline: false, remark: '', rewrite_error: null, at_once: true } })])
  expect(await row('Riding in rain')).toHaveTextContent('Answer by Sun 22 Nov, 11:04')
})

test.each([
  [{ topic_title: '' }, 'Mudguards help.'],
  [{ topic_title: '', content: ' ' }, 'No text yet'],
])('a post without a topic has another name (%#)', async (post, name) => {
  open([aPost(post)])
  expect(await screen.findByRole('link', { name })).toBeVisible()
})

test('what needs a person is said before what the post is', async () => {
  open([aPost({ deliveries: [aDelivery(), aDelivery({ id: 'other', state: 'unknown' })] })])
  expect(await row('Riding in rain')).toHaveTextContent('Unclear')
})

test('the next page has an address', async () => {
  const { user, address } = open([aPost()])
  await user.click(await screen.findByRole('link', { name: 'Older' }))
  expect(await screen.findByRole('link', { name: 'An older one' })).toBeVisible()
  expect(address()).toContain('cursor=next')
  expect(address()).toContain('tab=posts')
  await user.click(screen.getByRole('link', { name: 'Newest' }))
  expect(await screen.findByRole('link', { name: 'Riding in rain' })).toBeVisible()
  expect(address()).not.toContain('cursor')
})

test('before the first one it says how they come, in German too', async () => {
  await speak('de')
  open([])
  expect(await screen.findByText('Noch kein Beitrag. Der erste Lauf schreibt einen.')).toBeVisible()
})

test('what could not be loaded is asked for again', async () => {
  const { user } = open([aPost()])
  await row('Riding in rain')
  server.use(http.get('*/api/social-media-posts/', () => refuse(500, 'internal'), { once: true }))
  await user.click(screen.getByRole('link', { name: 'Older' }))
  await screen.findByText('Posts could not be loaded')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'An older one' })).toBeVisible()
})
