import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { problemText, type Problem } from '@/lib/problems'

const SECOND = 1_000 // ms

/** The sentence for people; where the server wants fewer calls, with the time that it named. A moment is told as one. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'params'>) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (problem) => {
    const { retry_after, until } = problem.params
    const seconds = Number(retry_after)
    if (problem.code === 'rate_limited' && seconds > 0)
      return t('common.tooMany', { time: format.duration(seconds * SECOND) })
    const told = typeof until === 'string' ? { ...problem.params, until: format.momentInSentence(until) } : problem.params
    return problemText(t, { ...problem, params: told })
  }
}
