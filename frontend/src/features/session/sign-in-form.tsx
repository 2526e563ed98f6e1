import { Button, PasswordInput, TextInput, Title } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FormErrors } from '@/components/form-errors'
import { paths } from '@/lib/paths'
import { fieldErrors, problemText } from '@/lib/problems'
import { useSignIn } from './api'

interface SignInFormProps {
  /** Why another way to sign in has failed. */
  failure?: string
  onSignedIn: () => void
}

export function SignInForm({ failure, onSignedIn }: SignInFormProps) {
  const { t } = useTranslation()
  const signIn = useSignIn()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validateInputOnBlur: true,
    validate: {
      email: isNotEmpty(t('session.emailRequired')),
      password: isNotEmpty(t('session.passwordRequired')),
    },
  })
  const submit = form.onSubmit(
    (values) =>
      signIn.mutate({ body: values }, {
        onSuccess: onSignedIn,
        onError: (problem) => form.setErrors(fieldErrors(t, problem)),
      }),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  return (
    <form className="auth-box" onSubmit={submit} noValidate>
      <Title order={1}>{t('session.signInTitle')}</Title>
      <p className="mid">{t('session.signInLead')}</p>
      <FormErrors message={signIn.error?.errors.length === 0 ? problemText(t, signIn.error) : failure} />
      <TextInput
        label={t('session.email')}
        type="email"
        autoComplete="username"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label={t('session.password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
        {t('session.signIn')}
      </Button>
      <p className="mid auth-other">
        {t('session.noAccount')}{' '}
        <Link className="link" to={paths.signUp}>
          {t('navigation.signUp')}
        </Link>
      </p>
    </form>
  )
}
