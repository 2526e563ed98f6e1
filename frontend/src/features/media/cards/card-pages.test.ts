import { expect, test } from 'vitest'
import { PageKind } from '@/api/types.gen'
import { canAddPage, canMove, canRemove, carouselBody, movePage, newCarousel, newPage, withPage, type CardPage } from './card-pages'

const pages = () => [
  newPage(PageKind.COVER, { headline: 'Cover' }),
  newPage(PageKind.POINT, { headline: 'One' }),
  newPage(PageKind.NUMBER, { headline: 'Two' }),
  newPage(PageKind.CALL_TO_ACTION, { headline: 'End' }),
]
const headlines = (some: CardPage[]) => some.map(({ headline }) => headline)

test('a new page comes after the selected one, between cover and end card', () => {
  const page = newPage(PageKind.POINT, { headline: 'New' })
  expect(headlines(withPage(pages(), page, 0))).toEqual(['Cover', 'New', 'One', 'Two', 'End'])
  expect(headlines(withPage(pages(), page, 3))).toEqual(['Cover', 'One', 'Two', 'New', 'End'])
  expect(headlines(withPage(pages().slice(0, 3), page, 2))).toEqual(['Cover', 'One', 'Two', 'New'])
})

test('pages move, but cover and end card keep their places', () => {
  expect(headlines(movePage(pages(), 1, 1))).toEqual(['Cover', 'Two', 'One', 'End'])
  expect(headlines(movePage(pages(), 2, -1))).toEqual(['Cover', 'Two', 'One', 'End'])
  for (const [index, by] of [[0, 1], [1, -1], [2, 1], [3, -1], [3, 1]] as const) {
    expect(canMove(pages(), index, by)).toBe(false)
    expect(headlines(movePage(pages(), index, by))).toEqual(['Cover', 'One', 'Two', 'End'])
  }
})

test('two pages stay, and there are at most nine', () => {
  const [cover, one, , end] = pages()
  expect(cover && canRemove(pages(), cover)).toBe(false)
  expect(one && canRemove(pages(), one)).toBe(false)
  expect(end && canRemove(pages(), end)).toBe(true)
  let many = pages()
  while (canAddPage(many)) many = withPage(many, newPage(PageKind.LIST), 1)
  expect(many).toHaveLength(11)
  expect(one && canRemove(many, one)).toBe(true)
})

test('the server gets the pages without what only the designer knows', () => {
  const { pages: sent, settings } = carouselBody(newCarousel())
  expect(sent[0]).toEqual({ kind: 'cover', headline: '', text: '', alt: '' })
  expect(settings).toMatchObject({ layout: null, size: 'portrait' })
})
