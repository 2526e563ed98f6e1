import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TemplateOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { aTemplate } from '@/test/made'
import { newQueryClient, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { templateQuery } from '@/features/templates/api'
import { DetailsPanel } from './details-panel'
import { TemplateEditor } from './template-editor'
import { settingsOf } from './settings'
import { TemplateHeader } from './template-header'
import { TryoutPanel } from '@/features/templates/tryouts/tryout-panel'

/** As the server holds it; a save that was typed over another version is refused. */
let stored: TemplateOut
let sent: { version: number; name: string }[]

const none = { items: [], next_cursor: null, total: 0 }

const server = startServer(
  http.get('*/api/templates/tags/', () => HttpResponse.json([])),
  http.get('*/api/templates/models/', () => HttpResponse.json({ text_provider: 'demo', text: [], image_provider: null, image: [] })),
  http.get('*/api/templates/:id/tryouts/', () => HttpResponse.json(none)),
  http.post('*/api/templates/preview/', () =>
    HttpResponse.json({ variables: ['Topic'], reserved: ['Topic'], errors: [], needs: [], longest: 207, limit: 100_000 }),
  ),
  http.get('*/api/templates/template/', () => HttpResponse.json(stored)),
  http.put('*/api/templates/template/', async ({ request }) => {
    const { version, ...values } = (await request.json()) as TemplateOut
    sent.push({ version, name: values.name })
    if (version !== stored.version) return refuse(409, 'stale_version')
    stored = { ...stored, ...values, version: version + 1 }
    return HttpResponse.json(stored)
  }),
)

beforeEach(() => {
  stored = aTemplate({ settings: settingsOf() })
  sent = []
})

/** As the route shows it: what is known of the template goes on changing under it. */
function Page() {
  const { data } = useQuery(templateQuery('template'))
  return data && <TemplateEditor template={data} onCreated={() => {}} logoField={() => null} header={TemplateHeader} detailsPanel={DetailsPanel} tryoutPanel={TryoutPanel} />
}

async function open(queryClient = newQueryClient()) {
  const shown = show(<Page />, { at: '/templates/template', queryClient })
  const name = await screen.findByLabelText('Name')
  /** Another tab saves, and this one hears of it. */
  const elsewhere = async (name: string) => {
    stored = { ...stored, name, version: stored.version + 1 }
    await queryClient.invalidateQueries({ queryKey: templateQuery('template').queryKey })
  }
  return { ...shown, name, elsewhere }
}

const save = (number: number) => screen.getByRole('button', { name: `Save version ${number}` })

test('what another tab saves is simply shown while nothing was typed here', async () => {
  const { name, elsewhere } = await open()
  await elsewhere('From the other tab')
  await waitFor(() => expect(name).toHaveValue('From the other tab'))
  expect(screen.queryByText(/was saved elsewhere/)).toBeNull()
  expect(screen.queryByText(/unsaved change/)).toBeNull()
})

describe('what another tab saves over typed words', () => {
  async function conflict() {
    const opened = await open()
    await opened.user.type(opened.name, ', mine')
    await opened.elsewhere('From the other tab')
    expect(await screen.findByText('Version 2 was saved elsewhere.')).toBeVisible()
    expect(opened.name).toHaveValue('Practical tip, mine')
    return opened
  }

  test('can be looked at first', async () => {
    await conflict()
    expect(screen.getByRole('link', { name: 'Show changes' })).toHaveAttribute(
      'href',
      '/templates/template?tab=versions&compare=1..2',
    )
  })

  test('is refused before it is known here, and what was typed stays', async () => {
    const { user, name } = await open()
    stored = { ...stored, name: 'From the other tab', version: 2 }
    await user.type(name, ', mine')
    await user.click(save(2))
    expect(await screen.findByText('Version 2 was saved elsewhere.')).toBeVisible()
    expect(name).toHaveValue('Practical tip, mine')
    expect(stored.name).toBe('From the other tab')
    expect(screen.queryByText(/The template was not saved/)).toBeNull()
    // far below, where it was saved, nothing tells of it
    expect(screen.getByText('Version 2 was saved elsewhere.').closest('.notices')).toHaveFocus()
  })

  test('is taken, and what was typed comes back by an undo', async () => {
    const { user, name } = await conflict()
    await user.click(screen.getByRole('button', { name: 'Load version 2' }))
    expect(name).toHaveValue('From the other tab')
    expect(screen.queryByText(/unsaved change/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(name).toHaveValue('Practical tip, mine')
    await user.click(save(3))
    await waitFor(() => expect(stored).toMatchObject({ name: 'Practical tip, mine', version: 3 }))
  })

  test('is written over by who says so', async () => {
    const { user } = await conflict()
    await user.click(screen.getByRole('button', { name: 'Continue with my version' }))
    expect(screen.queryByText(/was saved elsewhere/)).toBeNull()
    await user.click(save(3))
    expect(await screen.findByText('Saved as version 3.')).toBeVisible()
    expect(sent).toEqual([{ version: 2, name: 'Practical tip, mine' }])
  })

  test('is asked about once more when it happens once more', async () => {
    const { user, name, elsewhere } = await conflict()
    await user.click(screen.getByRole('button', { name: 'Continue with my version' }))
    await elsewhere('And again')
    expect(await screen.findByText('Version 3 was saved elsewhere.')).toBeVisible()
    expect(name).toHaveValue('Practical tip, mine')
  })
})

describe('what is not saved', () => {
  test('is given up and taken back', async () => {
    const { user, name } = await open()
    await user.type(name, '!')
    expect(screen.getByText('1 unsaved change')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(name).toHaveValue('Practical tip')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(name).toHaveValue('Practical tip!')
    expect(screen.getByText('1 unsaved change')).toBeVisible()
  })

  test('is there when one comes back, over the version that it was typed over', async () => {
    const queryClient = newQueryClient()
    const { user, name, unmount } = await open(queryClient)
    await user.type(name, ', mine')
    unmount()
    stored = { ...stored, name: 'From the other tab', version: 2 }
    const again = await open(queryClient)
    expect(again.name).toHaveValue('Practical tip, mine')
    expect(await screen.findByText('Version 2 was saved elsewhere.')).toBeVisible()
  })

  test('is kept where the server refuses it, with the reason, and can be saved after that', async () => {
    const { user, name } = await open()
    server.use(http.put('*/api/templates/template/', () => refuse(503, 'server_busy'), { once: true }))
    await user.type(name, '!')
    await user.click(save(2))
    expect(await screen.findByText(/^The template was not saved\. Your changes are still here\./)).toBeVisible()
    await user.click(save(2))
    expect(await screen.findByText('Saved as version 2.')).toBeVisible()
    expect(screen.queryByText(/was not saved/)).toBeNull()
  })
})

test('Ctrl S saves from within a field, and nothing where nothing was typed', async () => {
  const { user, name } = await open()
  await user.click(name)
  await user.keyboard('{Control>}s{/Control}')
  await user.keyboard('!')
  await user.keyboard('{Control>}s{/Control}')
  expect(await screen.findByText('Saved as version 2.')).toBeVisible()
  expect(sent).toEqual([{ version: 1, name: 'Practical tip!' }])
})

test('without a name nothing is sent, and the field has the focus', async () => {
  const { user, name } = await open()
  await user.clear(name)
  await user.click(save(2))
  expect(name).toHaveFocus()
  expect(name).toBeInvalid()
  expect(sent).toEqual([])
})
