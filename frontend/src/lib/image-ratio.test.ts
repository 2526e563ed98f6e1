import { expect, test } from 'vitest'
import { ImageRatio } from '@/api/types.gen'
import { aspectRatio, ratioText } from './image-ratio'

test('a ratio has the comma of its language', () => {
  const numbers = (language: string) => ({ number: (value: number) => value.toLocaleString(language) })
  const ratios = (language: string) => Object.values(ImageRatio).map((ratio) => ratioText(numbers(language), ratio))
  expect(ratios('en').sort()).toEqual(['1.91:1', '1:1', '4:5'])
  expect(ratios('de').sort()).toEqual(['1,91:1', '1:1', '4:5'])
})

test('a style sheet has the ratio with a slash', () => {
  expect(aspectRatio(ImageRatio.LANDSCAPE)).toBe('1.91 / 1')
})
