import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface FormErrorsProps {
  message?: ReactNode
  /** What is to be said beside the message, in a line of its own. */
  more?: string
  fields?: Record<string, ReactNode>
}

/** Over a form: what failed as a whole, or, with more than two wrong fields, the list of them. */
export function FormErrors({ message, more, fields = {} }: FormErrorsProps) {
  const { t } = useTranslation()
  const wrong = Object.entries(fields).filter(([, error]) => Boolean(error))
  const listed = wrong.length > 2
  if (!message && !listed) return null
  return (
    <div className="form-errors" role="alert">
      {message ?? t('fieldsToCorrect', { count: wrong.length })}
      {more && <p>{more}</p>}
      {listed && (
        <ul>
          {wrong.map(([field, error]) => (
            <li key={field}>{error}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
