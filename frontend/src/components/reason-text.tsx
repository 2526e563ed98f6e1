import { useTranslation } from 'react-i18next'
import { reasonText } from '@/lib/problems'
import type { ContentKind } from '@/lib/content-kind'
import { withRemedy } from './problem-text'

/** The reason why something failed permanently, by the server's code, like `ProblemText`. */
export function ReasonText({ code, written }: { code: string; written?: ContentKind }) {
  const { t } = useTranslation(['common', 'errors'])
  return withRemedy(code, reasonText(t, code, written))
}
