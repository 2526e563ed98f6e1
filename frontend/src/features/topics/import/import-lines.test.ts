import { describe, expect, it } from 'vitest'
import type { FieldProblem } from '@/api/types.gen'
import type { Language } from '@/i18n/languages'
import { allTranslations } from '@/test/texts'
import { lineProblems, lineRange } from './import-lines'

const jump = (line: number, from: number, to: number): FieldProblem => ({
  field: `lines.${line}`,
  code: 'topic_depth_jump',
  params: { line, from_depth: from, to_depth: to },
})

const inLanguage = (language: Language, errors: FieldProblem[]) => lineProblems(allTranslations[language], errors)

describe('lineProblems', () => {
  it('names the line, the jump and what to do', () => {
    expect(inLanguage('en', [jump(7, 2, 4)])).toEqual([
      { line: 7, text: 'Line 7: the depth jumps from 2 to 4. Remove one hyphen.' },
    ])
    expect(inLanguage('de', [jump(7, 2, 4)])).toEqual([
      { line: 7, text: 'Zeile 7: Die Tiefe springt von 2 auf 4. Nimm einen Bindestrich weg.' },
    ])
  })

  it('counts the hyphens', () => {
    expect(inLanguage('en', [jump(3, 1, 5)])[0]?.text).toContain('Remove 3 hyphens.')
  })

  it('keeps what concerns the whole list apart from the lines', () => {
    const problems = inLanguage('en', [
      { field: 'lines.2', code: 'topic_no_hyphen', params: { line: 2 } },
      { field: 'name', code: 'name_required', params: {} },
    ])
    expect(problems.map(({ line }) => line)).toEqual([2, 0])
    expect(problems[0]?.text).toMatch(/^Line 2 starts/)
  })
})

describe('lineRange', () => {
  it('finds the line in the text', () => {
    const text = '- a\n-- b\n---- c'
    expect(text.slice(...lineRange(text, 3))).toBe('---- c')
    expect(text.slice(...lineRange(text, 1))).toBe('- a')
  })
})
