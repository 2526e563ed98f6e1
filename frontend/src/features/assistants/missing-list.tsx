import { Link } from 'react-router'
import type { AssistantOut, FieldProblem } from '@/api/types.gen'
import { useTranslation } from '@/i18n/translation'
import { problemText } from '@/lib/problems'
import { fixPath } from './links'

interface MissingListProps {
  assistant: AssistantOut
  problems: readonly FieldProblem[]
  /** Before a link is followed, such as closing the dialog that holds the list. */
  onFollow?: () => void
}

/** What keeps an assistant from being activated, each with the way to the place that fixes it. */
export function MissingList({ assistant, problems, onFollow }: MissingListProps) {
  const { t } = useTranslation()
  return (
    <ul className="missing">
      {problems.map((problem) => (
        <li key={`${problem.field} ${problem.code}`}>
          <Link className="link" to={fixPath(assistant, problem)} onClick={onFollow}>
            {problemText(t, problem)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
