import { Button, Title } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FormErrors } from '@/components/form-errors'
import { useFormProblem } from '@/components/use-form-problem'
import { forgotPath, paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { useReset } from './api'
import { NewPassword } from './new-password'
import { WaitButton, waitEnd } from './wait-button'
import './session.css'

interface ResetFormProps {
  /** The token in the link of the mail. */
  token: string
  onReset: () => void
}

export function ResetForm({ token, onReset }: ResetFormProps) {
  const { t } = useTranslation(['common', 'errors', 'session'])
  const reset = useReset()
  const [wait, setWait] = useState(0)
  const [typed, setTyped] = useState('')
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: isNotEmpty(t('session:passwordRequired')) },
  })
  form.watch('password', ({ value }) => setTyped(value))
  const problem = useFormProblem(form)
  const submit = form.onSubmit(
    ({ password }) =>
      reset.mutate(
        { body: { token, password } },
        {
          onSuccess: onReset,
          onError: (refused) => {
            setWait(waitEnd(refused))
            problem.show(refused)
          },
        },
      ),
    () => form.getInputNode('password')?.focus(),
  )
  if (reset.error?.code === 'link_invalid')
    return (
      <div className="auth-box" role="alert">
        <Title order={1}>{t('session:linkDeadTitle')}</Title>
        <p className="mid">{problemText(t, reset.error)}</p>
        <Button component={Link} to={forgotPath} size="md" fullWidth>
          {t('session:sendNewLink')}
        </Button>
        <div className="auth-row">
          <Link className="link" to={paths.signIn}>
            {t('session:backToSignIn')}
          </Link>
        </div>
      </div>
    )
  return (
    <form className="auth-box" onSubmit={submit} noValidate>
      <Title order={1}>{t('session:resetTitle')}</Title>
      <p className="mid">{t('session:resetLead')}</p>
      <FormErrors message={problem.message} />
      <NewPassword
        label={t('session:newPassword')}
        typed={typed}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <WaitButton until={wait} type="submit" size="md" fullWidth loading={reset.isPending}>
        {t('session:savePassword')}
      </WaitButton>
    </form>
  )
}
