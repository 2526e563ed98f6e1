import { useTranslation } from 'react-i18next'
import { reasonText } from '@/lib/problems'
import type { ContentKind } from '@/lib/content-kind'
import { withRemedy } from './problem-text'

/** Why something failed for good, by one of the server's codes: as `ProblemText`. */
export function ReasonText({ code, written }: { code: string; written?: ContentKind }) {
  const { t } = useTranslation(['common', 'errors'])
  return withRemedy(code, reasonText(t, code, written))
}
