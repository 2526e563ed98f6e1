import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startServer } from '@/test/server'
import { ImportDialog } from './import-dialog'
import { TemplateListActions } from './list-actions'

/** Names and contents of what the browser was told to save. */
const saved: [string, Promise<string>][] = []

const server = startServer()

beforeEach(() => {
  let content: Blob
  // jsdom has neither
  Object.assign(URL, {
    createObjectURL: (given: Blob) => {
      content = given
      return 'blob:file'
    },
    revokeObjectURL: () => {},
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download) saved.push([this.download, content.text()])
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  saved.length = 0
})

function show(page: ReactNode) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider env="test">
        <Notifications />
        <MemoryRouter>{page}</MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

const files = async () => Promise.all(saved.map(async ([name, content]) => [name, await content]))

/** The files that an account has, each naming the next one. */
function serveFiles(...files: string[]) {
  server.use(
    http.get('*/api/templates/export/', ({ request }) => {
      const at = Number(new URL(request.url).searchParams.get('cursor') ?? 0)
      const next = `</api/templates/export/?cursor=${at + 1}>; rel="next"`
      return new HttpResponse(files[at], { headers: at + 1 < files.length ? { Link: next } : {} })
    }),
  )
}

async function exportAll() {
  const user = show(<TemplateListActions />)
  await user.click(screen.getByRole('button', { name: 'Import and export' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Export all as JSON' }))
}

test('all templates are one file', async () => {
  serveFiles('all')
  await exportAll()
  await vi.waitFor(async () => expect(await files()).toEqual([['postloom-templates.json', 'all']]))
  expect(screen.queryByText(/files/)).toBeNull()
})

test('what one file does not take is in the next ones, and it says so', async () => {
  serveFiles('one', 'two', 'three')
  await exportAll()
  expect(await screen.findByText('There are more templates than one file takes: they are in 3 files.')).toBeVisible()
  expect(await files()).toEqual([
    ['postloom-templates-1.json', 'one'],
    ['postloom-templates-2.json', 'two'],
    ['postloom-templates-3.json', 'three'],
  ])
})

const fileOf = (count: number) =>
  new File(
    [JSON.stringify({ format: 'postloom-templates', version: 1, templates: Array(count).fill({ name: 'A', type: 'text' }) })],
    'templates.json',
    { type: 'application/json' },
  )

async function choose(file: File) {
  const user = show(<ImportDialog opened onClose={() => {}} />)
  await user.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, file)
  return within(screen.getByRole('dialog'))
}

test('a file with too many is told before it is sent', async () => {
  const dialog = await choose(fileOf(1_001))
  expect(await dialog.findByText('At most 1,000 templates can be imported at once. Split the file.')).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Import templates' })).toBeDisabled()
})

test('two clicks in one moment import once', async () => {
  const calls = vi.fn()
  server.use(
    http.post('*/api/templates/import/', () => {
      calls()
      return HttpResponse.json({ templates: [{ id: 'one' }, { id: 'two' }] }, { status: 201 })
    }),
  )
  const dialog = await choose(fileOf(2))
  const button = await dialog.findByRole('button', { name: 'Import 2 templates' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText('2 templates were imported.')
  expect(calls).toHaveBeenCalledTimes(1)
})
