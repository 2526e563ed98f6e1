import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { InvitationsRoute } from './invitations'

const server = startServer()

function open(at: string) {
  server.use(
    http.get('*/api/invitations/', () =>
      HttpResponse.json({ items: [], next_cursor: null, total: 0, open: 0, limit: 10 }),
    ),
  )
  return show(<InvitationsRoute />, { at, path: '/invitations' })
}

test('while nobody is invited, one button leads to the first', async () => {
  const { user, address } = open('/invitations')
  await screen.findByRole('heading', { name: 'No invitations yet' })
  await user.click(screen.getByRole('link', { name: 'New invitation' }))
  expect(await screen.findByRole('dialog', { name: 'New invitation' })).toBeVisible()
  expect(address()).toBe('/invitations?new')
})

test('a new one has an address, which keeps the search when it is left', async () => {
  const { user, address } = open('/invitations?search=tom&new')
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe('/invitations?search=tom')
})
