import { expect, test } from 'vitest'
import type { FileOut } from '@/api/types.gen'
import { cardFiles, sentFiles, type SentFile } from './sent-files'

const IMAGE: SentFile = { kind: 'image', carousel: null }
const PAGE: SentFile = { kind: 'image', carousel: { number: 1, count: 8, sequence_id: null } }
const DOCUMENT: SentFile = { kind: 'document', carousel: null }
const VIDEO: SentFile = { kind: 'video', carousel: null }

const PLAIN = { max_images: 4, document: null, video: null, card_images: 1 }
const DOCUMENTS = { ...PLAIN, document: { max_bytes: 100_000_000, max_pages: 300, max_title: 58 } }
const VIDEOS = {
  ...PLAIN,
  video: { max_bytes: 100_000_000, min_seconds: 3, max_seconds: 90, min_ratio: 0.5, max_ratio: 2, mimes: ['video/mp4'] },
}

// the same cases as the server's
test.each([
  [PLAIN, [IMAGE, IMAGE], [0, 1]],
  [PLAIN, [PAGE, DOCUMENT, PAGE], [0, 2]],
  [DOCUMENTS, [PAGE, DOCUMENT, PAGE], [1]],
  [DOCUMENTS, [PAGE, PAGE], [0, 1]],
  [VIDEOS, [VIDEO], [0]],
  [PLAIN, [VIDEO], []],
  [PLAIN, Array<SentFile>(6).fill(PAGE), [0, 1, 2, 3]],
  [PLAIN, [...Array<SentFile>(5).fill(PAGE), IMAGE], [0, 1, 2, 3, 4, 5]],
  [PLAIN, [], []],
])('a network gets its video or its document alone, else the images (%#)', (limits, files, sent) => {
  const numbered = files.map((file, at) => ({ ...file, at }))
  expect(sentFiles(numbered, limits).map(({ at }) => at)).toEqual(sent)
})

test('a document or a video leaves no room for a card', () => {
  const count = (limits: Parameters<typeof cardFiles>[1], ...kinds: FileOut['kind'][]) =>
    cardFiles(kinds.map((kind) => ({ kind, carousel: null })), limits)
  expect(count(PLAIN, 'image', 'image')).toBe(2)
  expect(count(DOCUMENTS, 'document')).toBe(2)
  expect(count(PLAIN, 'document')).toBe(0)
  expect(count(VIDEOS, 'video')).toBe(2)
})
