import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { WebsiteOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { aWebsite } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { WebsiteTopicsRoute } from './website-topics'

const server = startServer()
const writer = { id: 'assistant', name: 'Journal', active: true, topic_tree_id: 'tree' }
const TREE = {
  id: 'tree', name: 'Cycling', description: '', version: 1, topic_count: 1, used_by: 1,
  created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z',
  topics: [{ id: 'root', parent_id: null, depth: 0, title: 'Riding in rain', notes: '', enabled: true, weight: 1, times_used: 0, last_used_at: null, link: '' }],
}

function open(website: WebsiteOut) {
  server.use(
    http.get('*/api/websites/website/', () => HttpResponse.json(website)),
    http.get('*/api/topics/tree/', () => HttpResponse.json(TREE)),
    http.get('*/api/topics/tree/suggestions/', () => HttpResponse.json([])),
    http.get('*/api/topics/tree/feeds/', () => HttpResponse.json([])),
  )
  return show(<WebsiteTopicsRoute />, { at: '/websites/website/topics', path: '/websites/:websiteId/topics' })
}

test('the topics of the assistant that writes for it are edited below the website', async () => {
  open(aWebsite({ assistant: writer }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Cycling' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Add topic' })).toBeVisible()
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('link')
  expect(crumbs.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Websites', '/websites'], ['Lindhof Journal', '/websites/website'],
  ])
})

test('without an assistant it leads to one', async () => {
  open(aWebsite())
  expect(await screen.findByRole('heading', { name: 'No assistant writes for this website yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Let an assistant write' })).toHaveAttribute('href', '/assistants?new&website=website')
})

test('an assistant without a tree is led to one, chosen or new', async () => {
  open(aWebsite({ assistant: { ...writer, topic_tree_id: null } }))
  expect(await screen.findByRole('heading', { name: '“Journal” has no topics yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Choose a topic tree' })).toHaveAttribute('href', '/assistants/assistant?tab=configuration&field=topic_tree_id')
  expect(screen.getByRole('link', { name: 'Create a topic tree' })).toHaveAttribute('href', '/topics?new')
})

test('of a website that is not there it says that', async () => {
  server.use(http.get('*/api/websites/website/', () => refuse(404, 'not_found')))
  show(<WebsiteTopicsRoute />, { at: '/websites/website/topics', path: '/websites/:websiteId/topics' })
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})
