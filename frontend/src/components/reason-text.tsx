import { useTranslation } from 'react-i18next'
import { reasonText } from '@/lib/problems'
import type { Written } from '@/lib/written'
import { withRemedy } from './problem-text'

/** Why something failed for good, by one of the server's codes: as `ProblemText`. */
export function ReasonText({ code, written }: { code: string; written?: Written }) {
  const { t } = useTranslation(['common', 'errors'])
  return withRemedy(code, reasonText(t, code, written))
}
