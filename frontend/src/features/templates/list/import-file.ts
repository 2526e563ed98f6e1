import type { TFunction } from 'i18next'
import type { TemplateType } from '@/api/types.gen'
import { problemText, type Problem } from '@/lib/problems'

/** The readable values of a template in a file. */
export interface FileTemplate {
  name: string
  type: TemplateType | null
}

/** Return the templates of an exported file; null for another kind of file. The server checks their values. */
export function templatesIn(content: unknown): FileTemplate[] | null {
  if (typeof content !== 'object' || content === null) return null
  const { format, templates } = content as { format?: unknown; templates?: unknown }
  if (format !== 'postloom-templates' || !Array.isArray(templates)) return null
  return templates.map((template: unknown) => {
    const { name, type } = (template ?? {}) as { name?: unknown; type?: unknown }
    return {
      name: typeof name === 'string' ? name.trim() : '',
      type: type === 'text' || type === 'image' ? type : null,
    }
  })
}

interface ImportProblems {
  /** Sentences by the index of their template. */
  byTemplate: Map<number, string[]>
  /** Sentences about the whole file. */
  rest: string[]
}

/** Return a refusal's sentences by `templates.<index>.<field>`. */
export function importProblems(t: TFunction<['common', 'errors']>, problem: Problem | null): ImportProblems {
  const byTemplate = new Map<number, string[]>()
  const rest: string[] = []
  for (const error of problem?.errors ?? []) {
    const [, index, field = ''] = /^templates\.(\d+)(?:\.(.+))?$/.exec(error.field) ?? []
    const sentence = problemText(t, error)
    if (index === undefined) {
      rest.push(sentence)
      continue
    }
    const at = Number(index)
    // a specific code is clear by itself; the general one needs the field's name
    const named = error.code === 'invalid_input' && field ? `${field}: ${sentence}` : sentence
    byTemplate.set(at, [...(byTemplate.get(at) ?? []), named])
  }
  if (problem && problem.errors.length === 0) rest.push(problemText(t, problem))
  return { byTemplate, rest: [...new Set(rest)] }
}
