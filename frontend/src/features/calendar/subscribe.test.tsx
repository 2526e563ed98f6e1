import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { refuse } from '@/test/answers'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { Subscribe } from './subscribe'

const server = startServer()

/** A server that keeps one address, or none. */
function keeping(address: string | null) {
  let made = 0
  const answer = () => HttpResponse.json({ address, created_at: address && '2026-11-24T08:00:00Z' })
  server.use(
    http.get('*/api/calendar/feed/', answer),
    http.post('*/api/calendar/feed/', () => {
      address = `http://postloom.test/api/calendar/feed/token-${++made}.ics`
      return answer()
    }),
    http.delete('*/api/calendar/feed/', () => {
      address = null
      return new HttpResponse(null, { status: 204 })
    }),
  )
}

async function open() {
  itIs('2026-11-24T12:00:00Z')
  const view = show(<Subscribe />)
  await view.user.click(screen.getByRole('button', { name: 'Subscribe' }))
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: 'Subscribe to this calendar' })) }
}

test('an address is made, renewed and switched off', async () => {
  keeping(null)
  const { user, dialog } = await open()
  await user.click(await dialog.findByRole('button', { name: 'Create link' }))
  const field = await dialog.findByLabelText('Private link')
  expect(field).toHaveValue('http://postloom.test/api/calendar/feed/token-1.ics')
  await user.click(dialog.getByRole('button', { name: 'New link' }))
  await user.click(await screen.findByRole('button', { name: 'Create new link' }))
  await waitFor(() => expect(dialog.getByLabelText('Private link')).toHaveValue('http://postloom.test/api/calendar/feed/token-2.ics'))
  await user.click(dialog.getByRole('button', { name: 'Switch off' }))
  await user.click(await screen.findByRole('button', { name: 'Switch off the link' }))
  expect(await dialog.findByRole('button', { name: 'Create link' })).toBeVisible()
})

test('what did not work is forgotten once something else did', async () => {
  keeping('http://postloom.test/api/calendar/feed/token.ics')
  server.use(http.post('*/api/calendar/feed/', () => refuse(503, 'storage_unavailable')))
  const { user, dialog } = await open()
  await user.click(await dialog.findByRole('button', { name: 'New link' }))
  await user.click(await screen.findByRole('button', { name: 'Create new link' }))
  expect(await dialog.findByRole('alert')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Switch off' }))
  await user.click(await screen.findByRole('button', { name: 'Switch off the link' }))
  expect(await dialog.findByRole('button', { name: 'Create link' })).toBeVisible()
  expect(dialog.queryByRole('alert')).toBeNull()
})

test('what did not work says why', async () => {
  keeping(null)
  server.use(http.post('*/api/calendar/feed/', () => refuse(503, 'storage_unavailable')))
  const { user, dialog } = await open()
  await user.click(await dialog.findByRole('button', { name: 'Create link' }))
  expect(await dialog.findByRole('alert')).toBeVisible()
})
