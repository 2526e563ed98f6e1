import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { refuse } from '@/test/answers'
import { Providers, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ImportDialog } from './import-dialog'
import { NewTreeDialog } from '@/features/topics/tree-dialog'

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
    <Providers queryClient={client}>
      <ImportDialog opened={importing} onClose={() => undefined} onImported={onMade} />
      <NewTreeDialog opened={!importing} onClose={() => undefined} onMade={onMade} />
    </Providers>
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
    <Providers queryClient={new QueryClient()}>
      <ImportDialog opened onClose={() => undefined} onImported={() => undefined} />
    </Providers>,
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

test('a list with several topics at the top asks for a name, which no line can give', async () => {
  const topics = ['Rain', 'Snow'].map((title) => ({ title, depth: 0, parent: null }))
  server.use(http.post('*/api/topics/preview/', () => HttpResponse.json({ topics, errors: [], total: 3, root: null })))
  show(<ImportDialog opened onClose={() => undefined} onImported={() => undefined} />)
  expect(await screen.findByText('Leave blank to use the first line as the name.')).toBeVisible()
  fireEvent.change(screen.getByLabelText('Lines'), { target: { value: '- Rain\n- Snow' } })
  expect(await screen.findByText('The list has several topics at the top: give the tree a name.')).toBeVisible()
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Weather' } })
  expect(screen.queryByText('The list has several topics at the top: give the tree a name.')).toBeNull()
})

test('the tree stays in sight while a line has errors', async () => {
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
    <Providers queryClient={new QueryClient()}>
      <ImportDialog opened onClose={() => undefined} onImported={() => undefined} />
    </Providers>,
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

/** The dialog for a new tree, or for what goes under a topic, and what was told of the end. */
function open(under?: { treeId: string; topicId: string; title: string }) {
  const onImported = vi.fn()
  const onClose = vi.fn()
  const shown = show(<ImportDialog opened under={under} onClose={onClose} onImported={onImported} />)
  const lines = screen.getByRole('textbox', { name: under ? /./ : 'Lines' })
  const choose = (content: BlobPart, name: string) =>
    shown.user.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, new File([content], name, { type: 'text/plain' }))
  return { ...shown, onImported, onClose, lines, choose }
}

test('a file gives the lines, as every system ends them, and the name where they have no root', async () => {
  const { lines, choose } = open()
  await choose('\uFEFF- Rain\r\n- Wind\r- Snow\n', 'Weather at work.TXT')
  await waitFor(() => expect(lines).toHaveValue('- Rain\n- Wind\n- Snow\n'))
  expect(screen.getByLabelText('Name')).toHaveValue('Weather at work')
})

test('a file that does not say its encoding is read as what it seems to be, and as another on request', async () => {
  const { lines, choose, user } = open()
  await choose(Uint8Array.from([...'- Gr'].map((sign) => sign.charCodeAt(0)).concat(0x9f, 0xa7, 0x65)), 'mac.txt')
  await waitFor(() => expect(lines).toHaveValue('- Grüße'))
  const encoding = screen.getByRole('combobox', { name: 'Encoding of the file' })
  expect(encoding).toHaveValue('macintosh')
  await user.selectOptions(encoding, 'Windows, Western Europe (1252)')
  expect(lines).toHaveValue('- GrŸ§e')
  await user.selectOptions(encoding, 'Macintosh (Mac Roman)')
  // what a person has changed is not read anew
  fireEvent.change(lines, { target: { value: '- Grüße aus Köln' } })
  expect(screen.queryByRole('combobox', { name: 'Encoding of the file' })).toBeNull()
})

test.each([
  ['is no text', 'PK\0\x01', 'The file could not be read. Choose a text file.'],
  ['is too long', 'x'.repeat(2_500_001), 'The file is too long: at most 2,500,000 characters.'],
])('a file that %s says so, and leaves what was typed', async (_, content, words) => {
  const { lines, choose, user } = open()
  fireEvent.change(lines, { target: { value: '- Rain' } })
  await choose(content, 'file.txt')
  expect(await screen.findByText(words)).toBeVisible()
  expect(lines).toHaveValue('- Rain')
  await user.type(lines, '!')
  expect(screen.queryByText(words)).toBeNull()
})

test('a file that is dropped is read, anything else that is dropped is not', async () => {
  const { lines } = open()
  const form = lines.closest('form')!
  fireEvent.drop(form, { dataTransfer: { types: ['text/plain'], files: [] } })
  expect(lines).toHaveValue('')
  fireEvent.dragEnter(form, { dataTransfer: { types: ['Files'], files: [] } })
  expect(screen.getByText('Drop the text file here')).toBeInTheDocument()
  fireEvent.drop(form, { dataTransfer: { types: ['Files'], files: [new File(['- Rain'], 'a.md')] } })
  await waitFor(() => expect(lines).toHaveValue('- Rain'))
  expect(screen.queryByText('Drop the text file here')).toBeNull()
})

test('what was typed is not lost by Escape', async () => {
  const { user, lines, onClose } = open()
  fireEvent.change(lines, { target: { value: '- Rain' } })
  await user.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.change(lines, { target: { value: '' } })
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

test('a tree without a name is not made, and the field has the focus', async () => {
  const before = made.length
  const { user, lines } = open()
  fireEvent.change(lines, { target: { value: '- Rain\n- Wind' } })
  const button = await screen.findByRole('button', { name: 'Import 1 topic' })
  await waitFor(() => expect(button).toBeEnabled())
  await user.click(button)
  expect(screen.getByLabelText('Name')).toHaveFocus()
  expect(screen.getByLabelText('Name')).toBeInvalid()
  expect(made).toHaveLength(before)
})

test.each([
  ['en', 'Line 2: the depth jumps from 1 to 4. Remove 2 hyphens.', 'Go to line 2'],
  ['de', /^Zeile 2: .*1 .*4.*2 Bindestriche/, 'Zu Zeile 2'],
] as const)('a line that jumps says by how much, and is a click away (%s)', async (language, words, goTo) => {
  await speak(language)
  server.use(
    http.post('*/api/topics/preview/', () =>
      HttpResponse.json({
        topics: [],
        errors: [{ field: 'lines.2', code: 'topic_depth_jump', params: { line: 2, from_depth: 1, to_depth: 4 } }],
        total: 0,
        root: null,
      }),
    ),
  )
  const { user } = show(<ImportDialog opened onClose={() => {}} onImported={() => {}} />)
  const lines = screen.getAllByRole<HTMLTextAreaElement>('textbox').at(-1)!
  fireEvent.change(lines, { target: { value: '- Rain\n---- Wind' } })
  expect(await within(await screen.findByRole('alert')).findByText(words)).toBeVisible()
  await user.click(screen.getByRole('button', { name: goTo }))
  expect(lines).toHaveFocus()
  expect(lines.value.slice(lines.selectionStart, lines.selectionEnd)).toBe('---- Wind')
})

test('what was refused says why, and the lines stay', async () => {
  server.use(http.post('*/api/topics/', () => refuse(503, 'server_busy')))
  const { user, lines, onImported } = open()
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Commuting' } })
  fireEvent.change(lines, { target: { value: '- Rain' } })
  const button = await screen.findByRole('button', { name: 'Import 1 topic' })
  await waitFor(() => expect(button).toBeEnabled())
  await user.click(button)
  expect(await screen.findByText(/^Nothing was imported\. This server is very busy/)).toBeVisible()
  expect(lines).toHaveValue('- Rain')
  expect(onImported).not.toHaveBeenCalled()
})

test('a preview that does not answer says so, and nothing can be imported', async () => {
  server.use(http.post('*/api/topics/preview/', () => refuse(503, 'server_busy')))
  const { lines } = open()
  fireEvent.change(lines, { target: { value: '- Rain' } })
  expect(await screen.findByText('The preview could not be loaded.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Import topics' })).toBeDisabled()
})

test('under a topic there is no name, and the lines go under it', async () => {
  const sent: unknown[] = []
  server.use(
    http.get('*/api/topics/tree/', () => HttpResponse.json({ id: 'tree', topics: [] })),
    http.post('*/api/topics/tree/topics/w/import/', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ id: 'tree', topics: [] })
    }),
  )
  const { user, lines, onImported } = open({ treeId: 'tree', topicId: 'w', title: 'Weather' })
  expect(screen.getByRole('dialog', { name: 'Import under “Weather”' })).toBeVisible()
  expect(screen.queryByLabelText('Name')).toBeNull()
  fireEvent.change(lines, { target: { value: '- Rain' } })
  const button = await screen.findByRole('button', { name: 'Import 1 topic' })
  await waitFor(() => expect(button).toBeEnabled())
  await user.click(button)
  await waitFor(() => expect(onImported).toHaveBeenCalledWith('tree'))
  expect(sent).toEqual([{ text: '- Rain' }])
})

test('an indented list is offered with its hyphens, converted by a press, and undone', async () => {
  const { user } = show(<ImportDialog opened onClose={() => undefined} onImported={() => undefined} />, { at: '/topics' })
  const lines = await screen.findByLabelText('Lines')
  fireEvent.change(lines, { target: { value: 'Commuting\n  Rain\n  Light' } })
  const offer = within(await screen.findByRole('region', { name: 'The levels of this list are not marked with hyphens yet.' }))
  expect(offer.getByText((_, element) => element?.tagName === 'PRE')).toHaveTextContent('- Commuting -- Rain -- Light')
  await user.click(offer.getByRole('button', { name: 'Convert to hyphens' }))
  expect(lines).toHaveValue('- Commuting\n-- Rain\n-- Light')
  expect(screen.queryByRole('button', { name: 'Convert to hyphens' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(lines).toHaveValue('Commuting\n  Rain\n  Light')
})
