// eslint-disable-next-line no-restricted-syntax -- the one place that may
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password that can be looked at. Mantine's own tells a screen reader why it is wrong, but not that it is. */
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
