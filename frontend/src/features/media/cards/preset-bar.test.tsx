import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CardPresetIn, CardPresetOut } from '@/api/types.gen'
import { held, refuse } from '@/test/answers'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { completeSettings, type CardSettings } from '@/lib/card-settings'
import { PresetBar } from './preset-bar'

const look = completeSettings({ ground: '#112233', ink: '#ffffff', accent: '#ffcc00', foot: 'lindhof' })

const aPreset = (id: string, name: string, settings = look): CardPresetOut => ({
  id,
  name,
  settings,
  logo_url: null,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
})

let stored: CardPresetOut[]
let calls: [string, unknown][]

const server = startServer(
  http.get('*/api/cards/presets/', () => HttpResponse.json(stored)),
  http.post('*/api/cards/presets/', async ({ request }) => {
    const body = (await request.json()) as CardPresetIn
    calls.push(['create', body])
    if (stored.some(({ name }) => name === body.name)) return refuse(409, 'name_taken')
    const made = aPreset(`made-${body.name}`, body.name, completeSettings(body.settings))
    stored = [...stored, made]
    return HttpResponse.json(made, { status: 201 })
  }),
  http.put('*/api/cards/presets/:id/', async ({ params, request }) => {
    const body = (await request.json()) as CardPresetIn
    calls.push([`update ${String(params.id)}`, body])
    const changed = aPreset(String(params.id), body.name, completeSettings(body.settings))
    stored = stored.map((one) => (one.id === changed.id ? changed : one))
    return HttpResponse.json(changed)
  }),
  http.delete('*/api/cards/presets/:id/', ({ params }) => {
    calls.push([`delete ${String(params.id)}`, null])
    if (!stored.some(({ id }) => id === params.id)) return refuse(404, 'not_found')
    stored = stored.filter(({ id }) => id !== params.id)
    return new HttpResponse(null, { status: 204 })
  }),
)

beforeEach(() => {
  stored = [aPreset('p', 'Workshop')]
  calls = []
})

async function open(settings: CardSettings = look, first = 'p') {
  function Page() {
    const [used, setUsed] = useState(first)
    return <PresetBar presetId={used} settings={settings} onUse={(preset) => setUsed(preset?.id ?? '')} />
  }
  const shown = show(<Page />)
  const chosen = screen.getByRole('combobox', { name: 'Saved look' })
  if (first && stored.length > 0) await waitFor(() => expect(chosen).toHaveValue('Workshop'))
  const act = async (name: string) => {
    await shown.user.click(screen.getByRole('button', { name: 'Looks' }))
    return screen.findByRole('menuitem', { name })
  }
  return { ...shown, chosen, act }
}

test('without any there is nothing to choose, and one can be saved', async () => {
  stored = []
  const { chosen, act } = await open(look, '')
  await waitFor(() => expect(chosen).toHaveAttribute('placeholder', 'No saved looks yet'))
  expect(chosen).toBeDisabled()
  expect(await act('Save as a new look')).toBeEnabled()
  expect(screen.queryByRole('menuitem', { name: 'Delete look' })).toBeNull()
})

test('a list that could not be loaded says why', async () => {
  server.use(http.get('*/api/cards/presets/', () => refuse(503, 'server_busy')))
  await open(look, '')
  expect(await screen.findByText(/^This server is very busy/)).toBeVisible()
})

describe('the one in use', () => {
  test('is saved only where something differs', async () => {
    const { act } = await open()
    expect(await act('Save changes to “Workshop”')).toHaveAttribute('data-disabled')
  })

  test('takes the present look, and keeps its name', async () => {
    const { act, user } = await open({ ...look, foot: 'another' })
    await user.click(await act('Save changes to “Workshop”'))
    expect(await screen.findByText('“Workshop” was saved.')).toBeVisible()
    expect(calls).toEqual([['update p', { name: 'Workshop', settings: { ...look, foot: 'another' } }]])
  })

  test('gets another name, without the present look', async () => {
    const { act, user, chosen } = await open({ ...look, foot: 'another' })
    await user.click(await act('Rename look'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename look' }))
    const name = dialog.getByLabelText('Name')
    expect(name).toHaveValue('Workshop')
    await user.clear(name)
    await user.type(name, '  Yard {Enter}')
    await waitFor(() => expect(chosen).toHaveValue('Yard'))
    expect(calls).toEqual([['update p', { name: 'Yard', settings: look }]])
  })

  test('that was deleted in another tab says that it was not deleted here', async () => {
    const { act, user } = await open()
    stored = []
    await user.click(await act('Delete look'))
    expect(await screen.findByText(/^The look was not deleted\./)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('is deleted once by two clicks in one moment, and can be brought back', async () => {
    const { act, user } = await open()
    const item = await act('Delete look')
    fireEvent.click(item)
    fireEvent.click(item)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(calls.map(([call]) => call)).toEqual(['delete p', 'create']))
    expect(screen.queryByText(/was not deleted/)).toBeNull()
  })

  test('that is saved in vain says so', async () => {
    server.use(http.put('*/api/cards/presets/p/', () => refuse(503, 'server_busy')))
    const { act, user } = await open({ ...look, foot: 'another' })
    await user.click(await act('Save changes to “Workshop”'))
    expect(await screen.findByText(/^The look was not saved\. This server is very busy/)).toBeVisible()
  })
})

describe('a new one', () => {
  async function name() {
    const opened = await open()
    await opened.user.click(await opened.act('Save as a new look'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Save as a new look' }))
    return { ...opened, dialog, field: dialog.getByLabelText('Name') }
  }

  test.each(['', '   '])('needs a name, not %o', async (typed) => {
    const { user, dialog, field } = await name()
    if (typed) await user.type(field, typed)
    await user.click(dialog.getByRole('button', { name: 'Save look' }))
    expect(field).toBeInvalid()
    expect(calls).toEqual([])
    await user.type(field, 'Y')
    expect(field).toBeValid()
  })

  test('is made once, however often Enter is pressed, and is the one in use', async () => {
    const { until, letGo } = held()
    server.use(
      http.post('*/api/cards/presets/', async () => {
        await until
        return undefined // the answer of the server above
      }),
    )
    const { field, chosen, user } = await name()
    await user.type(field, 'Yard')
    fireEvent.submit(field)
    fireEvent.submit(field)
    letGo()
    await waitFor(() => expect(chosen).toHaveValue('Yard'))
    expect(calls).toEqual([['create', { name: 'Yard', settings: look }]])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
