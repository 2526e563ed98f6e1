// eslint-disable-next-line no-restricted-syntax -- the one place that may
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password field that can be shown. Mantine's own announces the error, but does not set `aria-invalid`. */
export function PasswordField({ error, ...input }: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      error={error}
      aria-invalid={error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      {...input}
    />
  )
}
