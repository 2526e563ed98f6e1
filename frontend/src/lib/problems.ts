import type { ParseKeys, TFunction } from 'i18next'
import type { ErrorCode, Problem as ServerProblem } from '@/api/types.gen'
import { clockText } from './clock-text'
import type { ContentKind } from './content-kind'
import { ratioSides } from './image-ratio'

/** A failed call, in the server's format. `unreachable`: there was no usable response. */
export interface Problem extends Pick<ServerProblem, 'status' | 'detail' | 'params' | 'errors'> {
  code: ErrorCode | 'unreachable'
}

export function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'params' in error && 'errors' in error
}

/** Return the error as a problem; a gateway's HTML (a string) and a lost connection (a TypeError) as `unreachable`. */
export function toProblem(error: unknown, response?: Response): Problem {
  if (isProblem(error)) return error
  const detail = error instanceof Error ? error.message : JSON.stringify(error)
  return { status: response?.status ?? 0, code: 'unreachable', detail, params: {}, errors: [] }
}

/**
 * Return the message for a problem: the most specific variant (by kind of problem, limit, field, or parameter), else
 * the code's message, else the general one, since a newer server may have codes that this build does not know.
 */
export function problemText(t: TFunction<['common', 'errors']>, problem: Pick<Problem, 'code' | 'params'> & { field?: string }): string {
  const { code, params } = problem
  const field = problem.field?.split('.').findLast((part) => !/^\d+$/.test(part))
  const limit = params.subscribed ? `${params.limit}_plan` : params.limit
  const variants = [params.problem, limit, field, ...Object.keys(params)].filter(Boolean)
  const key: ParseKeys<['common', 'errors']> = `errors:${code}` // a code without its sentence does not compile
  const keys = [...variants.map((variant) => `errors:variants.${code}_${variant}`), key, 'errors:internal']
  // the variants are made from what the server sent, so they can't be checked against the texts
  return t(keys as 'errors:internal'[], { ...params, ...shownParams(t, problem), count: typeof params.allowed === 'number' ? params.allowed : undefined })
}

/** Return the parameters that people read otherwise than the server counts them: lengths and aspect ratios of files. */
function shownParams(t: TFunction<['common', 'errors']>, { code, params }: Pick<Problem, 'code' | 'params'>): Record<string, string> {
  const texts = (names: string[], text: (value: number) => string) =>
    Object.fromEntries(names.map((name) => [name, text(Number(params[name]))]))
  switch (code) {
    case 'video_too_long':
      return texts(['seconds', 'limit'], (seconds) => clockText(Math.ceil(seconds)))
    case 'video_too_short':
      return texts(['seconds', 'limit'], (seconds) => clockText(Math.floor(seconds)))
    case 'image_ratio_unfit':
    case 'video_ratio_unfit':
      return texts(['ratio', 'least', 'most'], (ratio) => t('ratio', ratioSides(ratio)))
    default:
      return {}
  }
}

/** Return why something failed permanently, by the server's code, in the wording for posts or articles. */
export const reasonText = (t: TFunction<['common', 'errors']>, code: string, written: ContentKind = 'post'): string =>
  problemText(t, { code: code as ErrorCode, params: paramsOf(written) })

/** Return the parameters that select the wording for articles. */
export const paramsOf = (written: ContentKind): Problem['params'] => (written === 'article' ? { article: 1 } : {})

/** Return why an attempt failed that will be retried automatically. */
export const retryText = (t: TFunction<['common', 'errors']>, code: string, written: ContentKind = 'post'): string =>
  t([...retryOf(code, written), 'errors:retries.internal'] as 'errors:retries.internal'[])

/** Return why a past attempt failed; a final failure's text promises no retry. */
export const attemptText = (t: TFunction<['common', 'errors']>, code: string, written: ContentKind = 'post'): string => {
  const articleKeys = written === 'article' ? [`errors:variants.${code}_article`] : []
  return t([...retryOf(code, written), ...articleKeys, `errors:${code}`, 'errors:internal'] as 'errors:internal'[])
}

const retryOf = (code: string, written: ContentKind): string[] => [
  ...(written === 'article' ? [`errors:variants.retry_${code}_article`] : []),
  `errors:retries.${code}`,
]

/** Return whether the address is unknown or invalid, so that a retry is useless. */
export const isMissing = (problem: Problem | null): boolean => problem?.status === 404 || problem?.status === 422

/** Return the error of a field or of a part of it, such as one of its tags. */
export const errorAt = (errors: Record<string, string>, field: string): string | undefined =>
  errors[field] ?? Object.entries(errors).find(([path]) => path.startsWith(`${field}.`))?.[1]

/** Return the first error of each field, for Mantine's `form.setErrors`. */
export function fieldErrors(t: TFunction<['common', 'errors']>, problem: Problem): Record<string, string> {
  const sentences: Record<string, string> = {}
  for (const error of problem.errors) sentences[error.field] ??= problemText(t, error)
  return sentences
}
