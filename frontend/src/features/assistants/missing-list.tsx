import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AssistantOut, FieldProblem } from '@/api/types.gen'
import { problemText } from '@/lib/problems'
import { fixPath } from './links'

interface MissingListProps {
  assistant: AssistantOut
  problems: readonly FieldProblem[]
  /** Called when a link is followed, such as to close the dialog. */
  onFollow?: () => void
}

/** The reasons why an assistant can't be activated, each with a link that fixes it. */
export function MissingList({ assistant, problems, onFollow }: MissingListProps) {
  const { t } = useTranslation(['common', 'errors'])
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
