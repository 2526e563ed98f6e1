import { useForm } from '@mantine/form'
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { MemoryRouter, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import type { ModelsOut, TemplateSettingsModel, TemplateType } from '@/api/types.gen'
import { brandDraftName } from '@/lib/brand-path'
import { keepDraft } from '@/lib/drafts'
import { sessionName } from '@/lib/token'
import { aBrand } from '@/test/made'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import type { LogoField } from './card-panel'
import { ModelPanel } from './model-panel'
import { settingsOf } from './settings'
import type { Values } from './template-values'

const server = startServer()

const models: ModelsOut = {
  text_provider: 'openai',
  text: [
    { name: 'gpt-6-luna', default: true, takes_temperature: false, takes_effort: true, priced: true },
    { name: 'gpt-6-sol', default: false, takes_temperature: true, takes_effort: false, priced: false },
  ],
  image_provider: 'openai',
  image: [{ name: 'gpt-image-2', default: true, takes_temperature: false, takes_effort: false, priced: true }],
}

const CONTENT = 'Wear a light. Wear it low. Wear it all year.'
const previews: unknown[] = []

/** As a route brings it along. */
const logoField: LogoField = ({ value, error, onChange }) => (
  <>
    <button type="button" onClick={() => onChange('another')}>
      {value ?? 'No logo'}
    </button>
    {error && <p>Logo: {error}</p>}
  </>
)

function Page({ type, settings }: { type: TemplateType; settings: TemplateSettingsModel }) {
  const form = useForm<Values>({
    initialValues: {
      name: '',
      type,
      language: 'en',
      tags: [],
      description: '',
      body: '',
      settings: settingsOf(settings),
    },
  })
  return (
    <>
      <ModelPanel form={form} words={{ headline: 'See and be seen', text: 'A light' }} carousel={{ text: CONTENT, title: 'Rain' }} logoField={logoField} />
      <output data-testid="settings">{JSON.stringify(form.values.settings)}</output>
    </>
  )
}

function show(type: TemplateType, settings: TemplateSettingsModel, offered: Partial<ModelsOut> = {}) {
  previews.length = 0
  server.use(
    http.get('*/api/templates/models/', () => HttpResponse.json({ ...models, ...offered })),
    http.get('*/api/cards/options/', () =>
      HttpResponse.json({
        layouts: ['number', 'quote', 'steps', 'event'],
        fonts: ['schibsted'],
        palettes: [{ name: 'petrol', ground: '#0e444b', ink: '#ffffff', accent: '#fdc146' }],
      }),
    ),
    http.get('*/api/cards/presets/', () => HttpResponse.json([])),
    http.post('*/api/cards/preview/', async ({ request }) => {
      previews.push(await request.json())
      const notes = ['text_cut']
      return HttpResponse.json({ image: 'AAAA', mime: 'image/png', width: 1080, height: 1080, layout: 'quote', notes })
    }),
  )
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <Providers queryClient={queryClient}>
      <MemoryRouter>
        <Page type={type} settings={settings} />
        <Address />
      </MemoryRouter>
    </Providers>,
  )
  return { queryClient }
}

function Address() {
  const { pathname, search } = useLocation()
  return <output data-testid="address">{pathname + search}</output>
}

const stored = () => JSON.parse(screen.getByTestId('settings').textContent) as ReturnType<typeof settingsOf>

test('a temperature is offered only where the model takes one', async () => {
  const user = userEvent.setup()
  show('text', {})
  expect(await screen.findByText('gpt-6-luna does not support a temperature.')).toBeVisible()
  expect(screen.queryByRole('switch', { name: 'Set temperature' })).toBeNull()
  await user.click(screen.getByRole('combobox', { name: 'Model' }))
  await user.click(await screen.findByRole('option', { name: 'gpt-6-sol (cost unknown)' }))
  expect(stored().text).toMatchObject({ model: 'gpt-6-sol', temperature: null })
  await user.click(screen.getByRole('switch', { name: 'Set temperature' }))
  expect(screen.getByRole('slider', { name: 'Temperature' })).toHaveAttribute('aria-valuenow', '1')
  expect(stored().text.temperature).toBe(1)
})

test('a reasoning effort is offered only where the model takes one, and one that is set can be taken back', async () => {
  const user = userEvent.setup()
  show('text', {})
  const effort = await screen.findByRole('combobox', { name: /^Reasoning effort/ })
  await waitFor(() => expect(effort).toHaveValue('Server default'))
  await user.click(effort)
  await user.click(await screen.findByRole('option', { name: 'High' }))
  expect(stored().text.effort).toBe('high')
  await user.click(screen.getByRole('combobox', { name: 'Model' }))
  await user.click(await screen.findByRole('option', { name: 'gpt-6-sol (cost unknown)' }))
  expect(screen.getByText('gpt-6-sol does not support reasoning effort: this setting is ignored.')).toBeVisible()
  await user.click(screen.getByRole('combobox', { name: /^Reasoning effort/ }))
  await user.click(await screen.findByRole('option', { name: 'Server default' }))
  expect(stored().text.effort).toBeNull()
  expect(screen.queryByRole('combobox', { name: /^Reasoning effort/ })).toBeNull()
})

test('a model that is not offered here stays chosen, and says so', async () => {
  show('text', { text: { model: 'gpt-4-old' } })
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('gpt-4-old (not available here)'))
  expect(stored().text.model).toBe('gpt-4-old')
})

test('without a language model it says so, and offers the demo writer by its name', async () => {
  show('text', {}, { text_provider: 'demo', text: [{ name: 'demo-writer', default: true, priced: true, takes_temperature: false, takes_effort: false }] })
  expect(await screen.findByText('No language model')).toBeVisible()
  expect(screen.getByText('OPENAI_API_KEY')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Model' })).toHaveValue('Demo writer (server default)'))
})

test('without an image model it says what to set, and shows the card that stands in', async () => {
  show('image', { image: { engine: 'ai' } }, { image_provider: null, image: [] })
  expect(await screen.findByText('No image model')).toBeVisible()
  expect(screen.getByText('IMAGE_MODEL')).toBeVisible()
  expect(screen.getByText('Fallback card')).toBeVisible()
  expect(screen.queryByRole('combobox', { name: 'Model' })).toBeNull()
})

test('the card is drawn by the server with the words of the try, and says what was done to it', async () => {
  const user = userEvent.setup()
  show('image', { image: { engine: 'card', card: { foot: 'Lindhof' } } })
  expect(await screen.findByRole('img', { name: 'The card that says: See and be seen' })).toBeVisible()
  expect(screen.getByText('The text does not fit on the card, so its end is cut off. Shorten the text.')).toBeVisible()
  expect(previews[0]).toMatchObject({ headline: 'See and be seen', text: 'A light', settings: { foot: 'Lindhof' } })
  await user.click(screen.getByRole('combobox', { name: 'Colours' }))
  await user.click(await screen.findByRole('option', { name: 'Petrol' }))
  expect(stored().image.card).toMatchObject({ ground: '#0e444b', ink: '#ffffff', accent: '#fdc146' })
  await waitFor(() => expect(previews.at(-1)).toMatchObject({ settings: { ground: '#0e444b' } }))
})

test.each([
  ['headline', 'card_letters_missing', /^The card could not be created\. Cards support Latin, Greek and Cyrillic letters only/],
  ['settings.logo_id', 'image_unreadable', /^Logo: /],
])('why there is no card is told where it can be changed: %s', async (field, code, told) => {
  show('image', { image: { engine: 'card' } })
  server.use(
    http.post('*/api/cards/preview/', () =>
      HttpResponse.json(
        { type: 'about:blank', title: '', status: 422, code: 'invalid_input', detail: '', params: {},
          errors: [{ field, code, params: {} }] },
        { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
      ),
    ),
  )
  expect(await screen.findByText(told)).toBeVisible()
  expect(screen.queryByText(/This value is not valid here/)).toBeNull()
})

test('the logo is one of the settings that the card is drawn with', async () => {
  const user = userEvent.setup()
  show('image', { image: { engine: 'card', card: { foot: 'Lindhof' } } })
  await user.click(await screen.findByRole('button', { name: 'No logo' }))
  expect(stored().image.card).toMatchObject({ logo_id: 'another', foot: 'Lindhof' })
  await waitFor(() => expect(previews.at(-1)).toMatchObject({ settings: { logo_id: 'another' } }))
})

test('a template chooses a brand', async () => {
  const user = userEvent.setup()
  server.use(http.get('*/api/brands/', () => HttpResponse.json({ items: [aBrand()], next_cursor: null, total: 1 })))
  show('text', {})
  await user.click(await screen.findByRole('combobox', { name: 'Brand (optional)' }))
  await user.click(await screen.findByRole('option', { name: 'Lindhof' }))
  expect(stored().text).toMatchObject({ brand_id: 'brand', tone: '' })
  expect(screen.queryByText('Tone of an older version')).toBeNull()
})

test('the tone of an older version can only be read, and becomes the voice of a new brand', async () => {
  const user = userEvent.setup()
  const { queryClient } = show('text', { text: { tone: 'dry and short' } })
  expect(await screen.findByText('dry and short')).toBeVisible()
  expect(screen.getByText(/It counts as the voice while no brand is chosen/)).toBeVisible()
  expect(screen.queryByRole('textbox', { name: /Tone/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Make a brand of it' }))
  expect(queryClient.getQueryData(['draft', sessionName(), brandDraftName()])).toMatchObject({ values: { voice: 'dry and short' } })
  expect(screen.getByTestId('address')).toHaveTextContent('/templates?tab=brands&brand=new')
})

test('the tone fills the voice of a new brand that was typed and not saved', async () => {
  const user = userEvent.setup()
  const { queryClient } = show('text', { text: { tone: 'dry and short' } })
  keepDraft(queryClient, brandDraftName(), { values: { name: 'Mine', voice: '' }, version: 0 })
  await user.click(await screen.findByRole('button', { name: 'Make a brand of it' }))
  const draft = { values: { name: 'Mine', voice: 'dry and short' }, version: 0 }
  expect(queryClient.getQueryData(['draft', sessionName(), brandDraftName()])).toEqual(draft)
})

test('of a carousel all pages are shown, and no warning of a single card', async () => {
  show('image', { image: { engine: 'carousel', card: { foot: 'Lindhof' } } })
  const asked: unknown[] = []
  const pages = ['Rain', 'Wear a light.', 'Wear it low.'].map((headline, index) => ({ kind: index ? 'point' : 'cover', headline, text: '', alt: headline }))
  server.use(
    http.post('*/api/cards/sequences/pages/', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(pages)
    }),
    http.post('*/api/cards/sequences/preview/', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(pages.map(({ alt }) => ({ image: 'AAAA', mime: 'image/png', width: 10, height: 10, alt, notes: [] })))
    }),
  )
  expect(await screen.findByRole('list', { name: /3/ })).toBeVisible()
  expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual(['Rain', 'Wear a light.', 'Wear it low.'])
  expect(asked).toMatchObject([{ text: CONTENT, title: 'Rain' }, { pages, settings: { foot: 'Lindhof' } }])
  expect(screen.queryByText(/does not fit/)).toBeNull()
  expect(previews).toEqual([])
})

test('a text that is too short for pages is told what it becomes', async () => {
  show('image', { image: { engine: 'carousel' } })
  server.use(http.post('*/api/cards/sequences/pages/', () => HttpResponse.json([])))
  expect(await screen.findByText('A text of several sentences becomes pages, a shorter one a single card.')).toBeVisible()
  expect(previews).toEqual([])
})
