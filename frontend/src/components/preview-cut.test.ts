import { describe, expect, it } from 'vitest'
import { cutForFeed } from './preview-cut'

describe('cutForFeed', () => {
  it('leaves a short text alone', () => {
    expect(cutForFeed('One.\nTwo.\nThree.')).toEqual({ shown: 'One.\nTwo.\nThree.', isCut: false })
  })

  it('cuts after three lines, empty ones included', () => {
    expect(cutForFeed('One.\n\nThree.\nFour.')).toEqual({ shown: 'One.\n\nThree.', isCut: true })
  })

  it('shows no empty line at the end', () => {
    expect(cutForFeed('One.\nTwo.\n\nFour.').shown).toBe('One.\nTwo.')
  })

  it('cuts a long line after a whole word', () => {
    const { shown, isCut } = cutForFeed('word '.repeat(60))
    expect(isCut).toBe(true)
    expect(shown).toMatch(/word$/)
    expect(shown.length).toBeLessThanOrEqual(210)
  })

  it('counts what a long line takes of the three', () => {
    const long = 'x'.repeat(100)
    expect(cutForFeed(`${long}\nlast\nhidden`)).toEqual({ shown: `${long}\nlast`, isCut: true })
  })

  it('cuts a word that has no end, and never inside an emoji', () => {
    const { shown } = cutForFeed('🚲'.repeat(300))
    expect([...shown]).toHaveLength(210)
    expect(shown.endsWith('🚲')).toBe(true)
  })
})
