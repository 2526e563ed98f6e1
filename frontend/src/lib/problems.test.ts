import { describe, expect, test } from 'vitest'
import { allTranslations } from '@/test/texts'
import { errorAt, fieldErrors, isMissing, isProblem, problemText, reasonText, retryText, toProblem, type Problem } from './problems'

const { en, de } = allTranslations

const problem = (change: Partial<Problem> = {}): Problem => ({
  status: 422,
  code: 'invalid_input',
  detail: '',
  params: {},
  errors: [],
  ...change,
})

describe('what is a problem', () => {
  test.each([
    ['the server’s', problem(), true],
    ['a page of a gateway', '<html>', false],
    ['nothing', null, false],
    ['No answer', undefined, false],
    ['a lost connection', new TypeError('Failed to fetch'), false],
    ['another server’s', { code: 'teapot' }, false],
  ])('%s: %#', (_, value, is) => {
    expect(isProblem(value)).toBe(is)
  })

  test.each([undefined, null, {}, [], 7, 'text'])('%o becomes one of which every part is there', (thrown) => {
    const made = toProblem(thrown, new Response(null, { status: 503 }))
    expect(isProblem(made)).toBe(true)
    expect(made).toMatchObject({ status: 503, code: 'unreachable', params: {}, errors: [] })
    expect(problemText(en, made)).not.toBe('')
  })
})

describe('nothing is there', () => {
  test.each([
    [404, true],
    [422, true],
    [409, false],
    [500, false],
    [0, false],
  ])('at status %i: %o', (status, missing) => {
    expect(isMissing(problem({ status }))).toBe(missing)
  })

  test('where nothing failed: no', () => {
    expect(isMissing(null)).toBe(false)
  })
})

describe('the error at a field', () => {
  const errors = { name: 'Too long', 'tags.2': 'Too long a tag', 'tagsets.1': 'Other' }

  test('is its own', () => {
    expect(errorAt(errors, 'name')).toBe('Too long')
  })

  test('is that of one of its parts', () => {
    expect(errorAt(errors, 'tags')).toBe('Too long a tag')
  })

  test('is its own where a part has one, too', () => {
    expect(errorAt({ 'tags.0': 'Empty', tags: 'Too many' }, 'tags')).toBe('Too many')
  })

  test('is not that of a field whose name begins alike', () => {
    expect(errorAt(errors, 'tag')).toBeUndefined()
    expect(errorAt(errors, 'names')).toBeUndefined()
  })
})

describe('the closest sentence', () => {
  test('is looked up by the field’s last name, not by the place in a list', () => {
    const at = (field: string) => problemText(en, { code: 'image_template_required', field, params: {} })
    expect(at('body.files.3')).toBe(at('files'))
    expect(at('files')).not.toBe(at('image_template_id'))
  })

  test('for a kind is preferred to the one for the field', () => {
    const params = { line: 1, column: 1, problem: 'empty' }
    expect(problemText(en, { code: 'template_syntax', field: 'body', params })).toBe(problemText(en, { code: 'template_syntax', params }))
  })
})

describe('fields', () => {
  test('without errors there are no sentences', () => {
    expect(fieldErrors(en, problem())).toEqual({})
  })

  test('each has one, in the language of the interface', () => {
    const refused = problem({
      errors: [
        { field: 'email', code: 'invalid_email', params: {} },
        { field: 'tags.0', code: 'invalid_input', params: {} },
      ],
    })
    const [english, german] = [fieldErrors(en, refused), fieldErrors(de, refused)]
    expect(Object.keys(english)).toEqual(['email', 'tags.0'])
    expect(Object.keys(german)).toEqual(Object.keys(english))
    expect(german.email).not.toBe(english.email)
  })
})

describe('why something of the past failed', () => {
  test('is told in both languages', () => {
    expect(reasonText(en, 'model_unavailable')).not.toBe(reasonText(de, 'model_unavailable'))
  })

  test('is told in general words where the code is of a newer server', () => {
    expect(reasonText(en, 'from_the_future')).toBe('An error occurred. Please try again later.')
    expect(retryText(en, 'from_the_future')).toBe(retryText(en, 'internal'))
  })

  test('is told differently while it is tried again by itself: nobody has to do anything', () => {
    expect(retryText(en, 'model_unavailable')).not.toBe(reasonText(en, 'model_unavailable'))
  })
})
