import { Button, TextInput, Title } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormErrors } from '@/components/form-errors'
import { useFormProblem } from '@/components/use-form-problem'
import { problemText } from '@/lib/problems'
import { useSignIn } from './api'
import type { Credentials } from './credentials'
import { WaitButton, waitEnd } from './wait-button'

interface CodeStepProps {
  credentials: Credentials
  onSignedIn: () => void
  /** Called with the reason if the password has become wrong. */
  onBack: (why?: string) => void
}

/** The second step of the login: a code of the app, or a recovery code. */
export function CodeStep({ credentials, onSignedIn, onBack }: CodeStepProps) {
  const { t } = useTranslation(['common', 'errors', 'session'])
  const signIn = useSignIn()
  const [wait, setWait] = useState(0)
  const [recovery, setRecovery] = useState(false)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: { code: isNotEmpty(t(recovery ? 'session:recoveryRequired' : 'session:codeMissing')) },
  })
  const problem = useFormProblem(form, { second_factor_wrong: 'code', second_factor_required: 'code' })
  const submit = form.onSubmit(
    ({ code }) =>
      signIn.mutate(
        { body: { ...credentials, code: code.replace(/\s/g, '') } },
        {
          onSuccess: onSignedIn,
          onError: (refused) => {
            if (refused.code === 'login_failed') return onBack(problemText(t, refused))
            setWait(waitEnd(refused))
            problem.show(refused)
          },
        },
      ),
    () => form.getInputNode('code')?.focus(),
  )
  const change = () => {
    form.reset()
    problem.clear()
    setRecovery(!recovery)
    form.getInputNode('code')?.focus()
  }
  return (
    <form className="auth-box" onSubmit={submit} noValidate>
      <Title order={1}>{t('session:codeTitle')}</Title>
      <p className="mid">{t(recovery ? 'session:recoveryLead' : 'session:codeLead')}</p>
      <FormErrors message={problem.message} />
      <TextInput
        label={t(recovery ? 'session:recoveryCode' : 'session:code')}
        classNames={{ input: 'code-input' }}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        inputMode={recovery ? 'text' : 'numeric'}
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
      <WaitButton until={wait} type="submit" size="md" fullWidth loading={signIn.isPending}>
        {t('session:signIn')}
      </WaitButton>
      <div className="auth-row">
        <Button variant="subtle" size="compact-sm" onClick={change}>
          {t(recovery ? 'session:useApp' : 'session:useRecovery')}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={() => onBack()}>
          {t('session:otherAccount')}
        </Button>
      </div>
    </form>
  )
}
