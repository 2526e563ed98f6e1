import { act, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { refuse } from '@/test/answers'
import { aPost } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { AssistantRoute } from './assistant'
import { PostRoute } from './social-media-post'
import { TemplateRoute } from './template'

const server = startServer()

const PAGES = [
  ['an assistant', '/assistants/:assistantId', 'assistants', <AssistantRoute />],
  ['a post', '/social-media-posts/:socialMediaPostId', 'social-media-posts', <PostRoute />],
  ['a template', '/templates/:templateId', 'templates', <TemplateRoute />],
] as const

test.each(PAGES)('an address of %s that nobody has leads back, instead of asking to try again', async (_, path, part, page) => {
  server.use(
    http.get(`*/api/${part}/gone/`, () => refuse(404, 'not_found')),
    // an address that was cut on its way is no id at all
    http.get(`*/api/${part}/0190b6a4/`, () => refuse(422, 'invalid_input')),
  )
  for (const id of ['gone', '0190b6a4']) {
    const { unmount } = show(page, { at: path.replace(/:\w+/, id), path })
    expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    unmount()
  }
})

test('a post that was deleted since is not shown as if it was there', async () => {
  server.use(http.get('*/api/social-media-posts/one/', () => HttpResponse.json(aPost({ id: 'one', topic_title: 'Rain' }))))
  const { queryClient } = show(<PostRoute />, { at: '/social-media-posts/one', path: '/social-media-posts/:socialMediaPostId' })
  expect(await screen.findByRole('heading', { name: 'Rain' })).toBeVisible()
  server.use(http.get('*/api/social-media-posts/one/', () => refuse(404, 'not_found')))
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})

test.each(PAGES)('%s that a server in trouble does not give can be asked for again', async (_, path, part, page) => {
  server.use(http.get(`*/api/${part}/one/`, () => refuse(500, 'internal')))
  show(page, { at: path.replace(/:\w+/, 'one'), path })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
})
