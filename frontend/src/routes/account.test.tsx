import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { ChannelOut } from '@/api/types.gen'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { AccountRoute } from './account'

const server = startServer()

const linkedin: ChannelOut = {
  kind: 'linkedin',
  label: 'LinkedIn',
  configured: true,
  connection: { consent: true, fields: [], settings: [] },
  can_delete: true,
  limits: {
    max_characters: 3_000,
    counting: 'larger',
    min_images: 0,
    max_images: 9,
    needs_image: false,
    max_hashtags: null,
    max_mentions: null,
    max_first_comment: 0,
    urn_mentions: true,
    link: 'card',
    card_images: 1,
    document: null,
    video: null,
  },
}

function open(at: string) {
  server.use(
    http.get('*/api/accounts/', () => HttpResponse.json([])),
    http.get('*/api/channels/', () => HttpResponse.json([linkedin])),
    http.get('*/api/users/me/api-keys/', () => HttpResponse.json([])),
  )
  return show(<AccountRoute />, { at, path: '/account' })
}

test.each([
  ['/account', 'Social Accounts'],
  ['/account?tab=data', 'Data'],
  ['/account?tab=nothing-of-ours', 'Social Accounts'],
])('%s opens the tab %s', (at, name) => {
  open(at)
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent(name)
})

test('while there is no key, one button leads to the first', async () => {
  const { user } = open('/account?tab=api-keys')
  await screen.findByRole('heading', { name: 'No API keys yet' })
  await user.click(screen.getByRole('link', { name: 'New API key' }))
  expect(await screen.findByRole('dialog')).toBeVisible()
})

test('connecting leads to the first network that can be connected, for the keyboard, too', async () => {
  await speak('de')
  const { user } = open('/account')
  const connect = await screen.findByRole('button', { name: /LinkedIn/ })
  await user.click(screen.getByRole('button', { name: 'Konto verbinden' }))
  expect(connect).toHaveFocus()
})
