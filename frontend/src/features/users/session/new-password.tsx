import type { PasswordInputProps } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '@/components/password-field'
import { passwordRules } from './password-rules'
import './session.css'

interface NewPasswordProps extends PasswordInputProps {
  /** The current content of the field. */
  typed: string
  /** The address that the password must not contain, if it is known. */
  email?: string
}

/** The field for a new password, and below it the rules, each with whether it is met. */
export function NewPassword({ typed, email, ...input }: NewPasswordProps) {
  const { t } = useTranslation(['common', 'session'])
  return (
    <div>
      <PasswordField
        description={t('session:passwordHint')}
        autoComplete="new-password"
        {...input}
      />
      <ul className="rules" aria-label={t('session:rules')}>
        {passwordRules(typed, email).map(({ name, isMet }) => (
          <li key={name} data-met={isMet || undefined}>
            {isMet ? (
              <IconCheck size={15} stroke={2.2} aria-hidden />
            ) : (
              <IconCircleDashed size={15} stroke={1.7} aria-hidden />
            )}
            {t(`session:rule.${name}`)}
            <span className="vh">: {t(isMet ? 'session:ruleMet' : 'session:ruleOpen')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
