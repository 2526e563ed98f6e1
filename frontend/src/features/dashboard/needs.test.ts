import { expect, test } from 'vitest'
import type { DeliveryOut, PostOut, PostPage } from '@/api/types.gen'
import { needsOf } from './needs'

const delivery = (id: string, state: DeliveryOut['state']): DeliveryOut => ({
  id,
  account_id: 'account',
  account_name: 'Mara Lind',
  posts_url: 'https://network.example/in/me/',
  channel: 'linkedin',
  state,
  attempts: 1,
  permalink: null,
  error_code: null,
  error_detail: null,
  called_at: null, held_until: null, retry_at: null,
  settled_at: null,
  decided_at: null, removable: 'yes', removal: null, comment: null, comment_left: null, content: null,
})
const post = (id: string, status: PostOut['status'], ...deliveries: DeliveryOut[]): PostOut => ({
  id,
  assistant_id: null,
  approval: null,
  account_ids: [], variants: [], review: [], first_comment: '', link: null, announces_id: null, content_hash: 'hash',
  pinned: false, is_article: false, leaves: false,
  assistant_name: null,
  source: 'assistant',
  status,
  content: '',
  topic_title: id,
  language: 'en',
  written_by: '',
  is_demo: true,
  planned_at: null,
  time_zone: 'UTC',
  files: [],
  deliveries,
  acknowledged_at: null,
  tags: [],
  version: 1,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
})
const page = (items: PostOut[], total = items.length): Pick<PostPage, 'items' | 'total'> => ({ items, total })
const unanswered = { deliveries: [], posts: [] }
const stopped = { accounts_to_reconnect: [], paused_assistants: [], unplanned_assistants: [] }

const twice = post('twice', 'complete', delivery('first', 'unknown'), delivery('second', 'unknown'), delivery('out', 'published'))
const failed = post('failed', 'failed', delivery('lost', 'failed'))
const account = { id: 'account', channel: 'linkedin', name: 'Mara Lind' } as const

test('each unclear channel is a question of its own, and its post counts once', () => {
  const needs = needsOf(page([twice, failed], 9), unanswered, { ...stopped, accounts_to_reconnect: [account] })
  expect(needs.unclear.map((question) => question.delivery.id)).toEqual(['first', 'second'])
  expect(needs.failed).toEqual([failed])
  expect([needs.more, needs.count]).toEqual([7, 10])
})

test('what has to be decided next is listed, however much else waits', () => {
  const asked = [3, 1, 2, 4].map((hour) => ({
    ...post(`asked ${hour}`, 'draft', delivery(`${hour}`, 'pending')),
    approval: {
      state: 'waiting', at_deadline: 'hold', deadline_at: `2026-11-21T0${hour}:00:00Z`, decided_at: null,
      by_deadline: false, remark: '', at_once: false, rewrite_error: null,
    } as const,
  }))
  const old = Array.from({ length: 9 }, (_, at) => post(`failed ${at}`, 'failed', delivery(`lost ${at}`, 'failed')))
  const both = needsOf(page([...old, ...asked], 40), unanswered, stopped)
  expect(both.toApprove.map(({ id }) => id)).toEqual(['asked 1', 'asked 2', 'asked 3'])
  expect(both.failed.map(({ id }) => id)).toEqual(['failed 0', 'failed 1', 'failed 2'])
  expect([both.more, both.count]).toEqual([34, 40])
  const few = needsOf(page([...old.slice(0, 1), ...asked]), unanswered, stopped)
  expect([few.toApprove.length, few.failed.length, few.more]).toEqual([4, 1, 0])
  expect(needsOf(page(old), unanswered, stopped).failed).toHaveLength(6)
})

test('what was just answered waits no more, as long as nothing else of it does', () => {
  const half = needsOf(page([twice, failed]), { deliveries: ['first'], posts: ['failed'] }, stopped)
  expect(half.unclear.map((question) => question.delivery.id)).toEqual(['second'])
  expect([half.failed.length, half.count]).toEqual([0, 1])
  expect(needsOf(page([twice]), { deliveries: ['first', 'second'], posts: [] }, stopped).count).toBe(0)
})
