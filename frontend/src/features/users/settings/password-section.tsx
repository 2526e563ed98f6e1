import { Button } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormErrors } from '@/components/form-errors'
import { FormSection } from '@/components/form-section'
import { PasswordField } from '@/components/password-field'
import { useFormProblem } from '@/components/use-form-problem'
import { meQuery, useChangePassword } from './api'

export function PasswordSection() {
  const { t } = useTranslation(['common', 'settings'])
  const { data: me } = useQuery(meQuery)
  const change = useChangePassword()
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: {
      current_password: isNotEmpty(t('settings:passwordRequired')),
      new_password: isNotEmpty(t('settings:newPasswordRequired')),
    },
  })
  const problem = useFormProblem(form, { password_wrong: 'current_password' })
  const submit = form.onSubmit(
    (body) => {
      problem.clear()
      change.mutate(
        { body },
        {
          onSuccess: () => {
            form.reset()
            notifications.show({ message: t('settings:passwordChanged') })
          },
          onError: problem.show,
        },
      )
    },
    problem.focusInvalid,
  )
  return (
    <FormSection title={t('settings:passwordTitle')} hint={t('settings:passwordText')}>
      <form className="stack narrow" onSubmit={submit} noValidate>
        <FormErrors message={problem.message} />
        {/* tells password managers whose password this is */}
        <input hidden readOnly type="email" autoComplete="username" value={me?.email ?? ''} />
        <PasswordField
          label={t('settings:currentPassword')}
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <PasswordField
          label={t('settings:newPassword')}
          description={t('settings:newPasswordHint')}
          autoComplete="new-password"
          {...form.getInputProps('new_password')}
        />
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('settings:changePassword')}
          </Button>
        </div>
      </form>
    </FormSection>
  )
}
