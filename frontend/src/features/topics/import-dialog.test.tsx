import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { startServer } from '@/test/server'
import { ImportDialog } from './import-dialog'
import { NewTreeDialog } from './tree-dialog'

startServer(
  http.post('*/api/topics/preview/', () =>
    HttpResponse.json({ topics: [{ title: 'Rain', depth: 0, parent: null }], errors: [], total: 1 }),
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
