import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface FormErrorsProps {
  message?: ReactNode
  /** Another line below the message. */
  more?: string
  fields?: Record<string, ReactNode>
}

/** Above a form: the error of the whole form, and with more than two invalid fields the list of their errors. */
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
