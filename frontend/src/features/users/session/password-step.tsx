import { TextInput, Title } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FormErrors } from '@/components/form-errors'
import { PasswordField } from '@/components/password-field'
import { useFormProblem } from '@/components/use-form-problem'
import { forgotPath, paths } from '@/lib/paths'
import { useSignIn } from './api'
import type { Credentials } from './credentials'
import { WaitButton, waitEnd } from './wait-button'
import './session.css'

interface PasswordStepProps {
  email: string
  failure?: string
  notice?: string
  onCodeAsked: (credentials: Credentials) => void
  onSignedIn: () => void
}

export function PasswordStep({ email, failure, notice, onCodeAsked, onSignedIn }: PasswordStepProps) {
  const { t } = useTranslation(['common', 'navigation', 'session'])
  const signIn = useSignIn()
  const [wait, setWait] = useState(0)
  const form = useForm<Credentials>({
    mode: 'uncontrolled',
    initialValues: { email, password: '' },
    validateInputOnBlur: true,
    validate: {
      email: isNotEmpty(t('session:emailRequired')),
      password: isNotEmpty(t('session:passwordRequired')),
    },
  })
  const problem = useFormProblem(form)
  const submit = form.onSubmit(
    (values) =>
      signIn.mutate(
        { body: values },
        {
          onSuccess: onSignedIn,
          onError: (refused) => {
            if (refused.code === 'second_factor_required') return onCodeAsked(values)
            setWait(waitEnd(refused))
            problem.show(refused)
          },
        },
      ),
    problem.focusInvalid,
  )
  const untouched = signIn.isIdle
  return (
    <form className="auth-box" onSubmit={submit} noValidate>
      <Title order={1}>{t('session:signInTitle')}</Title>
      <p className="mid">{t('session:signInLead')}</p>
      {untouched && notice && (
        <p className="auth-note" role="status">
          {notice}
        </p>
      )}
      <FormErrors message={untouched ? failure : problem.message} />
      <TextInput
        label={t('session:email')}
        type="email"
        autoComplete="username"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('session:password')}
        autoComplete="current-password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <WaitButton until={wait} type="submit" size="md" fullWidth loading={signIn.isPending}>
        {t('session:signIn')}
      </WaitButton>
      <div className="auth-row mid">
        <Link className="link" to={forgotPath}>
          {t('session:forgot')}
        </Link>
        <span>
          {t('session:noAccount')}{' '}
          <Link className="link" to={paths.signUp}>
            {t('navigation:signUp')}
          </Link>
        </span>
      </div>
    </form>
  )
}
