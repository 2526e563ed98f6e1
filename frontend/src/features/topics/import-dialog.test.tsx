import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { startServer } from '@/test/server'
import { ImportDialog } from './import-dialog'
import { NewTreeDialog } from './tree-dialog'

const server = startServer(
  http.post('*/api/topics/preview/', () =>
    HttpResponse.json({ topics: [{ title: 'Rain', depth: 0, parent: null }], errors: [], total: 1, root: null }),
  ),
  http.post('*/api/topics/', async ({ request }) => {
    made.push(await request.json())
    return HttpResponse.json({ id: 'tree', topics: [] }, { status: 201 })
  }),
)
const made: unknown[] = []

test('two clicks in one moment make one tree, by an import and without', async () => {
  const onMade = vi.fn()
  const dialogs = (importing: boolean) => (
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <ImportDialog opened={importing} onClose={() => undefined} onImported={onMade} />
        <NewTreeDialog opened={!importing} onClose={() => undefined} onMade={onMade} />
      </MantineProvider>
    </QueryClientProvider>
  )
  const client = new QueryClient()
  const { rerender } = render(dialogs(true))
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Commuting' } })
  fireEvent.change(screen.getByLabelText('Lines'), { target: { value: '- Rain' } })
  const button = await screen.findByRole('button', { name: 'Import 1 topic' })
  await waitFor(() => expect(button).toBeEnabled())
  act(() => {
    button.click()
    button.click()
  })
  await waitFor(() => expect(onMade).toHaveBeenCalledWith('tree'))
  expect(made).toEqual([{ name: 'Commuting', text: '- Rain' }])

  rerender(dialogs(false))
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Empty' } })
  const create = screen.getByRole('button', { name: 'Create tree' })
  act(() => {
    create.click()
    create.click()
  })
  await waitFor(() => expect(onMade).toHaveBeenCalledTimes(2))
  expect(made).toHaveLength(2)
})

test('the tree is named after its root, unless somebody names it otherwise', async () => {
  server.use(
    http.post('*/api/topics/preview/', async ({ request }) => {
      const { text } = (await request.json()) as { text: string }
      const title = text.slice(2)
      return HttpResponse.json({ topics: [{ title, depth: 0, parent: null }], errors: [], total: 1, root: title })
    }),
  )
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <ImportDialog opened onClose={() => undefined} onImported={() => undefined} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const lines = await screen.findByLabelText('Lines')
  fireEvent.change(lines, { target: { value: '- Commuting' } })
  const name = screen.getByLabelText('Name')
  await waitFor(() => expect(name).toHaveValue('Commuting'))
  fireEvent.change(lines, { target: { value: '- Weather' } })
  await waitFor(() => expect(name).toHaveValue('Weather'))
  await user.clear(name)
  await user.type(name, 'Rain')
  fireEvent.change(lines, { target: { value: '- Snow' } })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Import 1 topic' })).toBeEnabled())
  expect(name).toHaveValue('Rain')
})

test('the tree stays in sight while a line is wrong', async () => {
  server.use(
    http.post('*/api/topics/preview/', async ({ request }) => {
      const { text } = (await request.json()) as { text: string }
      const wrong = { field: 'lines.2', code: 'topic_no_hyphen', params: { line: 2 } }
      const bad = text.includes('Rain')
      const topics = [{ title: 'Weather', depth: 0, parent: null }]
      return HttpResponse.json(
        bad ? { topics: [], errors: [wrong], total: 0, root: null } : { topics, errors: [], total: 1, root: 'Weather' },
      )
    }),
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <ImportDialog opened onClose={() => undefined} onImported={() => undefined} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const lines = await screen.findByLabelText('Lines')
  fireEvent.change(lines, { target: { value: '- Weather' } })
  const tree = () => within(screen.getByRole('region', { name: 'Preview' })).getByRole('list')
  await waitFor(tree)
  fireEvent.change(lines, { target: { value: '- Weather\nRain' } })
  expect(await screen.findByText('The tree before the error:')).toBeVisible()
  expect(tree()).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Import topics' })).toBeDisabled()
  fireEvent.change(lines, { target: { value: '' } })
  expect(await screen.findByText('The tree appears here while you type.')).toBeVisible()
})
