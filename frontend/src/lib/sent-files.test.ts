import { describe, expect, test } from 'vitest'
import { aFile } from '@/test/made'
import { cardFiles, cutFrom, sentFiles } from './sent-files'

const place = (number: number) => ({ number, count: 6, sequence_id: 's' })
const pages = [1, 2, 3, 4, 5, 6].map((number) => aFile({ media_id: `p${number}`, carousel: place(number) }))
const photos = [1, 2, 3, 4, 5].map((number) => aFile({ media_id: `f${number}` }))
const document = aFile({ media_id: 'pdf', kind: 'document' })
const video = aFile({ media_id: 'film', kind: 'video' })
const four = { max_images: 4, document: null, video: null }
const ids = (files: { media_id: string }[]) => files.map(({ media_id }) => media_id)

describe('what a network gets', () => {
  test('is the first pages of a carousel, as many as it shows', () => {
    const sent = sentFiles(pages, four)
    expect(ids(sent)).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(cutFrom(pages, sent)).toBe(6)
  })

  test('is all images that a person chose, which the server then refuses', () => {
    expect(sentFiles(photos, four)).toHaveLength(5)
    expect(sentFiles([...pages.slice(0, 4), ...photos.slice(0, 1)], four)).toHaveLength(5)
    expect(cutFrom(photos, photos)).toBeUndefined()
  })

  test('is the document or the video alone where it takes one', () => {
    const takes = { max_images: 4, document: { max_bytes: 1, max_pages: 1, max_title: 1 }, video: null }
    expect(ids(sentFiles([...pages, document], takes))).toEqual(['pdf'])
    expect(cutFrom([...pages, document], sentFiles([...pages, document], takes))).toBeUndefined()
    expect(ids(sentFiles([...pages, document], four))).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect(sentFiles([video], four)).toEqual([])
  })

  test('is everything as long as its limits are unknown', () => {
    expect(sentFiles(pages, undefined)).toHaveLength(6)
  })
})

test('a document or a video leaves no room for a card', () => {
  const limits = { ...four, card_images: 1 }
  const videoLimits = { max_bytes: 1, min_seconds: 3, max_seconds: 90, min_ratio: 0.5, max_ratio: 2, mimes: ['video/mp4'], shows_title: true, shows_cover: true }
  expect(cardFiles(photos.slice(0, 2), limits)).toBe(2)
  expect(cardFiles([document], { ...limits, document: { max_bytes: 1, max_pages: 1, max_title: 1 } })).toBe(2)
  expect(cardFiles([document], limits)).toBe(0)
  expect(cardFiles([video], { ...limits, video: videoLimits })).toBe(2)
})
