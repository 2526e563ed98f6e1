import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { refuse } from '@/test/answers'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { Subscribe } from './subscribe'

const server = startServer()
const MADE = '2026-11-24T08:00:00Z'
const PASSWORD = 'loom over warp and weft'

/** A server that keeps one address, or none, and gives it to whoever knows the password. */
function keeping(address: string | null) {
  let made = 0
  const proven = async (request: Request) =>
    ((await request.json()) as { current_password: string }).current_password === PASSWORD
  const shown = () => HttpResponse.json({ address, created_at: MADE })
  server.use(
    http.get('*/api/calendar/feed/', () => HttpResponse.json({ created_at: address && MADE })),
    http.post('*/api/calendar/feed/', async ({ request }) => {
      if (!(await proven(request))) return refuse(422, 'password_wrong')
      address = `http://postloom.test/api/calendar/feed/token-${++made}.ics`
      return shown()
    }),
    http.post('*/api/calendar/feed/address/', async ({ request }) =>
      (await proven(request)) ? shown() : refuse(422, 'password_wrong'),
    ),
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
  const dialog = within(await screen.findByRole('dialog', { name: 'Subscribe to this calendar' }))
  const enter = async (action: string, password = PASSWORD) => {
    const field = await dialog.findByLabelText('Your password')
    await view.user.clear(field)
    await view.user.type(field, password)
    await view.user.click(dialog.getByRole('button', { name: action }))
  }
  return { ...view, dialog, enter }
}

test('an address is made, renewed and switched off', async () => {
  keeping(null)
  const { user, dialog, enter } = await open()
  await enter('Create link')
  const field = await dialog.findByLabelText('Private link')
  expect(field).toHaveValue('http://postloom.test/api/calendar/feed/token-1.ics')
  await user.click(dialog.getByRole('button', { name: 'New link' }))
  await enter('Create new link')
  await waitFor(() => expect(dialog.getByLabelText('Private link')).toHaveValue('http://postloom.test/api/calendar/feed/token-2.ics'))
  await user.click(dialog.getByRole('button', { name: 'Switch off' }))
  await user.click(await screen.findByRole('button', { name: 'Switch off the link' }))
  expect(await dialog.findByRole('button', { name: 'Create link' })).toBeVisible()
})

test('an address is shown to whoever knows the password', async () => {
  keeping('http://postloom.test/api/calendar/feed/token.ics')
  const { dialog, enter } = await open()
  await enter('Show link', 'another one')
  expect(await dialog.findByText('This is not your current password. Try again.')).toBeVisible()
  expect(dialog.queryByLabelText('Private link')).toBeNull()
  await enter('Show link')
  expect(await dialog.findByLabelText('Private link')).toHaveValue('http://postloom.test/api/calendar/feed/token.ics')
})

test('whoever decides otherwise keeps the address', async () => {
  keeping('http://postloom.test/api/calendar/feed/token.ics')
  const { user, dialog } = await open()
  await user.click(await dialog.findByRole('button', { name: 'New link' }))
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await dialog.findByRole('button', { name: 'Show link' })).toBeVisible()
})

test('what did not work is forgotten once something else did', async () => {
  keeping('http://postloom.test/api/calendar/feed/token.ics')
  server.use(http.delete('*/api/calendar/feed/', () => refuse(503, 'storage_unavailable'), { once: true }))
  const { user, dialog, enter } = await open()
  await user.click(await dialog.findByRole('button', { name: 'Switch off' }))
  await user.click(await screen.findByRole('button', { name: 'Switch off the link' }))
  expect(await dialog.findByRole('alert')).toBeVisible()
  await enter('Show link')
  expect(await dialog.findByLabelText('Private link')).toBeVisible()
  expect(dialog.queryByRole('alert')).toBeNull()
})

test('what did not work says why', async () => {
  keeping(null)
  server.use(http.post('*/api/calendar/feed/', () => refuse(503, 'storage_unavailable')))
  const { dialog, enter } = await open()
  await enter('Create link')
  expect(await dialog.findByRole('alert')).toBeVisible()
})
