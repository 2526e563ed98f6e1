import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import { problemText, type Problem } from '@/lib/problems'

const SECOND = 1_000 // ms

/** Return a function for a problem's message; a rate limit's contains the server's wait. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'params'>) => string {
  const { t } = useTranslation(['common', 'errors'])
  const format = useFormat()
  return (problem) => {
    const seconds = Number(problem.params.retry_after)
    return problem.code === 'rate_limited' && seconds > 0
      ? t('tooMany', { time: format.duration(seconds * SECOND) })
      : problemText(t, problem)
  }
}
