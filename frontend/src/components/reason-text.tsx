import { useTranslation } from 'react-i18next'
import { reasonText } from '@/lib/problems'
import { withRemedy } from './problem-text'

/** Why something failed for good, by one of the server's codes: as `ProblemText`. */
export function ReasonText({ code }: { code: string }) {
  const { t } = useTranslation()
  return withRemedy(code, reasonText(t, code))
}
