import { expect, test } from 'vitest'
import { addressOf, isAddressAlone, placeLink, textWithLink } from './post-link'

const LINK = { url: 'https://blog.example/rain', title: 'Rain', description: '' }

test('what becomes of a link is what the server makes of it', () => {
  const limits = { max_images: 4, document: null, video: null }
  const images = (count: number) => Array.from({ length: count }, () => ({ kind: 'image' as const, carousel: null }))
  const place = (count: number, link: 'card' | 'page_card' | 'below' | 'left_out', card_images = 0) =>
    placeLink(LINK, images(count), { ...limits, link, card_images })?.place
  expect(place(1, 'card', 1)).toBe('card')
  expect(place(2, 'card', 1)).toBe('below')
  expect(place(0, 'page_card')).toBe('page_card')
  expect(place(1, 'page_card')).toBe('below')
  expect(place(3, 'left_out')).toBe('left_out')
  expect(placeLink(null, [], { ...limits, link: 'card', card_images: 1 })).toBeUndefined()
  expect(placeLink({ ...LINK, url: 'half' }, [], { ...limits, link: 'card', card_images: 1 })).toBeUndefined()
})

test('the address stands below the text once, unless the text has it', () => {
  const below = { ...LINK, place: 'below' as const }
  expect(textWithLink('Read on. \n', below)).toBe('Read on.\n\nhttps://blog.example/rain')
  expect(textWithLink('See https://blog.example/rain.', below)).toBe('See https://blog.example/rain.')
  expect(textWithLink('See https://blog.example/rainy', below)).toContain('\n\nhttps://blog.example/rain')
  expect(textWithLink('Read on.', { ...LINK, place: 'card' })).toBe('Read on.')
  expect(textWithLink('Read on.', undefined)).toBe('Read on.')
})

test.each([
  ['https://blog.example/a?b#c', true],
  ['blog.example', true],
  ['http://127.0.0.1:8000/post', true],
  ['half', false],
  ['https://', false],
  ['ftp://blog.example', false],
  ['two words.example', false],
  ['', false],
])('%j is an address: %j', (typed, is) => {
  expect(addressOf(typed) !== undefined).toBe(is)
})

test('only an address with its scheme is taken for one when it is pasted', () => {
  expect(isAddressAlone(' https://blog.example/rain\n')).toBe(true)
  expect(isAddressAlone('blog.example')).toBe(false)
  expect(isAddressAlone('Read https://blog.example/rain')).toBe(false)
})
