import type { ParseKeys, TFunction } from 'i18next'
import type { ErrorCode, Problem as ServerProblem } from '@/api/types.gen'
import type { ContentKind } from './content-kind'

/** Every failure of a call, in the server's form. `unreachable`: no usable answer came. */
export interface Problem extends Pick<ServerProblem, 'status' | 'detail' | 'params' | 'errors'> {
  code: ErrorCode | 'unreachable'
}

export function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'params' in error && 'errors' in error
}

/** A gateway's HTML comes as a string and a lost connection as a TypeError: both become problems. */
export function toProblem(error: unknown, response?: Response): Problem {
  if (isProblem(error)) return error
  const detail = error instanceof Error ? error.message : JSON.stringify(error)
  return { status: response?.status ?? 0, code: 'unreachable', detail, params: {}, errors: [] }
}

/**
 * The sentence for people: the closest variant (for the kind of problem, what a limit is on, the field, or a
 * parameter), else the code's own, else the general one, since a newer server may know codes that this build does not.
 */
export function problemText(t: TFunction<['common', 'errors']>, problem: Pick<Problem, 'code' | 'params'> & { field?: string }): string {
  const { code, params } = problem
  const field = problem.field?.split('.').findLast((part) => !/^\d+$/.test(part))
  const limit = params.subscribed ? `${params.limit}_plan` : params.limit
  const variants = [params.problem, limit, field, ...Object.keys(params)].filter(Boolean)
  const own: ParseKeys<['common', 'errors']> = `errors:${code}` // a code without its sentence does not compile
  const keys = [...variants.map((variant) => `errors:variants.${code}_${variant}`), own, 'errors:internal']
  // the variants are made from what the server sent, so they can't be checked against the texts
  return t(keys as 'errors:internal'[], { ...params, count: typeof params.allowed === 'number' ? params.allowed : undefined })
}

/** Why something failed for good: one of the server's codes, told like the problems of calls, of an article in its words. */
export const reasonText = (t: TFunction<['common', 'errors']>, code: string, written: ContentKind = 'post'): string =>
  problemText(t, { code: code as ErrorCode, params: paramsOf(written) })

/** What lets a problem be told in the words of an article, and of the website that it goes to. */
export const paramsOf = (written: ContentKind): Problem['params'] => (written === 'article' ? { article: 1 } : {})

/** The same while it is tried again by itself. */
export const retryText = (t: TFunction<['common', 'errors']>, code: string, written: ContentKind = 'post'): string =>
  t([...retryOf(code, written), 'errors:retries.internal'] as 'errors:retries.internal'[])

/** Why an attempt failed that is over: what is final is not said to be tried again. */
export const attemptText = (t: TFunction<['common', 'errors']>, code: string, written: ContentKind = 'post'): string => {
  const own = written === 'article' ? [`errors:variants.${code}_article`] : []
  return t([...retryOf(code, written), ...own, `errors:${code}`, 'errors:internal'] as 'errors:internal'[])
}

const retryOf = (code: string, written: ContentKind): string[] => [
  ...(written === 'article' ? [`errors:variants.retry_${code}_article`] : []),
  `errors:retries.${code}`,
]

/** Nothing is at this address, or it is none at all: trying again changes nothing. */
export const isMissing = (problem: Problem | null): boolean => problem?.status === 404 || problem?.status === 422

/** What is told at one field: also of a part of it, such as one of its tags. */
export const errorAt = (errors: Record<string, string>, field: string): string | undefined =>
  errors[field] ?? Object.entries(errors).find(([path]) => path.startsWith(`${field}.`))?.[1]

/** The first sentence for each field, as Mantine's `form.setErrors` takes them. */
export function fieldErrors(t: TFunction<['common', 'errors']>, problem: Problem): Record<string, string> {
  const sentences: Record<string, string> = {}
  for (const error of problem.errors) sentences[error.field] ??= problemText(t, error)
  return sentences
}
