import { describe, expect, it } from 'vitest'
import { exampleFor, firstTopic, inputOf, inputsFor, withInput } from './tryout-values'

const circumstances = { language: 'de', tone: '', now: new Date('2026-11-21T12:00:00Z') } as const
const example = (name: string) => exampleFor(name, circumstances)

describe('inputsFor', () => {
  it('prefers what was typed, then the last try, then an example', () => {
    const typed = { Audience: 'Commuters' }
    const last = { AUDIENCE: 'Everybody', season: 'autumn' }
    expect(inputsFor(['Topic', 'audience', 'Season', 'Price'], typed, last, example)).toEqual({
      Topic: 'Im Dunkeln zur Arbeit fahren',
      audience: 'Commuters',
      Season: 'autumn',
      Price: '',
    })
  })

  it('leaves a field empty that was emptied', () => {
    expect(inputsFor(['Topic'], { Topic: '' }, { Topic: 'Rain' }, example)).toEqual({ Topic: '' })
  })

  it('drops what is no variable any more', () => {
    expect(inputsFor(['Topic'], { Gone: 'x', Topic: 'Rain' }, undefined, example)).toEqual({ Topic: 'Rain' })
  })
})

describe('withInput', () => {
  it('replaces what was typed for the same name in another case', () => {
    const typed = withInput({ topic: 'Rain', Audience: 'Families' }, 'Topic', 'Snow')
    expect(typed).toEqual({ Audience: 'Families', Topic: 'Snow' })
    expect(inputsFor(['TOPIC'], typed, undefined, example)).toEqual({ TOPIC: 'Snow' })
  })
})

describe('exampleFor', () => {
  it('gives reserved variables what an assistant would, in the language of the template', () => {
    expect(example('LANGUAGE')).toBe('German')
    expect(example('Date')).toBe('Samstag, 21. November 2026')
    expect(exampleFor('Date', { ...circumstances, language: 'en' })).toBe('Saturday, 21 November 2026')
    expect(example('Channel')).toBe('LinkedIn')
    expect(example('Content').split('\n')).toHaveLength(2)
  })

  it('takes the brand voice from the settings where there is one', () => {
    expect(exampleFor('Brand Voice', { ...circumstances, tone: 'dry' })).toBe('dry')
    expect(example('Brand Voice')).toBe('freundlich und sachlich')
  })

  it('knows nothing about a variable of one’s own', () => {
    expect(example('Audience')).toBe('')
  })
})

it('finds an input whatever its case', () => {
  expect(inputOf({ 'brand VOICE': 'dry' }, 'Brand Voice')).toBe('dry')
  expect(inputOf(undefined, 'Topic')).toBeUndefined()
})

const topic = (title: string, depth: number, enabled = true) => ({ title, depth, enabled })

it.each([
  [[], undefined],
  [[topic('Cycling', 0), topic('Rain', 1), topic('Clothes', 2), topic('Light', 1)], { topic: 'Clothes', path: 'Cycling / Rain / Clothes' }],
  [[topic('Cycling', 0), topic('Rain', 1, false), topic('Light', 1)], { topic: 'Light', path: 'Cycling / Light' }],
  [[topic('Alone', 0)], { topic: 'Alone', path: 'Alone' }],
])('the first topic of a tree (%#)', (topics, found) => {
  expect(firstTopic(topics)).toEqual(found)
})

it('a try is about a topic of one’s own, where there is one', () => {
  const given = { language: 'en', tone: '', now: new Date(), ownTopic: { topic: 'Rain', path: 'Cycling / Rain' } } as const
  expect(['Topic', 'topic path'].map((name) => exampleFor(name, given))).toEqual(['Rain', 'Cycling / Rain'])
})
