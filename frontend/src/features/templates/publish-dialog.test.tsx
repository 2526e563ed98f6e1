import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { TemplateOut } from '@/api/types.gen'
import { startServer } from '@/test/server'
import { PublishDialog } from './publish-dialog'
import { settingsOf } from './settings'

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

function show(onClose = () => {}) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <Notifications />
        <MemoryRouter>
          <ModalsProvider>
            <PublishDialog template={template} unsaved={false} opened onClose={onClose} />
          </ModalsProvider>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return within(screen.getByRole('dialog'))
}

test('a logo is not said to become visible: it stays with its owner', () => {
  const dialog = show()
  expect(dialog.getByText('Logo').nextElementSibling).toHaveTextContent('Yours, which is not shared: copies have none.')
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
  const button = show().getByRole('button', { name: 'Publish template' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText('“Quote card” is in the marketplace.')
  expect(calls).toHaveBeenCalledTimes(1)
})
