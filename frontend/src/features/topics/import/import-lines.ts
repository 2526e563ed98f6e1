import type { TFunction } from 'i18next'
import type { FieldProblem } from '@/api/types.gen'
import { problemText } from '@/lib/problems'

export interface LineProblem {
  /** The line from 1; 0 for the whole list. */
  line: number
  text: string
}

/** Return the problem of each invalid line as text, with what to do. */
export function lineProblems(t: TFunction<['common', 'errors', 'topics']>, errors: readonly FieldProblem[]): LineProblem[] {
  return errors.map((error) => ({ line: lineOf(error), text: textOf(t, error) }))
}

function lineOf({ field }: FieldProblem): number {
  const [, line = '0'] = /^lines\.(\d+)$/.exec(field) ?? []
  return Number(line)
}

function textOf(t: TFunction<['common', 'errors', 'topics']>, error: FieldProblem): string {
  if (error.code !== 'topic_depth_jump') return problemText(t, error)
  const from = Number(error.params.from_depth)
  const to = Number(error.params.to_depth)
  // one level deeper is allowed, so remove the rest
  return t('topics:depthJump', { line: Number(error.params.line), from, to, count: to - from - 1 })
}

/** Return the start and end of a line (from 1) in the text, for selecting it, with the line ends of a text area. */
export function lineRange(text: string, line: number): [start: number, end: number] {
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0)
  return [start, start + (lines[line - 1] ?? '').length]
}
