import { expect, test } from 'vitest'
import { pageToEdit } from './carousels'

const page = (media_id: string, sequence_id: string | null) => ({
  media_id,
  carousel: { number: 1, count: 3, sequence_id },
})

test('the carousel of most images is edited', () => {
  const images = [page('cover', 'later'), page('second', 'first'), page('end', 'first')]
  expect(pageToEdit(images)).toBe('second')
})

test('images without a saved carousel have none to edit', () => {
  expect(pageToEdit([{ media_id: 'photo', carousel: null }, page('old', null)])).toBeUndefined()
})
