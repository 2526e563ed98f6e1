import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refuse } from '@/test/answers'
import { Providers } from '@/test/screen'
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
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Notifications />
      <MemoryRouter>{page}</MemoryRouter>
    </Providers>,
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
  expect(await screen.findByText('There are too many templates for one file: they were saved in 3 files.')).toBeVisible()
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

async function choose(file: File, onClose = () => {}) {
  const user = show(<ImportDialog opened onClose={onClose} />)
  const dialog = await screen.findByRole('dialog')
  await user.upload(dialog.querySelector<HTMLInputElement>('input[type="file"]')!, file)
  return within(dialog)
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

const written = (content: string) => new File([content], 'templates.json', { type: 'application/json' })

test.each([
  ['no JSON', 'A tip a day'],
  ['JSON of another kind', '{"topics": []}'],
  ['nothing', ''],
])('a file with %s says that it is none of these, and nothing can be imported', async (_, content) => {
  const dialog = await choose(written(content))
  expect(await dialog.findByRole('alert')).toHaveTextContent(/./)
  expect(dialog.queryByText('templates.json')).toBeNull()
  expect(dialog.getByRole('button', { name: 'Import templates' })).toBeDisabled()
})

test('a file that is too large is not even read', async () => {
  const large = fileOf(1)
  Object.defineProperty(large, 'size', { value: 6_000_001 })
  const read = vi.spyOn(large, 'text')
  const dialog = await choose(large)
  expect(await dialog.findByText(/At most 6 MB/)).toBeVisible()
  expect(read).not.toHaveBeenCalled()
})

test('another file takes the place of one that could not be read', async () => {
  const dialog = await choose(written('{'))
  await dialog.findByRole('alert')
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, fileOf(1))
  expect(await dialog.findByRole('button', { name: 'Import 1 template' })).toBeEnabled()
  expect(dialog.queryByRole('alert')).toBeNull()
})

test('a file with a mark at its beginning, as Windows writes it, is read', async () => {
  const dialog = await choose(written(`\uFEFF${await fileOf(3).text()}`))
  expect(await dialog.findByRole('button', { name: 'Import 3 templates' })).toBeEnabled()
})

test('what is wrong stands at its template, one without a name has a number, and nothing was imported', async () => {
  server.use(
    http.post('*/api/templates/import/', () =>
      refuse(422, 'invalid_input', {
        errors: [{ field: 'templates.1.name', code: 'content_too_long', params: { length: 300, limit: 200 } }],
      }),
    ),
  )
  const onClose = vi.fn()
  const content = { format: 'postloom-templates', version: 1, templates: [{ name: 'Good', type: 'text' }, { name: '', type: 'image' }] }
  const dialog = await choose(written(JSON.stringify(content)), onClose)
  fireEvent.click(await dialog.findByRole('button', { name: 'Import 2 templates' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('Nothing was imported.')
  const [good, wrong] = within(dialog.getByRole('list', { name: 'Templates in this file' })).getAllByRole('listitem')
  expect(good).toHaveTextContent(/^GoodText$/)
  expect(wrong).toHaveTextContent(/^Template 2, without a nameImage .*300/)
  expect(onClose).not.toHaveBeenCalled()
})

test('what was imported is taken back one by one, and says so where that fails', async () => {
  const gone: unknown[] = []
  server.use(
    http.post('*/api/templates/import/', () => HttpResponse.json({ templates: [{ id: 'one' }, { id: 'two' }] }, { status: 201 })),
    http.delete('*/api/templates/:id/', ({ params }) => {
      if (params.id === 'two') return refuse(409, 'stale_version')
      gone.push(params.id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const onClose = vi.fn()
  const dialog = await choose(fileOf(2), onClose)
  fireEvent.click(await dialog.findByRole('button', { name: 'Import 2 templates' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText(/^The template was not deleted\./)).toBeVisible()
  expect(gone).toEqual(['one'])
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})
