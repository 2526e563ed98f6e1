import { describe, expect, it } from 'vitest'
import { feedOf } from './preview-feed'
import { cutForFeed } from './preview-cut'

describe('cutForFeed', () => {
  it('leaves a short text alone', () => {
    expect(cutForFeed('One.\nTwo.\nThree.', feedOf('linkedin'))).toEqual({ shown: 'One.\nTwo.\nThree.', isCut: false })
  })

  it('cuts after three lines, empty ones included', () => {
    expect(cutForFeed('One.\n\nThree.\nFour.', feedOf('linkedin'))).toEqual({ shown: 'One.\n\nThree.', isCut: true })
  })

  it('shows no empty line at the end', () => {
    expect(cutForFeed('One.\nTwo.\n\nFour.', feedOf('linkedin')).shown).toBe('One.\nTwo.')
  })

  it('cuts a long line after a whole word', () => {
    const { shown, isCut } = cutForFeed('word '.repeat(60), feedOf('linkedin'))
    expect(isCut).toBe(true)
    expect(shown).toMatch(/word$/)
    expect(shown.length).toBeLessThanOrEqual(210)
  })

  it('counts what a long line takes of the three', () => {
    const long = 'x'.repeat(100)
    expect(cutForFeed(`${long}\nlast\nhidden`, feedOf('linkedin'))).toEqual({ shown: `${long}\nlast`, isCut: true })
  })

  it('cuts a word that has no end, and never inside an emoji', () => {
    const { shown } = cutForFeed('🚲'.repeat(300), feedOf('linkedin'))
    expect([...shown]).toHaveLength(210)
    expect(shown.endsWith('🚲')).toBe(true)
  })

  it('leaves more of it where the network does', () => {
    const text = 'One.\nTwo.\nThree.\nFour.\nFive.\nSix.'
    expect(cutForFeed(text, feedOf('facebook'))).toEqual({ shown: 'One.\nTwo.\nThree.\nFour.\nFive.', isCut: true })
    expect(cutForFeed('x'.repeat(124), feedOf('instagram')).isCut).toBe(false)
    expect(cutForFeed('x'.repeat(125), feedOf('instagram')).isCut).toBe(true)
    expect(cutForFeed('x'.repeat(480), feedOf('facebook')).isCut).toBe(false)
    expect(cutForFeed('x'.repeat(481), feedOf('facebook')).isCut).toBe(true)
  })
})
