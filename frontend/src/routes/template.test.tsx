import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { createMemoryRouter, Outlet, RouterProvider, useSearchParams } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import type { TemplateOut } from '@/api/types.gen'
import { templateQuery } from '@/features/templates/api'
import { settingsOf } from '@/features/templates/editor/settings'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { NewTemplateRoute } from './new-template'
import { TemplateRoute } from './template'
import { TemplatesRoute } from './templates'

const ID = '0190a000-0000-7000-8000-000000000001'
const NEW_ID = '0190a000-0000-7000-8000-000000000002'

const template: TemplateOut = {
  id: ID,
  type: 'text',
  visibility: 'private',
  name: 'Practical tip',
  description: '',
  language: 'en',
  tags: [],
  usage_count: 0,
  used_by: 0,
  author: 'Mara Lind',
  source: null,
  version: 1,
  version_id: ID,
  body: 'About ((Topic)).',
  settings: settingsOf(),
  variables: ['Topic'],
  published_at: null,
  sample_text: '',
  sample_url: null,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
}

const server = startServer()

const page = (items: unknown[] = []) => HttpResponse.json({ items, next_cursor: null, total: items.length })
const problem = (status: number, code: string, errors: unknown[] = []) =>
  HttpResponse.json(
    { type: 'about:blank', title: code, status, code, detail: '', params: {}, errors },
    { status, headers: { 'Content-Type': 'application/problem+json' } },
  )

/** What the server holds, as a real one would: the name without spaces around it, the version going up. */
let stored: Map<string, TemplateOut>
let sent: { version?: number; name: string; body: string }[]
/** Answers of saves that are held back until they are let go. */
let held: (() => void)[]
let slow: boolean

const answered = async () => {
  if (slow) await new Promise<void>((go) => held.push(go))
}

beforeEach(() => {
  stored = new Map([[ID, template]])
  sent = []
  held = []
  slow = false
  server.use(
    http.get('*/api/users/account_setup_state/', () => HttpResponse.json({ steps: [], complete: true })),
    http.get('*/api/templates/', () => page([...stored.values()])),
    http.get('*/api/templates/tags/', () => HttpResponse.json([])),
    http.get('*/api/templates/models/', () =>
      HttpResponse.json({ text_provider: 'demo', text: [], image_provider: null, image: [] }),
    ),
    http.get('*/api/cards/presets/', () => HttpResponse.json([])),
    http.get('*/api/cards/options/', () => HttpResponse.json({ fonts: [], palettes: [] })),
    http.get('*/api/templates/:id/tryouts/', () => page()),
    http.post('*/api/templates/preview/', () =>
      HttpResponse.json({ variables: ['Topic'], reserved: ['Topic'], errors: [], needs: [], longest: 207, limit: 100_000 }),
    ),
    http.get('*/api/templates/:id/', ({ params }) => {
      const found = stored.get(String(params.id))
      return found ? HttpResponse.json(found) : problem(404, 'not_found')
    }),
    http.put('*/api/templates/:id/', async ({ params, request }) => {
      const { version, ...values } = (await request.json()) as TemplateOut
      sent.push({ version, ...values })
      const before = stored.get(String(params.id))
      if (!before) return problem(404, 'not_found')
      if (before.version !== version) return problem(409, 'stale_version')
      const saved = { ...before, ...values, name: values.name.trim(), version: version + 1 }
      stored.set(ID, saved)
      await answered()
      return HttpResponse.json(saved)
    }),
    http.post('*/api/templates/', async ({ request }) => {
      const values = (await request.json()) as TemplateOut
      sent.push(values)
      const made = { ...template, ...values, id: NEW_ID, version: 1 }
      stored.set(NEW_ID, made)
      await answered()
      return HttpResponse.json(made, { status: 201 })
    }),
  )
})

/** Both pages of the address, as the router tells them apart. */
function Templates() {
  const [query] = useSearchParams()
  return query.has('new') ? <NewTemplateRoute /> : <TemplatesRoute />
}

const Around = () => (
  <Questions>
    <Notifications />
    <Outlet />
  </Questions>
)

function show(address = `/templates/${ID}`) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const pages = [
    { path: '/templates', Component: Templates },
    { path: '/templates/:templateId', Component: TemplateRoute },
  ]
  const router = createMemoryRouter([{ Component: Around, children: pages }], { initialEntries: [address] })
  render(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return { user: userEvent.setup({ delay: null }), queryClient }
}

const bodyField = () => screen.findByRole('textbox', { name: 'Template' })
const nameField = () => screen.findByRole('textbox', { name: 'Name' })
const saveByKey = () => fireEvent.keyDown(document.documentElement, { key: 's', code: 'KeyS', ctrlKey: true })
const letGo = () => {
  slow = false
  held.splice(0).forEach((go) => go())
}

test('what is typed while a save is running stays, over the new version', async () => {
  slow = true
  const { user } = show()
  await user.type(await bodyField(), ' One.')
  await user.type(await nameField(), '  ')
  saveByKey()
  await waitFor(() => expect(held).toHaveLength(1))
  await user.type(await bodyField(), ' Two.')
  letGo()
  await screen.findByText('Saved as version 2.')
  expect(await bodyField()).toHaveValue('About ((Topic)). One. Two.')
  // what the server made of it, where it was not touched since
  expect(await nameField()).toHaveValue('Practical tip')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save version 3' }))
  await screen.findByText('Saved as version 3.')
  expect(stored.get(ID)?.body).toBe('About ((Topic)). One. Two.')
  expect(screen.queryByText(/unsaved change/)).toBeNull()
})

test('a prompt that can get too long is told before anything refuses it', async () => {
  const { user } = show()
  expect(await screen.findByText(/16 of 20,000 characters.*with variables at most 207 of 100,000/)).toBeVisible()
  server.use(
    http.post('*/api/templates/preview/', () =>
      HttpResponse.json({ variables: ['Tone'], reserved: [], errors: [], needs: [], longest: 100_001, limit: 100_000 }),
    ),
  )
  await user.type(await bodyField(), '!')
  expect(await screen.findByText(/can exceed 100,000 characters/)).toBeVisible()
})

test('saving twice in one moment is one version, without a conflict', async () => {
  slow = true
  const { user } = show()
  await user.type(await bodyField(), ' One.')
  saveByKey()
  saveByKey()
  await waitFor(() => expect(held).toHaveLength(1))
  letGo()
  await screen.findByText('Saved as version 2.')
  expect(sent).toHaveLength(1)
  expect(screen.queryByText(/was saved elsewhere/)).toBeNull()
})

test('a save that was asked for while another one was under way follows it', async () => {
  slow = true
  const { user } = show()
  await user.type(await bodyField(), ' One.')
  saveByKey()
  await waitFor(() => expect(held).toHaveLength(1))
  await user.type(await bodyField(), ' Two.')
  saveByKey()
  await user.type(await bodyField(), ' Three.')
  letGo()
  await screen.findByText('Saved as version 3.')
  expect(await bodyField()).toHaveValue('About ((Topic)). One. Two. Three.')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
  expect(sent.map(({ version, body }) => [version, body])).toEqual([
    [1, 'About ((Topic)). One.'],
    [2, 'About ((Topic)). One. Two.'],
  ])
  expect(screen.queryByText(/was saved elsewhere/)).toBeNull()
})

test('a new one is made once, and what is typed meanwhile goes on in its editor', async () => {
  slow = true
  const { user } = show('/templates?new')
  await user.type(await nameField(), 'Fresh')
  await user.type(await bodyField(), 'Speak.')
  saveByKey()
  saveByKey()
  await waitFor(() => expect(held).toHaveLength(1))
  await user.type(await bodyField(), ' More.')
  letGo()
  await screen.findByRole('heading', { level: 1, name: 'Fresh' })
  expect(await bodyField()).toHaveValue('Speak. More.')
  expect(screen.getByText('1 unsaved change')).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('one that was deleted elsewhere can be saved as a new one', async () => {
  const { user, queryClient } = show()
  await user.type(await bodyField(), ' Kept.')
  stored.delete(ID)
  saveByKey()
  await screen.findByText('This template was deleted elsewhere.')
  expect(screen.getByRole('link', { name: 'Back to my templates' })).toHaveAttribute('href', '/templates')
  expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull()
  await user.click(screen.getAllByRole('button', { name: 'Save as a new template' })[0]!)
  await waitFor(() => expect(stored.get(NEW_ID)?.body).toBe('About ((Topic)). Kept.'))
  await screen.findByRole('button', { name: /^Run/ })
  expect(screen.queryByText(/deleted elsewhere|unsaved change/)).toBeNull()
  expect(queryClient.getQueryData(templateQuery(NEW_ID).queryKey)).toBeDefined()
})

test('the page says so as soon as it is known, and leads back', async () => {
  const { user, queryClient } = show()
  await bodyField()
  stored.delete(ID)
  // what the live stream's notice does
  await queryClient.invalidateQueries()
  await screen.findByText('This template was deleted elsewhere.')
  await user.click(screen.getByRole('link', { name: 'Back to my templates' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'My Templates' })).toBeVisible()
})

test('a tag that is too long says so at its field, which gets the focus', async () => {
  const tooLong = { field: 'tags.1', code: 'content_too_long', params: { length: 60, limit: 40 } }
  server.use(http.put('*/api/templates/:id/', () => problem(422, 'invalid_input', [tooLong])))
  const { user } = show()
  await bodyField()
  const tags = screen.getByRole('combobox', { name: /^Tags/ })
  await user.type(tags, `short{Enter}${'x'.repeat(60)}{Enter}`)
  await user.click(await nameField())
  saveByKey()
  await waitFor(() => expect(tags).toHaveAccessibleDescription(/40/))
  expect(tags).toHaveFocus()
  expect(screen.getByText('x'.repeat(60))).toBeVisible()
})
