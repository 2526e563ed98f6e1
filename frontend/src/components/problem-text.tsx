import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import type { Problem } from '@/lib/problems'
import { useProblemText } from './use-problem-text'

/** The page that can fix the problem of a code. */
const remedies: Record<string, string | undefined> = {
  subscription_ended: paths.subscription,
  subscription_required: paths.subscription,
}

/** Return the sentence, followed by a link to the page that can fix the problem, if there is one. */
export function withRemedy(code: string | null | undefined, sentence: string): ReactNode {
  const to = code && remedies[code]
  return to ? (
    <>
      {sentence} <Remedy to={to} />
    </>
  ) : (
    sentence
  )
}

function Remedy({ to }: { to: string }) {
  const { t } = useTranslation(['common', 'errors'])
  return (
    <Link className="link" to={to}>
      {t('errors:remedies.subscription')}
    </Link>
  )
}

/** The reason why a call failed. */
export function ProblemText({ problem }: { problem: Pick<Problem, 'code' | 'params'> }) {
  const textOf = useProblemText()
  return withRemedy(problem.code, textOf(problem))
}
