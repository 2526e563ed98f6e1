import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'
import type { Problem } from '@/lib/problems'
import { useProblemText } from './use-problem-text'

/** The pages that mend what codes are about. */
const remedies: Record<string, string | undefined> = {
  subscription_ended: paths.subscription,
  subscription_required: paths.subscription,
}

/** A sentence that says why something was refused, and behind it the way to its remedy where one page has it. */
export function withRemedy(code: string | null | undefined, said: string): ReactNode {
  const to = code && remedies[code]
  return to ? (
    <>
      {said} <Remedy to={to} />
    </>
  ) : (
    said
  )
}

function Remedy({ to }: { to: string }) {
  const { t } = useTranslation()
  return (
    <Link className="link" to={to}>
      {t('remedies.subscription')}
    </Link>
  )
}

/** Why a call failed. */
export function ProblemText({ problem }: { problem: Pick<Problem, 'code' | 'params'> }) {
  const textOf = useProblemText()
  return withRemedy(problem.code, textOf(problem))
}
