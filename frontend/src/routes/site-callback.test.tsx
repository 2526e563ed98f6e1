import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { SiteKindOut } from '@/api/types.gen'
import { saveToken } from '@/lib/token'
import { refuse } from '@/test/answers'
import { aWebsite } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { AccountCallbackRoute } from './account-callback'
import { WebsitesRoute } from './websites'

const server = startServer()
const PASSWORD = 'abcdefghijklmnopqrstuvwx'
const HANDED = `state=s1&language=de&site_url=https%3A%2F%2Fwww.lindhof.example&user_login=ada&password=${PASSWORD}`
const open = (search: string) =>
  show(<AccountCallbackRoute />, { at: `/account/connect/wordpress/callback?${search}`, path: '/account/connect/:provider/callback' })

let sent: unknown[]
beforeEach(() => {
  saveToken('mine')
  sent = []
  server.use(
    http.post('*/api/websites/connect/wordpress/callback/', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(aWebsite({ id: 'w', name: 'Lindhof Journal' }), { status: 201 })
    }),
  )
})

test('what a site hands over is used at once and stays in no address', async () => {
  const { address, queryClient } = open(HANDED)
  expect(await screen.findByRole('heading', { name: 'Lindhof Journal is connected.' })).toBeVisible()
  expect(sent).toEqual([
    { state: 's1', language: 'de', allowed: true, site_url: 'https://www.lindhof.example', user_login: 'ada', password: PASSWORD },
  ])
  expect(address()).toBe('/account/connect/wordpress/callback')
  const keys = queryClient.getQueryCache().getAll().map(({ queryKey }) => JSON.stringify(queryKey))
  expect(keys.filter((key) => key.includes(PASSWORD))).toEqual([])
})

test('who says no is told so, and can start again', async () => {
  server.use(http.post('*/api/websites/connect/wordpress/callback/', () => refuse(422, 'connect_denied')))
  open('state=s2&language=en&success=false')
  expect(await screen.findByRole('heading', { name: 'The website is not connected' })).toBeVisible()
  expect(screen.getByText(/^Access was denied/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Start again' })).toHaveAttribute('href', '/websites?connect=website')
})

test('whoever comes without anything is told where to begin', async () => {
  open('')
  expect(await screen.findByText(/^This page is only used/)).toBeVisible()
  expect(sent).toEqual([])
})

const kind = (page: boolean): SiteKindOut => ({
  kind: 'wordpress',
  label: 'WordPress',
  configured: true,
  served_here: false,
  page,
  connection: {
    consent: false,
    settings: [],
    fields: [
      { name: 'site', kind: 'url', example: 'example.org', initial: '', max_length: 200 },
      { name: 'username', kind: 'text', example: 'ada', initial: '', max_length: 200 },
      { name: 'app_password', kind: 'password', example: '', initial: '', max_length: 200 },
    ],
  },
})

const dialog = (page: boolean) => {
  server.use(
    http.get('*/api/websites/', () => HttpResponse.json([])),
    http.get('*/api/users/waiting/', () => HttpResponse.json({ approvals: 0 })),
    http.get('*/api/websites/kinds/', () => HttpResponse.json([kind(page)])),
    http.post('*/api/websites/connect/wordpress/page/', async ({ request }) => {
      sent.push(await request.json())
      return refuse(422, 'connect_app_passwords_off', { errors: [{ field: 'fields.site', code: 'connect_app_passwords_off' }] })
    }),
  )
  return show(<WebsitesRoute />, { at: '/websites?connect=website', path: '/websites' })
}

test('its page is offered first; where that does not work, the reason stands at the address', async () => {
  const { user } = dialog(true)
  const site = await screen.findByRole('textbox', { name: 'Website' })
  await user.type(site, 'lindhof.example')
  await user.click(screen.getByRole('button', { name: 'Allow on the website' }))
  await waitFor(() => expect(sent).toEqual([{ site: 'lindhof.example', language: 'en' }]))
  await waitFor(() => expect(site).toBeInvalid())
  expect(screen.getByRole('textbox', { name: 'User name' })).toBeVisible()
})

test('where no site sends anybody back to here, only the form is offered, and the reason told', async () => {
  dialog(false)
  expect(await screen.findByText(/only if this address begins with https/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Allow on the website' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Connect' })).toBeEnabled()
})
