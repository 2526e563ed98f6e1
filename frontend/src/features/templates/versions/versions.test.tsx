import { Notifications } from '@mantine/notifications'
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { TemplateOut, TemplateVersionOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { settingsOf } from '@/features/templates/editor/settings'
import { TemplateVersions } from './versions'

const server = startServer()

const version = (number: number, body: string, more: Partial<TemplateVersionOut> = {}): TemplateVersionOut => ({
  id: `version-${number}`,
  number,
  type: 'text',
  name: 'Practical tip',
  description: '',
  language: 'en',
  tags: [],
  body,
  settings: settingsOf(),
  restored_from: null,
  used_by: 0,
  created_at: '2026-11-21T12:00:00Z',
  ...more,
})

const VERSIONS = [
  version(3, 'Write about ((Topic)).\nThree tips.', { settings: settingsOf({ text: { max_characters: 900 } }) }),
  version(2, 'Write about ((Topic)).\nTwo tips.', { used_by: 2 }),
  version(1, 'Write.', { used_by: 1 }),
]

const template: TemplateOut = {
  ...VERSIONS[0]!,
  id: 'template',
  visibility: 'private',
  usage_count: 0,
  author: 'Mara Lind',
  source: null,
  version: 3,
  version_id: 'version-3',
  variables: ['Topic'],
  published_at: null,
  sample_text: '',
  sample_url: null,
  updated_at: '2026-11-21T12:00:00Z',
}

const card = (logo_id: string | null) => settingsOf({ image: { engine: 'card', card: { logo_id } } })

const LOGOS = [
  version(3, 'The same', { type: 'image', settings: card('new') }),
  version(2, 'The same', { type: 'image', settings: card('old') }),
  version(1, 'The same', { type: 'image', settings: card(null) }),
]

function show(address = '/?tab=versions', all = VERSIONS) {
  server.use(
    http.get('*/api/templates/template/versions/', ({ request }) => {
      // the oldest one is on the next page
      const [items, next_cursor] = new URL(request.url).searchParams.get('cursor')
        ? [all.slice(2), null]
        : [all.slice(0, 2), 'next']
      return HttpResponse.json({ items, next_cursor, total: 3 })
    }),
  )
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Notifications />
      <MemoryRouter initialEntries={[address]}>
        <Questions>
          <TemplateVersions template={template} />
        </Questions>
      </MemoryRouter>
    </Providers>,
  )
}

test('shows what the last change did, by more than its colour', async () => {
  show()
  const diff = within(await screen.findByRole('region', { name: 'Text of version 2 compared with version 3' }))
  expect(diff.getByText('Two').tagName).toBe('DEL')
  expect(diff.getByText('Three').tagName).toBe('INS')
  expect(diff.getByText('removed:')).toBeInTheDocument()
  expect(screen.getByText('Limit of the channel')).toBeVisible()
  expect(screen.getByText('900 characters')).toBeVisible()
  expect(screen.getByText('1 line changed')).toBeVisible()
  expect(screen.getByText('2 assistants')).toBeVisible()
})

test('an address compares any two, also those of a later page', async () => {
  show('/?tab=versions&compare=1..3')
  expect(await screen.findByRole('region', { name: 'Text of version 1 compared with version 3' })).toBeVisible()
})

test.each([
  ['2..3', 'With a logo from your images', 'With another logo from your images'],
  ['1..2', 'None', 'With a logo from your images'],
])('of the logos of %s it says that they differ', async (compare, was, is) => {
  show(`/?tab=versions&compare=${compare}`, LOGOS)
  expect((await screen.findByText(is)).tagName).toBe('INS')
  expect(screen.getByText(was).tagName).toBe('DEL')
})

test('a restored version can be taken back', async () => {
  const calls: [string, unknown][] = []
  server.use(
    http.post('*/api/templates/template/versions/:number/restore/', async ({ params, request }) => {
      const body = (await request.json()) as { version: number }
      calls.push([String(params.number), body])
      return HttpResponse.json({ ...template, version: body.version + 1 })
    }),
  )
  const user = userEvent.setup()
  show()
  await user.click(await screen.findByRole('button', { name: 'Restore version 2' }))
  expect(await screen.findByText('Version 2 was restored as version 4.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(calls).toEqual([
      ['2', { version: 3 }],
      ['3', { version: 4 }],
    ]),
  )
})

test('restoring twice in one moment is one version, without a conflict', async () => {
  let calls = 0
  server.use(
    http.post('*/api/templates/template/versions/:number/restore/', () => {
      calls += 1
      if (calls > 1) return HttpResponse.json({ status: 409, code: 'stale_version', detail: '', params: {}, errors: [] }, { status: 409 })
      return HttpResponse.json({ ...template, version: 4 })
    }),
  )
  show()
  const button = await screen.findByRole('button', { name: 'Restore version 2' })
  fireEvent.click(button)
  fireEvent.click(button)
  expect(await screen.findByText('Version 2 was restored as version 4.')).toBeVisible()
  expect(screen.queryByText(/was not restored/)).toBeNull()
  expect(calls).toBe(1)
})

const rowOf = async (number: number) => within((await screen.findByRole('button', { name: `Restore version ${number}` })).closest('li')!)

test.each([
  ['a text', { body: 'Write.\nMuch.\nMore.' }, '2 lines changed'],
  ['the name alone', { name: 'Another tip' }, 'Only details or settings changed'],
  ['a tag alone', { tags: ['Autumn'] }, 'Only details or settings changed'],
  ['a setting alone', { settings: settingsOf({ text: { tone: 'dry' } }) }, 'Only details or settings changed'],
  ['nothing', {}, 'Nothing changed'],
  ['what an older one had', { body: 'Once.', restored_from: 1 }, 'Restored from version 1'],
])('a row says in words that %s was saved', async (_, changes, words) => {
  show(undefined, [version(3, 'Now'), version(2, 'Write.', changes), version(1, 'Write.')])
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  await screen.findByRole('button', { name: 'Restore version 1' })
  expect((await rowOf(2)).getByText(words)).toBeVisible()
  expect((await rowOf(1)).getByText('First version')).toBeVisible()
})

test('the newest one is marked, and is nothing to bring back', async () => {
  show()
  await screen.findByRole('button', { name: 'Restore version 2' })
  expect(screen.queryByRole('button', { name: 'Restore version 3' })).toBeNull()
  expect(screen.getByText('Newest').closest('li')).toHaveTextContent('Version 3')
})

test.each([
  ['another tab has saved meanwhile', 'stale_version', /was not restored\. .*(elsewhere|meanwhile|newer)/i],
  ['it is not there any more', 'not_found', /was not restored\. ./],
])('a version that is not brought back because %s says so, and offers no undo', async (_, code, reason) => {
  server.use(http.post('*/api/templates/template/versions/2/restore/', () => refuse(409, code)))
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Restore version 2' }))
  expect(await screen.findByText(reason)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('an undo that comes too late says that it did nothing', async () => {
  server.use(
    http.post('*/api/templates/template/versions/2/restore/', () => HttpResponse.json({ ...template, version: 4 })),
    http.post('*/api/templates/template/versions/3/restore/', () => refuse(409, 'stale_version')),
  )
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Restore version 2' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText(/^The version was not restored\./)).toBeVisible()
})

test('two that are chosen from the lists are compared, the older one first, and never one with itself', async () => {
  show('/?tab=versions&compare=1..2')
  await screen.findByRole('region', { name: 'Text of version 1 compared with version 2' })
  await userEvent.click(screen.getByRole('combobox', { name: 'From' }))
  expect(screen.getByRole('option', { name: 'Version 2' })).toHaveAttribute('data-combobox-disabled')
  await userEvent.click(screen.getByRole('option', { name: 'Version 3' }))
  expect(await screen.findByRole('region', { name: 'Text of version 2 compared with version 3' })).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'From' })).toHaveValue('Version 2')
})

test('an address of versions that never were says so, once all have been looked through', async () => {
  show('/?tab=versions&compare=2..9')
  expect(await screen.findByText('One of these versions does not exist. Choose two versions from the lists.')).toBeVisible()
})

test('one version alone is nothing to compare', async () => {
  show(undefined, [version(1, 'Write.')])
  expect(await screen.findByText('There is only one version so far. You can compare versions once there are two.')).toBeVisible()
  expect(screen.queryByRole('combobox', { name: 'From' })).toBeNull()
})

test('a list that could not be loaded is asked for again', async () => {
  show()
  server.use(http.get('*/api/templates/template/versions/', () => refuse(503, 'server_busy'), { once: true }))
  expect(await screen.findByText('Versions could not be loaded')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Restore version 2' })).toBeVisible()
})
