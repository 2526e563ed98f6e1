import { Button, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FormErrors } from '@/components/form-errors'
import { useFormProblem } from '@/components/use-form-problem'
import { paths } from '@/lib/paths'
import { useForgot } from './api'
import { WaitButton, waitEnd } from './wait-button'
import './session.css'

/** The form that requests a mail with a link. Its message does not reveal whether the address is known. */
export function ForgotForm() {
  const { t } = useTranslation(['common', 'session'])
  const forgot = useForgot()
  const [wait, setWait] = useState(0)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validateInputOnBlur: true,
    validate: { email: (email) => (/\S@\S/.test(email) ? null : t('session:emailInvalid')) },
  })
  const problem = useFormProblem(form)
  const submit = form.onSubmit(
    ({ email }) =>
      forgot.mutate(
        { body: { email: email.trim() } },
        {
          onError: (refused) => {
            setWait(waitEnd(refused))
            problem.show(refused)
          },
        },
      ),
    () => form.getInputNode('email')?.focus(),
  )
  const toSignIn = (
    <Link className="link" to={paths.signIn}>
      {t('session:backToSignIn')}
    </Link>
  )
  if (forgot.isSuccess)
    return (
      <div className="auth-box" role="status">
        <Title order={1}>{t('session:forgotSentTitle')}</Title>
        <p className="mid">
          <Trans t={t}
            i18nKey="session:forgotSent"
            values={{ email: forgot.variables.body.email }}
            components={{ address: <span className="auth-address" /> }}
          />
        </p>
        <p className="mid">{t('session:noMail')}</p>
        <div className="auth-row">
          {toSignIn}
          <Button variant="subtle" size="compact-sm" onClick={forgot.reset}>
            {t('session:otherEmail')}
          </Button>
        </div>
      </div>
    )
  return (
    <form className="auth-box" onSubmit={submit} noValidate>
      <Title order={1}>{t('session:forgotTitle')}</Title>
      <p className="mid">{t('session:forgotLead')}</p>
      <FormErrors message={problem.message} />
      <TextInput
        label={t('session:email')}
        type="email"
        autoComplete="username"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <WaitButton until={wait} type="submit" size="md" fullWidth loading={forgot.isPending}>
        {t('session:sendLink')}
      </WaitButton>
      <div className="auth-row">{toSignIn}</div>
    </form>
  )
}
