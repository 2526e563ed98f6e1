import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { TemplateOut, TryoutOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { PublishDialog } from './publish-dialog'
import { settingsOf } from '@/features/templates/editor/settings'

const template: TemplateOut = {
  id: 'template',
  type: 'image',
  visibility: 'private',
  name: 'Quote card',
  description: '',
  language: 'en',
  tags: [],
  usage_count: 0,
  used_by: 0,
  author: 'Mara Lind',
  source: null,
  version: 1,
  version_id: 'version',
  body: '((Content))',
  settings: settingsOf({ image: { engine: 'card', card: { logo_id: 'logo', foot: 'lindhof' } } }),
  variables: ['Content'],
  published_at: null,
  sample_text: '',
  sample_url: null,
  created_at: '2026-11-21T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
}

const server = startServer(
  http.get('*/api/templates/template/tryouts/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })),
)

async function show(onClose = () => {}, changes: Partial<TemplateOut> = {}, unsaved = false) {
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Notifications />
      <MemoryRouter>
        <Questions>
          <PublishDialog template={{ ...template, ...changes }} unsaved={unsaved} opened onClose={onClose} />
        </Questions>
      </MemoryRouter>
    </Providers>,
  )
  return within(await screen.findByRole('dialog'))
}

test('a logo is not said to become visible: it stays with its owner', async () => {
  const dialog = await show()
  expect(dialog.getByText('Logo').nextElementSibling).toHaveTextContent('Your logo is not shared: copies have no logo.')
  expect(dialog.queryByText(/With a logo from your images/)).toBeNull()
  expect(dialog.getByText('lindhof')).toBeVisible()
})

test('two clicks in one moment publish once', async () => {
  const calls = vi.fn()
  server.use(
    http.post('*/api/templates/template/publish/', () => {
      calls()
      return HttpResponse.json({ ...template, visibility: 'public' })
    }),
  )
  const button = (await show()).getByRole('button', { name: 'Publish template' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText('“Quote card” is in the marketplace.')
  expect(calls).toHaveBeenCalledTimes(1)
})

/** Try-outs, the newest first; only what a sample shows matters here. */
const serveTryouts = (...tryouts: Partial<TryoutOut>[]) =>
  server.use(
    http.get('*/api/templates/template/tryouts/', () =>
      HttpResponse.json({ items: tryouts.map((one) => ({ created_at: '2026-11-21T12:00:00Z', ...one })), next_cursor: null, total: 3 }),
    ),
  )

/** What was published, by whom it was asked. */
function servePublish() {
  const bodies: unknown[] = []
  server.use(
    http.post('*/api/templates/template/publish/', async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json({ ...template, visibility: 'public', version: 2 })
    }),
  )
  return bodies
}

test('only try-outs that succeeded can be samples, and the chosen one goes along', async () => {
  serveTryouts(
    { id: 'failed', state: 'failed', output: 'Half a post' },
    { id: 'good', state: 'succeeded', output: 'Wipe the chain.' },
    { id: 'running', state: 'running', output: '' },
  )
  const bodies = servePublish()
  const onClose = vi.fn()
  const dialog = await show(onClose)
  const sample = await dialog.findByRole('radio', { name: /21 Nov/ })
  expect(dialog.getAllByRole('radio')).toHaveLength(2)
  expect(sample).toHaveAccessibleDescription('Wipe the chain.')
  fireEvent.click(sample)
  fireEvent.click(dialog.getByRole('button', { name: 'Publish template' }))
  await waitFor(() => expect(bodies).toEqual([{ version: 1, sample_tryout_id: 'good' }]))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test.each([
  ['none', {}, 'No sample'],
  ['a text', { sample_text: 'Wipe the chain.' }, 'Keep current sample'],
  ['a picture', { sample_url: '/sample.png' }, 'Keep current sample'],
])('what it has by now stays unless another is chosen: %s', async (_, changes, name) => {
  const bodies = servePublish()
  const dialog = await show(undefined, { ...changes, visibility: 'public' })
  expect(dialog.getByRole('radio', { name })).toBeChecked()
  fireEvent.click(dialog.getByRole('button', { name: 'Save sample' }))
  await waitFor(() => expect(bodies).toEqual([{ version: 1, sample_tryout_id: null }]))
})

test('without a try-out it says how to get one', async () => {
  expect((await show()).getByText('A successful test run can be shown as a sample. There is no successful test run yet.')).toBeVisible()
})

test('what is typed and not saved stays private, and who has no name is told', async () => {
  const dialog = await show(undefined, { author: '', version: 4 }, true)
  expect(dialog.getByText(/^Version 4 is shown as saved/)).toBeVisible()
  expect(dialog.getByText('No name: add one in your profile')).toBeVisible()
})

test('what was refused says why and stays open, with the choice', async () => {
  serveTryouts({ id: 'good', state: 'succeeded', output: 'Wipe the chain.' })
  server.use(http.post('*/api/templates/template/publish/', () => refuse(409, 'stale_version')))
  const onClose = vi.fn()
  const dialog = await show(onClose)
  fireEvent.click(await dialog.findByRole('radio', { name: /21 Nov/ }))
  fireEvent.click(dialog.getByRole('button', { name: 'Publish template' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent(/^The template was not published\. This was changed elsewhere/)
  expect(dialog.getByRole('radio', { name: /21 Nov/ })).toBeChecked()
  expect(onClose).not.toHaveBeenCalled()
})

test('what was published can be taken back at once, by its newest version', async () => {
  servePublish()
  const taken: unknown[] = []
  server.use(
    http.post('*/api/templates/template/unpublish/', async ({ request }) => {
      taken.push(await request.json())
      return HttpResponse.json({ ...template, version: 3 })
    }),
  )
  fireEvent.click((await show()).getByRole('button', { name: 'Publish template' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Unpublish' }))
  expect(await screen.findByText('“Quote card” is private again. Copies made by others are kept.')).toBeVisible()
  expect(taken).toHaveLength(1)
})
