import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { FieldProblem } from '@/api/types.gen'
import { problemText } from '@/lib/problems'

interface TemplateErrorsProps {
  errors: readonly FieldProblem[]
  onGoTo: (line: number, column: number) => void
}

/** The errors of the variables, each with a button that selects it. */
export function TemplateErrors({ errors, onGoTo }: TemplateErrorsProps) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  return (
    <div aria-live="polite">
      {errors.length > 0 && (
        <ul className="code-errors" aria-label={t('templates:errors', { count: errors.length })}>
          {errors.map((error) => {
            const line = Number(error.params.line)
            const column = Number(error.params.column)
            return (
              <li key={`${line}:${column}`}>
                <IconAlertCircle size={16} aria-hidden />
                <span className="grow">{problemText(t, error)}</span>
                <Button size="compact-xs" variant="default" onClick={() => onGoTo(line, column)}>
                  {t('templates:goTo')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
