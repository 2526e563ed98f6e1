import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { TryoutDetail } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { aTemplate } from '@/test/made'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { settingsOf } from '@/features/templates/editor/settings'
import { TryoutHistory } from './tryout-history'
import { TryoutResult } from './tryout-result'

const server = startServer()

const aTryout = (changes: Partial<TryoutDetail> = {}): TryoutDetail => ({
  id: 'tryout',
  template_id: 'template',
  version: 4,
  type: 'text',
  body: 'About ((Topic)) for ((Audience)).',
  settings: settingsOf(),
  language: 'en',
  inputs: { Audience: ' ', topic: 'Rain' },
  state: 'succeeded',
  attempt: 1,
  reason: null,
  detail: '',
  next_try_at: null,
  prompt_cut: false,
  output: 'Mudguards help.',
  media_id: null,
  image_url: null,
  image_width: null,
  image_height: null,
  json_output: { output: 'Mudguards help.' },
  provider: 'openai',
  model: 'gpt-6-luna',
  input_tokens: 1_088,
  output_tokens: 214,
  cost_micros: 3_200,
  currency: 'EUR',
  duration_ms: 4_230,
  request_id: 'req_1',
  created_at: '2026-11-21T12:00:00Z',
  started_at: '2026-11-21T12:00:00Z',
  finished_at: '2026-11-21T12:00:04Z',
  ...changes,
})

function open(changes: Partial<TryoutDetail> = {}, at = '/templates/template') {
  itIs('2026-11-21T12:00:05Z')
  const [onAgain, onUseInputs] = [vi.fn(), vi.fn()]
  const shown = show(
    <TimeZoneContext value="UTC">
      <TryoutResult tryout={aTryout(changes)} onAgain={onAgain} onUseInputs={onUseInputs} />
    </TimeZoneContext>,
    { at },
  )
  return { ...shown, onAgain, onUseInputs }
}

test('a try-out whose prompt was cut by the server warns, and says what to do', () => {
  open({ prompt_cut: true })
  expect(screen.getByText(/The model did not read the whole prompt/)).toHaveTextContent('OLLAMA_CONTEXT_LENGTH')
  expect(screen.getByText('Mudguards help.')).toBeVisible()
})

test('a try-out on which no more is spent shows what the server said last', () => {
  open({ state: 'failed', reason: 'text_attempts_used', detail: 'empty answer', output: '' })
  expect(screen.getByRole('alert')).toHaveTextContent(/Five paid attempts.*empty answer/)
})

describe('a try-out that is at work says', () => {
  const queued = { state: 'queued', output: '', duration_ms: null, finished_at: null } as const
  const running = { ...queued, state: 'running' } as const

  test.each<[string, Partial<TryoutDetail>]>([
    ['Waiting to start.', queued],
    ['Waiting to start.', { ...queued, created_at: '2026-11-21T11:59:55Z' }],
    ['Still waiting: the background service is busy.', { ...queued, created_at: '2026-11-21T11:59:54Z' }],
    ['The model is writing.', running],
    ['The image is being created.', { ...running, type: 'image' }],
    ['Attempt 2 is running.', { ...running, attempt: 2, output: 'Half a' }],
    ['Attempt 1 failed.', { ...running, next_try_at: '2026-11-21T12:00:29Z', reason: 'model_unavailable' }],
    ['Next attempt in 0:24.', { ...running, next_try_at: '2026-11-21T12:00:29Z', reason: null }],
  ])('%s (%#)', (text, changes) => {
    open(changes)
    expect(document.querySelector('.result-why')).toHaveTextContent(text)
    expect(screen.getByRole('button', { name: 'Stop test run' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull()
  })

  test('nothing more once there is text, and no figures yet', () => {
    open({ ...running, output: 'Half a' })
    expect(document.querySelector('.result-why')).toBeNull()
    expect(screen.getByText('Half a')).toHaveAttribute('aria-busy', 'true')
    expect(screen.queryByText('Cost')).toBeNull()
  })

  test('why it could not be cancelled', async () => {
    server.use(http.post('*/api/templates/template/tryouts/tryout/cancel/', () => refuse(500, 'internal')))
    const { user } = open(running)
    await user.click(screen.getByRole('button', { name: 'Stop test run' }))
    expect(await screen.findByText(/^The test run was not stopped\./)).toBeVisible()
  })
})

describe('a try-out that is over', () => {
  test.each<[string, Partial<TryoutDetail>]>([
    ['Done in 4.2 s', {}],
    ['Done', { duration_ms: null }],
    ['Failed', { state: 'failed', output: '' }],
    ['Stopped', { state: 'cancelled' }],
  ])('is %s', (text, changes) => {
    open(changes)
    expect(document.querySelector('.result-state')).toHaveTextContent(new RegExp(`^${text}$`))
    expect(screen.getByRole('button', { name: 'Run again' })).toBeVisible()
  })

  test('with a failure says why, also where nobody knows', () => {
    open({ state: 'failed', output: '', reason: null })
    expect(screen.getByRole('alert')).toHaveTextContent(/^This test run failed\. An error occurred/)
  })

  test.each<[string, Partial<TryoutDetail>]>([
    ['15 characters', {}],
    ['15 / 900 characters', { settings: settingsOf({ text: { max_characters: 900 } }) }],
    ['2 characters', { output: '🚲' }],
  ])('says how long its text is: %s', (text, changes) => {
    open(changes)
    expect(screen.getByText(text)).toBeVisible()
  })

  test('whose image was deleted says so, and keeps its figures', () => {
    open({ type: 'image', output: '' })
    expect(screen.getByText(/^The image was deleted from your gallery/)).toBeVisible()
    expect(screen.getByText('€0.0032')).toBeVisible()
  })

  test('keeps its words to itself where it has an image', () => {
    open({ type: 'image', image_url: '/api/media/image/file/', image_width: 1080, image_height: null })
    expect(screen.getByRole('img', { name: 'Image of this test run, 1080 × ? pixels' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull()
  })

  test('shows what went in, in the order of the text, and what was left empty', async () => {
    const { user, address, onUseInputs } = open()
    await user.click(screen.getByRole('tab', { name: 'Inputs' }))
    expect(address()).toBe('/templates/template?show=inputs')
    const facts = [...document.querySelectorAll('.result-inputs dt')].map((name) => [
      name.textContent,
      name.nextElementSibling?.textContent,
    ])
    expect(facts).toEqual([
      ['topic', 'Rain'],
      ['Audience', 'empty'],
      ['Tested text', 'Version 4'],
      ['Language', 'English'],
      ['Started', 'Sat 21 Nov, 12:00'],
    ])
    await user.click(screen.getByRole('button', { name: 'Use these inputs' }))
    expect(onUseInputs).toHaveBeenCalledOnce()
    await user.click(screen.getByRole('tab', { name: 'Result' }))
    expect(address()).toBe('/templates/template')
  })

  test('of what was not saved says that, and that there were no inputs', () => {
    open({ version: null, inputs: {} }, '/templates/template?show=inputs')
    expect(screen.getByText('Unsaved changes')).toBeVisible()
    expect(screen.getByText('This test run had no inputs.')).toBeVisible()
  })

  test('shows its JSON by its address, and nonsense there is the result', () => {
    const { unmount } = open({}, '/templates/template?show=json')
    expect(screen.getByLabelText('JSON', { selector: 'pre' })).toHaveTextContent('{ "output": "Mudguards help." }')
    unmount()
    open({}, '/templates/template?show=nothing')
    expect(screen.getByText('Mudguards help.')).toBeVisible()
  })
})

describe('the earlier ones', () => {
  let stored: TryoutDetail[]
  function openHistory(tryouts: TryoutDetail[], at = '/templates/template?tryout=tryout&show=json') {
    stored = tryouts
    itIs('2026-11-21T12:00:05Z')
    server.use(
      http.get('*/api/templates/template/tryouts/', () =>
        HttpResponse.json({ items: stored, next_cursor: null, total: stored.length }),
      ),
    )
    return show(
      <TimeZoneContext value="UTC">
        <TryoutHistory template={aTemplate()} total={1} shown="tryout" onAgain={() => {}} onUseInputs={() => {}} />
      </TimeZoneContext>,
      { at },
    )
  }

  test.each<[string, Partial<TryoutDetail>]>([
    ['Mudguards help.', { output: '\n Mudguards help. \nAlways.' }],
    ['Still being written', { state: 'running', output: '' }],
    ['Still being created', { state: 'queued', type: 'image', output: '' }],
    ['Image', { type: 'image', output: '' }],
    ['No result', { state: 'failed', output: '' }],
    ['No result', { state: 'failed', type: 'image', output: '' }],
  ])('are called by what came of them: %s (%#)', async (name, changes) => {
    openHistory([aTryout(changes)])
    expect(await screen.findByRole('link', { name })).toHaveAttribute('aria-current', 'true')
  })

  const remove = async (user: ReturnType<typeof show>['user'], answer: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for the test run of Sat 21 Nov, 12:00' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete test run' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: answer }))
  }

  test('are deleted after a question; the address lets the one that is gone go', async () => {
    server.use(
      http.delete('*/api/templates/template/tryouts/tryout/', () => {
        stored = []
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user, address } = openHistory([aTryout()])
    await remove(user, 'Delete test run')
    expect(await screen.findByText('The test run was deleted.')).toBeVisible()
    expect(address()).toBe('/templates/template')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Mudguards help.' })).toBeNull())
  })

  test('are not deleted where the answer is no', async () => {
    const { user, address } = openHistory([aTryout()])
    await remove(user, 'Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(address()).toContain('tryout=tryout')
  })

  test('that could not be deleted say why', async () => {
    server.use(http.delete('*/api/templates/template/tryouts/tryout/', () => refuse(500, 'internal')))
    const { user } = openHistory([aTryout()])
    await remove(user, 'Delete test run')
    expect(await screen.findByText(/^The test run was not deleted\. An error occurred/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Mudguards help.' })).toBeVisible()
  })

  test('that are at work cannot be deleted', async () => {
    const { user } = openHistory([aTryout({ state: 'running' })])
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    expect(await screen.findByRole('menuitem', { name: 'Delete test run' })).toBeDisabled()
  })

  test('that could not be loaded are asked for again', async () => {
    server.use(http.get('*/api/templates/template/tryouts/', () => refuse(500, 'internal')))
    const { user } = show(
      <TryoutHistory template={aTemplate()} total={1} shown={undefined} onAgain={() => {}} onUseInputs={() => {}} />,
    )
    await screen.findByText(/^Earlier test runs could not be loaded/)
    server.use(
      http.get('*/api/templates/template/tryouts/', () =>
        HttpResponse.json({ items: [aTryout()], next_cursor: null, total: 1 }),
      ),
    )
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'Mudguards help.' })).toBeVisible()
  })
})
