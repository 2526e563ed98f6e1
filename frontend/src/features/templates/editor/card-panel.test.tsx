import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CardIn, CardPreviewOut } from '@/api/types.gen'
import { cardWords, completeSettings, pagesText, type CardSettings, type CardWords } from '@/lib/card-settings'
import { refuse } from '@/test/answers'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { CardPanel, type LogoField } from './card-panel'

const look = { layout: 'quote' as const, ground: '#112233', ink: '#ffffff', accent: '#ffcc00', foot: 'lindhof' }
const petrol = { ground: '#0e444b', ink: '#ffffff', accent: '#fdc146' }
let drawn: CardIn[]
let notes: string[]

const server = startServer(
  http.get('*/api/cards/options/', () =>
    HttpResponse.json({
      layouts: ['number', 'quote', 'two_columns'],
      fonts: ['schibsted', 'zilla_slab'],
      palettes: [
        { name: 'petrol', ...petrol },
        { name: 'aubergine', ground: '#332244', ink: '#ffffff', accent: '#aabbcc' },
      ],
    }),
  ),
  http.get('*/api/cards/presets/', () => HttpResponse.json([{ id: 'p', name: 'Workshop', settings: look }, { id: 'q', name: 'Petrol look', settings: { ...look, ...petrol } }])),
  http.post('*/api/cards/preview/', async ({ request }) => {
    drawn.push((await request.json()) as CardIn)
    const answer: Partial<CardPreviewOut> = { image: 'AAAA', mime: 'image/png', width: 10, height: 10, layout: 'quote', notes: notes as CardPreviewOut['notes'] }
    return HttpResponse.json(answer)
  }),
)

beforeEach(() => {
  drawn = []
  notes = []
})

function open(first: Partial<CardSettings> = {}, words: CardWords = { headline: 'Be seen', text: '' }, logoField: LogoField = () => null) {
  let card: CardSettings = completeSettings(first)
  function Page() {
    const [value, setValue] = useState(card)
    card = value
    return <CardPanel title="Card design" value={value} onChange={setValue} errors={{}} words={words} logoField={logoField} />
  }
  const shown = show(<Page />)
  const choose = async (list: string, option: string) => {
    await shown.user.click(screen.getByRole('combobox', { name: list }))
    await shown.user.click(await screen.findByRole('option', { name: option }))
  }
  return { ...shown, choose, card: () => card }
}

const colours = ({ ground, ink, accent }: CardSettings) => [ground, ink, accent]

describe('colours', () => {
  test('of a palette are all three, and none are those that the words choose', async () => {
    const { choose, card } = open()
    await screen.findByRole('combobox', { name: 'Saved look' })
    await choose('Colours', 'Petrol')
    expect(colours(card())).toEqual(['#0e444b', '#ffffff', '#fdc146'])
    expect(screen.queryByRole('group', { name: 'Colours' })).toBeNull()
    await choose('Colours', 'Based on the text')
    expect(colours(card())).toEqual([null, null, null])
  })

  test('of one’s own begin with those of the palette, and each is changed alone', async () => {
    const { choose, card } = open({ ground: '#332244', ink: '#ffffff', accent: '#aabbcc' })
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Colours' })).toHaveValue('Aubergine'))
    await choose('Colours', 'Custom colours')
    fireEvent.change(screen.getByLabelText(/^Accent/), { target: { value: '#00FF00' } })
    expect(colours(card())).toEqual(['#332244', '#ffffff', '#00ff00'])
  })

  test('of one’s own are none that are empty', async () => {
    const { choose, card } = open()
    await screen.findByRole('combobox', { name: 'Saved look' })
    await choose('Colours', 'Custom colours')
    expect(colours(card())).toEqual(['#0e444b', '#ffffff', '#fdc146'])
    expect(screen.getByRole('group', { name: 'Colours' })).toBeVisible()
  })

  test('of one’s own stay so while a field is emptied, until a saved look brings others', async () => {
    const { choose, card, user } = open({ ground: '#010203' })
    const background = await screen.findByRole('textbox', { name: 'Background' })
    await user.clear(background)
    expect(colours(card())).toEqual([null, null, null])
    expect(background).toHaveFocus()
    expect(screen.getByRole('combobox', { name: 'Colours' })).toHaveValue('Custom colours')
    await user.type(background, '#040506')
    expect(colours(card())).toEqual(['#040506', null, null])
    await user.clear(background)
    await choose('Saved look', 'Petrol look')
    expect(screen.getByRole('combobox', { name: 'Colours' })).toHaveValue('Petrol')
  })

  test('that are no palette’s are one’s own', async () => {
    open({ ground: '#010203', ink: '#ffffff', accent: '#040506' })
    expect(await screen.findByRole('textbox', { name: 'Background' })).toHaveValue('#010203')
  })
})

test('a saved look brings all of its settings, and is the chosen one until something differs', async () => {
  const { choose, card, user } = open({ foot: 'before' })
  await screen.findByRole('combobox', { name: 'Saved look' })
  await choose('Saved look', 'Workshop')
  expect(card()).toMatchObject(look)
  expect(screen.getByRole('combobox', { name: 'Saved look' })).toHaveValue('Workshop')
  await user.type(screen.getByLabelText(/^Footer/), '!')
  expect(screen.getByRole('combobox', { name: 'Saved look' })).toHaveValue('')
})

test('a layout of a newer server has its own name, and can be left to the words', async () => {
  const { choose, card } = open()
  await screen.findByRole('combobox', { name: 'Saved look' })
  await choose('Layout', 'Two columns')
  expect(card().layout).toBe('two_columns')
  await choose('Layout', 'Based on the text')
  expect(card().layout).toBeNull()
})

describe('the card', () => {
  test('is drawn with the words and says what was done to it, also what a newer server does', async () => {
    notes = ['text_cut', 'turned_round']
    open({}, { headline: 'Be seen', text: 'Lights on' })
    expect(await screen.findByRole('img', { name: 'The card that says: Be seen' })).toHaveAttribute('src', 'data:image/png;base64,AAAA')
    expect(drawn).toEqual([{ headline: 'Be seen', text: 'Lights on', settings: completeSettings({}) }])
    expect(screen.getAllByRole('listitem').map((note) => note.textContent)).toEqual([
      'The text does not fit on the card, so its end is cut off. Shorten the text.',
      'The card was adjusted to stay readable.',
    ])
  })

  test('is rendered anew only when something changes', async () => {
    let renders = 0
    open({}, undefined, () => {
      renders += 1
      return null
    })
    await screen.findByRole('img', { name: 'The card that says: Be seen' })
    const before = renders
    await new Promise((done) => setTimeout(done, 1_000)) // twice as long as it waits for typing to pause
    expect(renders).toBe(before)
  })

  test('is not drawn without words', async () => {
    open({}, { headline: '', text: '' })
    await screen.findByRole('combobox', { name: 'Saved look' })
    expect(screen.getByText('The card appears once the template has a text.')).toBeVisible()
    expect(drawn).toEqual([])
  })

  test('that could not be drawn says why', async () => {
    server.use(
      http.post('*/api/cards/preview/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'headline', code: 'card_letters_missing' }] }),
      ),
    )
    open({}, { headline: '自転車', text: '' })
    expect(await screen.findByText(/^The card could not be created\. Cards support Latin, Greek and Cyrillic letters only/)).toBeVisible()
  })
})

test.each([
  ['One line', { headline: 'One line', text: '' }],
  ['\n  A headline \nand\nmore\n', { headline: 'A headline', text: 'and\nmore' }],
  ['  \n ', { headline: '', text: '' }],
])('the first line of %j is the headline', (filled, words) => {
  expect(cardWords(filled)).toEqual(words)
})

test('words keep to what a card takes', () => {
  const { headline, text } = cardWords(`${'x'.repeat(300)}\n${'y'.repeat(2_000)}`)
  expect([headline.length, text.length]).toEqual([200, 1_000])
})

test.each([
  ['((Content))', 'Rain', { text: 'Ride on. Stay dry.', title: 'Rain' }],
  ['Tips for ((Topic))\n\n((content))', 'Rain', { text: 'Ride on. Stay dry.', title: 'Tips for Rain' }],
  ['', 'Rain', { text: '', title: 'Rain' }],
])('the content becomes pages, and the rest of the template the cover: %s', (body, topic, expected) => {
  expect(pagesText(body, (name) => (name.toLowerCase() === 'content' ? 'Ride on. Stay dry.' : topic))).toEqual(expected)
})
