import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { TemplateCheckOut, TemplateOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { aTemplate } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { DetailsPanel } from './details-panel'
import { PromptLength } from './prompt-length'
import { settingsOf } from './settings'
import { TemplateEditor } from './template-editor'
import { TemplateInputs } from './template-inputs'
import { TemplateHeader } from './template-header'
import { TryoutPanel } from '@/features/templates/tryouts/tryout-panel'

const server = startServer()

const fine: TemplateCheckOut = {
  variables: ['Topic'],
  reserved: ['Topic'],
  errors: [],
  needs: [],
  longest: 207,
  limit: 100_000,
}
let started: { body: string }[]

beforeEach(() => {
  started = []
  // jsdom has none: what is inserted then goes the way of other browsers without it
  Object.defineProperty(document, 'execCommand', { configurable: true, value: undefined })
})

async function open({
  body = 'Write about ((Topic)).',
  check = {},
  ...changes
}: Partial<TemplateOut> & { check?: Partial<TemplateCheckOut> } = {}) {
  server.use(
    http.get('*/api/templates/tags/', () => HttpResponse.json([])),
    http.get('*/api/templates/models/', () =>
      HttpResponse.json({ text_provider: 'demo', text: [], image_provider: null, image: [] }),
    ),
    http.get('*/api/templates/:id/tryouts/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })),
    http.post('*/api/templates/preview/', () => HttpResponse.json({ ...fine, ...check })),
    http.post('*/api/templates/:id/tryouts/', async ({ request }) => {
      started.push((await request.json()) as { body: string })
      return refuse(500, 'internal')
    }),
  )
  const template = aTemplate({ body, settings: settingsOf(), ...changes })
  const shown = show(<TemplateEditor template={template} onCreated={() => {}} logoField={() => null} header={TemplateHeader} detailsPanel={DetailsPanel} tryoutPanel={TryoutPanel} />)
  const area = await screen.findByLabelText<HTMLTextAreaElement>('Template')
  const selected = () => area.value.slice(area.selectionStart, area.selectionEnd)
  return { ...shown, area, selected }
}

describe('a variable', () => {
  const insert = (name: string) => screen.getByRole('button', { name: `Insert variable ${name}` })

  test('is inserted where the caret is, which stands behind it then', async () => {
    const { user, area } = await open({ body: 'In : go' })
    area.focus()
    area.setSelectionRange(3, 3)
    await user.click(insert('Language'))
    expect(area).toHaveValue('In ((Language)): go')
    await waitFor(() => expect(area.selectionStart).toBe('In ((Language))'.length))
    expect(area).toHaveFocus()
  })

  test('is inserted at the end of a text in which nobody has put the caret yet', async () => {
    const { user, area } = await open({ body: 'About ' })
    await user.click(insert('Topic'))
    expect(area).toHaveValue('About ((Topic))')
    await waitFor(() => expect(area.selectionStart).toBe(area.value.length))
    area.setSelectionRange(0, 0)
    await user.click(insert('Date'))
    expect(area).toHaveValue('((Date))About ((Topic))')
  })

  test('is inserted in place of what is selected', async () => {
    const { user, area } = await open({ body: 'About rain today' })
    area.focus()
    area.setSelectionRange(6, 10)
    await user.click(insert('Topic'))
    expect(area).toHaveValue('About ((Topic)) today')
  })

  test('is inserted as if it was typed, where the browser can undo that', async () => {
    const typed = vi.fn(() => true)
    Object.defineProperty(document, 'execCommand', { configurable: true, value: typed })
    const { user, area } = await open({ body: 'About ' })
    await user.click(insert('Topic'))
    expect(typed).toHaveBeenCalledWith('insertText', false, '((Topic))')
    expect(area).toHaveValue('About ')
  })

  test.each([
    ['text', false],
    ['image', true],
  ] as const)('for the content is offered only to what is made after it: %s', async (type, offered) => {
    await open({ type })
    expect(screen.queryByRole('button', { name: 'Insert variable Content' }) !== null).toBe(offered)
  })
})

test('the place of the caret is told as people count', async () => {
  const { user, area } = await open({ body: '🚲 One\nTwo' })
  await user.click(area)
  area.setSelectionRange(area.value.length, area.value.length)
  await user.keyboard('{ArrowLeft}{ArrowRight}!')
  expect(screen.getByText('Line 2, column 5')).toBeVisible()
})

describe('what is wrong with the text', () => {
  const broken = (line: number, column: number) => ({
    code: 'template_syntax' as const,
    field: 'body',
    params: { line, column },
  })

  test('is listed, each with the way there', async () => {
    const { user, selected, area } = await open({ body: 'One\n🚲 (( )) two', check: { errors: [broken(2, 3)] } })
    await user.click(await screen.findByRole('button', { name: 'Show in text' }))
    expect(selected()).toBe('((')
    expect(area.selectionStart).toBe('One\n🚲 '.length)
    expect(area).toHaveFocus()
  })

  test('keeps it from being tried', async () => {
    const { area, user } = await open({ body: 'One (( )) two', check: { errors: [broken(1, 5)] } })
    expect(await screen.findByText('A variable cannot be read. Correct it in the text, then run the template.')).toBeVisible()
    area.focus()
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(started).toEqual([])
  })

  test('that nothing is there at all is told when the field is left', async () => {
    const { user, area } = await open()
    await user.clear(area)
    await user.tab()
    expect(area).toBeInvalid()
    expect(screen.getByText('The template has no text yet. Write one.')).toBeVisible()
  })
})

describe('the inputs', () => {
  test('lead to their first place in the text, whatever their case', async () => {
    const { user, area, selected } = await open({
      body: 'For ((audience)) about ((TOPIC)) and ((Topic)).',
      check: { variables: ['audience', 'Topic'], reserved: ['Topic'] },
    })
    await user.click(await screen.findByRole('button', { name: 'Show Topic in the text' }))
    expect(selected()).toBe('((TOPIC))')
    expect(area).toHaveFocus()
    expect(screen.getByText('Set to a fixed value in the assistant')).toBeVisible()
    expect(screen.getByText('2 variables')).toBeVisible()
  })

  test.each<[string, Partial<TemplateCheckOut>]>([
    ['An assistant can use this template.', {}],
    ['No variables yet. Write ((Topic)) where the topic belongs.', { variables: [] }],
    [
      'A text template used by an assistant needs the variable ((Topic)). Add it.',
      { variables: ['Audience'], needs: [{ code: 'template_needs_topic', field: 'body', params: {} }] },
    ],
  ])('say what an assistant needs: %s', (text, check) => {
    show(<TemplateInputs check={{ ...fine, ...check }} failed={false} onShow={() => {}} />)
    expect(screen.getByText(text)).toBeVisible()
  })

  test('that could not be checked say so', async () => {
    const { area } = await open()
    server.use(http.post('*/api/templates/preview/', () => refuse(500, 'internal')))
    fireEvent.change(area, { target: { value: 'More' } })
    expect(await screen.findByText('The template could not be checked. Saving checks it again.')).toBeVisible()
  })
})

describe('the length of the prompt', () => {
  test.each<[number, string | null]>([
    [80, null],
    [81, 'With long values, the prompt comes close to its limit of 100 characters.'],
    [100, 'With long values, the prompt comes close to its limit of 100 characters.'],
    [
      101,
      'With long values, the prompt can exceed 100 characters, and the run then fails. Use your own variables less often.',
    ],
  ])('of at most %i of 100', (longest, warning) => {
    show(<PromptLength body="🚲" limit={20_000} check={{ longest, limit: 100 }} />)
    expect(screen.getByText(/^1 of 20,000/)).toHaveTextContent(`with variables at most ${longest} of 100`)
    const warned = screen.queryByText(/^With long values/)
    if (warning) expect(warned).toHaveTextContent(warning)
    else expect(warned).toBeNull()
  })
})

test.each(['Control', 'Meta'])('%s Enter tries what is in the editor, from within the text', async (key) => {
  const { user, area } = await open()
  await screen.findByText('An assistant can use this template.')
  area.focus()
  fireEvent.change(area, { target: { value: 'Write about ((Topic)). Now' } })
  await screen.findByText('Uses the text in the editor, with 1 unsaved change.')
  await user.keyboard(`{${key}>}{Enter}{/${key}}`)
  await waitFor(() => expect(started.map(({ body }) => body)).toEqual(['Write about ((Topic)). Now']))
  expect(area).toHaveValue('Write about ((Topic)). Now')
})

test('a type that was changed is saved before it is tried', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('radio', { name: 'Image' }))
  expect(await screen.findByText('The type was changed. Save the template first, then run it.')).toBeVisible()
})
