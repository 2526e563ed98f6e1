import { expect, test } from 'vitest'
import type { NotificationOut } from '@/api/types.gen'
import { notificationPath } from './links'

const about = (kind: NotificationOut['kind'], ids: Partial<NotificationOut>): NotificationOut => ({
  id: 'one',
  kind,
  post_id: null,
  post_title: null,
  assistant_id: null,
  assistant_name: null,
  account_id: null,
  account_name: null,
  channel: null,
  created_at: '2026-11-26T09:00:00Z',
  read_at: null,
  of_article: false,
  ...ids,
})

test.each([
  ['removal_failed', { post_id: 'p' }, '/social-media-posts/p'],
  ['update_failed', { post_id: 'p', of_article: true }, '/posts/p'],
  ['takedown_failed', { post_id: 'p', of_article: true }, '/posts/p'],
  ['run_failed', { assistant_id: 'a' }, '/assistants/a?tab=runs'],
  ['account_reconnect', { account_id: 'c' }, '/account'],
  ['payment_failed', {}, '/subscription'],
] as const)('%s leads to what it is about', (kind, ids, path) => {
  expect(notificationPath(about(kind, ids))).toBe(path)
})
