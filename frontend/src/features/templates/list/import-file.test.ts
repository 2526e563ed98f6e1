import { expect, it } from 'vitest'
import { allTranslations } from '@/test/texts'
import { toProblem } from '@/lib/problems'
import { importProblems, templatesIn } from './import-file'

it('reads what is in a file, however broken its templates are', () => {
  const templates = [{ name: ' Tip ', type: 'text' }, null, { name: 7, type: 'film' }]
  expect(templatesIn({ format: 'postloom-templates', version: 1, templates })).toEqual([
    { name: 'Tip', type: 'text' },
    { name: '', type: null },
    { name: '', type: null },
  ])
})

it.each([null, 'text', [], {}, { format: 'postloom-topics', templates: [] }, { format: 'postloom-templates' }])(
  'knows that %j is another kind of file',
  (content) => {
    expect(templatesIn(content)).toBeNull()
  },
)

it('sorts a refusal by template', () => {
  const { byTemplate, rest } = importProblems(
    allTranslations.en,
    toProblem({
      status: 422,
      code: 'invalid_input',
      detail: '',
      params: {},
      errors: [
        { field: 'templates.1.body', code: 'template_syntax', params: { line: 2, column: 5, problem: 'empty' } },
        { field: 'templates.1.name', code: 'name_required', params: {} },
        { field: 'templates.3.language', code: 'invalid_input', params: {} },
        { field: 'version', code: 'invalid_input', params: {} },
      ],
    }),
  )
  expect(byTemplate.get(1)).toEqual([
    'Line 2, column 5: this variable has no name. Write one, such as ((Topic)).',
    allTranslations.en('errors:name_required'),
  ])
  expect(byTemplate.get(3)?.[0]).toMatch(/^language: /)
  expect(rest).toHaveLength(1)
})
