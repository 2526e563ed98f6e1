import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CsvField, ImportColumnOut, ImportPreviewOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aPost } from '@/test/made'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { PostList } from './post-list'

const server = startServer(
  http.get('*/api/accounts/', () => HttpResponse.json([])),
  http.get('*/api/social-media-posts/tags/', () => HttpResponse.json([])),
)

const saved: string[] = []

beforeEach(() => {
  saved.length = 0
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:made')
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

function open(at = '/social-media-posts', total = 1) {
  server.use(
    http.get('*/api/social-media-posts/', () =>
      HttpResponse.json({
        items: [aPost()],
        next_cursor: null,
        total,
        statuses: { draft: 0, complete: 0, published: total, failed: 0 },
      }),
    ),
  )
  const page = (
    <TimeZoneContext value="Europe/Berlin">
      <PostList />
    </TimeZoneContext>
  )
  return show(page, { at, path: '/social-media-posts' })
}

test('the file has what the filters let through, and its name from the server', async () => {
  let asked = new URLSearchParams()
  server.use(
    http.get('*/api/social-media-posts/export/', ({ request }) => {
      asked = new URL(request.url).searchParams
      return HttpResponse.text('id,status\r\n', {
        headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="posts-2026-11-21.csv"' },
      })
    }),
  )
  const { user } = open('/social-media-posts?status=failed&from=2026-11-01&sort=created_latest')
  await user.click(await screen.findByRole('button', { name: 'Import and export' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Export 1 post as CSV' }))
  await waitFor(() => expect(saved).toEqual(['posts-2026-11-21.csv']))
  expect(Object.fromEntries(asked)).toMatchObject({
    status: 'failed',
    planned_from: '2026-10-31T23:00:00.000Z',
    sort: 'created_latest',
  })
})

test('that a file takes only so many is said before', async () => {
  const { user } = open('/social-media-posts', 12_345)
  await user.click(await screen.findByRole('button', { name: 'Import and export' }))
  expect(await screen.findByRole('menuitem', { name: /Export 10,000 posts as CSV/ })).toHaveTextContent(
    'A file contains the first 10,000 of 12,345.',
  )
})

const column = (name: string, field: CsvField | null = name as CsvField, more: Partial<ImportColumnOut> = {}): ImportColumnOut => ({
  name,
  field,
  example: `first ${name}`,
  sign: null,
  ...more,
})

const preview = (changes: Partial<ImportPreviewOut> = {}): ImportPreviewOut => ({
  encoding: 'utf-8',
  separator: ';',
  questions: [],
  encodings: [],
  columns: [column('content'), column('planned_at')],
  date_order: null,
  two_way_date: null,
  day_without_time: null,
  right: 2,
  wrong: 0,
  lines: [2, 3].map((number) => ({
    number,
    content: `Post of line ${number}`,
    planned_at: '2026-12-01T08:00:00Z',
    accounts: [{ id: 'account', name: 'Mara Lind', channel: 'linkedin' }],
    tags: ['winter'],
    files: 1,
    errors: [],
  })),
  wrong_lines: [],
  digest: 'digest',
  ...changes,
})

const file = () => new File(['content\nx\n'], 'plan.csv', { type: 'text/csv' })

/** The last answer is that to all further calls. */
async function choose(...answers: (ImportPreviewOut | Response)[]) {
  const looked: FormData[] = []
  server.use(
    http.post('*/api/social-media-posts/import/preview/', async ({ request }) => {
      const answer = answers[Math.min(looked.length, answers.length - 1)]
      looked.push(await request.formData())
      return answer instanceof Response ? answer : HttpResponse.json(answer)
    }),
  )
  const view = open('/social-media-posts?import=csv')
  const dialog = await screen.findByRole('dialog', { name: 'Import from CSV' })
  const input = dialog.querySelector<HTMLInputElement>('input[type="file"]') ?? document.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) throw new Error('no field for a file')
  await view.user.upload(input, file())
  return { ...view, dialog, looked }
}

test('drafts are saved once they were seen, and can be taken back', async () => {
  itIs('2026-11-22T12:00:00Z')
  const sent: FormData[] = []
  const orders: unknown[] = []
  server.use(
    http.post('*/api/social-media-posts/import/', async ({ request }) => {
      sent.push(await request.formData())
      return HttpResponse.json({ saved: 2, post_ids: ['one', 'two'] }, { status: 201 })
    }),
    http.post('*/api/social-media-posts/bulk/', async ({ request }) => {
      orders.push(await request.json())
      return HttpResponse.json({ results: [], done: 2, refused: 0, repeats: [] })
    }),
  )
  const { user, dialog, looked, address } = await choose(preview())
  expect(await within(dialog).findByText('Post of line 2')).toBeVisible()
  expect(looked[0]?.get('time_zone')).toBe('Europe/Berlin')
  expect(within(dialog).getAllByRole('listitem')[0]).toHaveTextContent('Tue 1 Dec, 09:00 · Mara Lind (LinkedIn) · 1 file')
  await user.click(within(dialog).getByRole('button', { name: 'Save 2 drafts' }))
  expect(await screen.findByText('2 drafts saved.')).toBeVisible()
  expect(address()).toBe('/social-media-posts')
  const form = Object.fromEntries(sent[0]?.entries() ?? [])
  expect(form).toMatchObject({ time_zone: 'Europe/Berlin', digest: 'digest', only_right: 'false' })
  expect(form.import_id).toMatch(/^[0-9a-f-]{36}$/)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(orders).toHaveLength(1))
  expect(orders[0]).toMatchObject({ action: 'delete', posts: [{ id: 'one' }, { id: 'two' }] })
})

test('wrong lines are shown with their column, and can be left out', async () => {
  const wrong = { ...preview().lines[0], number: 7, content: '', errors: [{ column: 'accounts', code: 'account_unknown', params: { value: 'Nobody' } }] }
  const { user, dialog } = await choose(preview({ right: 1, wrong: 1, wrong_lines: [wrong as never] }))
  const line = within(await within(dialog).findByRole('list', { name: 'Lines with errors' })).getByRole('listitem')
  expect(line).toHaveTextContent('Line 7')
  expect(within(dialog).getByRole('list', { name: 'Posts in the file' })).toHaveTextContent('Line 2')
  expect(line).toHaveTextContent('accounts: You have no connected account called “Nobody”.')
  const save = within(dialog).getByRole('button', { name: 'Save 1 draft' })
  expect(save).toBeDisabled()
  await user.click(within(dialog).getByRole('checkbox', { name: 'Skip lines with errors and save 1 draft' }))
  expect(save).toBeEnabled()
})

test('a file that cannot be read says where it breaks off', async () => {
  const { dialog } = await choose(refuse(422, 'invalid_input', { errors: [{ field: 'lines.3', code: 'csv_broken_quote' }] }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Line 3: A quotation mark opens here and is not closed properly.')
})

test('a preview that does not hold any more is looked at again', async () => {
  server.use(http.post('*/api/social-media-posts/import/', () => refuse(409, 'csv_changed')))
  const { user, dialog, looked } = await choose(preview())
  await user.click(await within(dialog).findByRole('button', { name: 'Save 2 drafts' }))
  expect(await within(dialog).findByText(/The preview is out of date/)).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(looked).toHaveLength(2))
  expect(await within(dialog).findByRole('button', { name: 'Save 2 drafts' })).toBeEnabled()
})

test('what a file does not show is asked, and the answers go along with the import', async () => {
  const sent: FormData[] = []
  server.use(
    http.post('*/api/social-media-posts/import/', async ({ request }) => {
      sent.push(await request.formData())
      return HttpResponse.json({ saved: 2, post_ids: ['one', 'two'] }, { status: 201 })
    }),
  )
  const unsure: Partial<ImportPreviewOut> = {
    encoding: 'macintosh',
    encodings: [
      { encoding: 'macintosh', example: 'schön' },
      { encoding: 'windows-1252', example: 'schšn' },
    ],
    two_way_date: { cell: '3/5/2126', day_first: '2126-05-03', month_first: '2126-03-05' },
    day_without_time: '3/5/2126',
  }
  const { user, dialog, looked } = await choose(
    preview({ ...unsure, questions: ['encoding', 'date_order', 'time_of_day'] }),
    preview({ ...unsure, questions: ['date_order', 'time_of_day'] }),
    preview({ ...unsure, questions: ['time_of_day'], date_order: 'month_first' }),
    preview({ ...unsure, date_order: 'month_first' }),
  )
  expect(await within(dialog).findByText('Your answer is needed.')).toBeVisible()
  const save = () => within(dialog).getByRole('button', { name: /Save/ })
  expect(save()).toBeDisabled()
  await user.click(within(dialog).getByRole('radio', { name: 'schön' }))
  await waitFor(() => expect(within(dialog).getByRole('radio', { name: 'schön' })).toBeChecked())
  await user.click(within(dialog).getByRole('radio', { name: 'Tue 5 Mar 2126' }))
  await waitFor(() => expect(looked).toHaveLength(3))
  expect(save()).toBeDisabled()
  await user.type(within(dialog).getByLabelText(/Time of day/), '09:30')
  await waitFor(() => expect(save()).toBeEnabled())
  await user.click(save())
  await waitFor(() => expect(sent).toHaveLength(1))
  const answers = { encoding: 'macintosh', date_order: 'month_first', time_of_day: '09:30' }
  expect(Object.fromEntries(looked.at(-1)?.entries() ?? [])).toMatchObject(answers)
  expect(Object.fromEntries(sent[0]?.entries() ?? [])).toMatchObject(answers)
})

test('each column can be read as something else, and dates that are not read are told', async () => {
  const columns = [column('Idea', 'content'), column('Go live', null, { sign: 'dates' }), column('', null, { example: '' })]
  const { user, dialog, looked } = await choose(preview({ columns }))
  expect(await within(dialog).findByText('Dates are ignored.')).toBeVisible()
  expect(dialog).toHaveTextContent('The column “Go live” seems to contain dates.')
  await user.click(within(dialog).getByText('Read: 1 of 2'))
  await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Go live' }), 'Date, with or without time')
  await waitFor(() => expect(looked).toHaveLength(2))
  expect(looked[1]?.get('columns')).toBe('content,planned_at,')
  // what one column holds, no other does
  await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Go live' }), 'Text')
  await waitFor(() => expect(looked).toHaveLength(3))
  expect(looked[2]?.get('columns')).toBe(',content,')
})

test('a file whose text nobody knows has its columns open', async () => {
  const { dialog } = await choose(
    preview({ questions: ['content'], columns: [column('', null), column('', null)], lines: [], right: 0 }),
  )
  expect(await within(dialog).findByText(/Choose which column contains the text/)).toBeVisible()
  expect(within(dialog).getByRole('combobox', { name: 'Column 2' })).toBeVisible()
})
