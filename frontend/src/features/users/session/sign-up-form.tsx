import { Checkbox, Input, SegmentedControl, TextInput, Title, type TextInputProps } from '@mantine/core'
import { isNotEmpty, useForm, type UseFormReturnType } from '@mantine/form'
import { useId } from '@mantine/hooks'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FormErrors } from '@/components/form-errors'
import { useProblemText } from '@/components/use-problem-text'
import { changeLanguage } from '@/i18n'
import { isLanguage, languageFacts, languages, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { paths } from '@/lib/paths'
import { fieldErrors } from '@/lib/problems'
import { browserTimeZone } from '@/lib/time-zones'
import { useCheckCode, useSignUp } from './api'
import { NewPassword } from './new-password'
import { WaitButton, waitEnd } from './wait-button'

interface SignUpFormProps {
  /** Code and address from the link of the invitation. */
  invitationCode: string
  email: string
  /** From the link in the mail of the invitation: proves that the address is the person's. */
  proof?: string
  onSignedUp: () => void
}

interface Values {
  invitation_code: string
  email: string
  password: string
  consent: boolean
}

export function SignUpForm({ invitationCode, email, proof = '', onSignedUp }: SignUpFormProps) {
  const { t } = useTranslation(['common', 'errors', 'navigation', 'session'])
  const language = useLanguage()
  const textOf = useProblemText()
  const signUp = useSignUp()
  const [wait, setWait] = useState(0)
  const form = useForm<Values>({
    initialValues: { invitation_code: invitationCode, email, password: '', consent: false },
    validateInputOnBlur: true,
    validate: {
      invitation_code: isNotEmpty(t('session:codeRequired')),
      email: isNotEmpty(t('session:emailRequired')),
      password: isNotEmpty(t('session:passwordRequired')),
      consent: (isGiven) => (isGiven ? null : t('session:consentRequired')),
    },
  })
  const focusFirst = (errors: Record<string, unknown>) => {
    const first = Object.keys(form.getValues()).find((field) => field in errors)
    if (first) form.getInputNode(first)?.focus()
  }
  const submit = form.onSubmit((values) => {
    signUp.mutate(
      { body: { ...values, invitation_proof: proof, language, time_zone: browserTimeZone() } },
      {
        onSuccess: onSignedUp,
        onError: (problem) => {
          setWait(waitEnd(problem))
          const errors = fieldErrors(t, problem)
          form.setErrors(errors)
          focusFirst(errors)
        },
      },
    )
  }, focusFirst)
  return (
    <form className="auth-box" onSubmit={submit} noValidate>
      <Title order={1}>{t('session:signUpTitle')}</Title>
      <p className="mid">{t('session:signUpLead')}</p>
      <FormErrors
        message={signUp.error?.errors.length === 0 ? textOf(signUp.error) : undefined}
        fields={form.errors}
      />
      <CodeField form={form} />
      <TextInput label={t('session:email')} type="email" autoComplete="username" {...form.getInputProps('email')} />
      <NewPassword
        label={t('session:password')}
        typed={form.values.password}
        email={form.values.email}
        {...form.getInputProps('password')}
      />
      {/* the errors are in the previous language */}
      <LanguageField onChanged={form.clearErrors} />
      <Checkbox
        label={
          <Trans t={t}
            i18nKey="session:consent"
            components={{ policy: <Link className="link" to={paths.privacyPolicy} target="_blank" /> }}
          />
        }
        {...form.getInputProps('consent', { type: 'checkbox' })}
      />
      <WaitButton until={wait} type="submit" size="md" fullWidth loading={signUp.isPending}>
        {t('session:signUp')}
      </WaitButton>
      <p className="mid auth-other">
        {t('session:haveAccount')}{' '}
        <Link className="link" to={paths.signIn}>
          {t('navigation:login')}
        </Link>
      </p>
    </form>
  )
}

/** The invitation code, which is checked when the field is left. */
function CodeField({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation(['common', 'errors', 'session'])
  const checkCode = useCheckCode()
  const field = form.getInputProps('invitation_code') as TextInputProps
  const check = (code: string) => {
    if (!code) return
    // a failed check shows nothing, since signing up checks the code again
    checkCode.mutate(
      { body: { invitation_code: code } },
      {
        onSuccess: ({ valid }) => {
          if (!valid && form.getValues().invitation_code.trim() === code)
            form.setFieldError('invitation_code', t('errors:invitation_invalid'))
        },
      },
    )
  }
  return (
    <TextInput
      label={t('session:invitationCode')}
      classNames={{ input: 'code-input' }}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      {...field}
      onBlur={(event) => {
        field.onBlur?.(event)
        check(event.currentTarget.value.trim())
      }}
    />
  )
}

/** The language of the page and of the new account. */
function LanguageField({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const label = useId()
  const [isMissing, setMissing] = useState(false)
  const change = (next: Language) =>
    changeLanguage(next).then(
      () => {
        setMissing(false)
        onChanged()
      },
      () => setMissing(true),
    )
  return (
    <div>
      <div className="field-label" id={label}>
        {t('language')}
      </div>
      <SegmentedControl
        fullWidth
        aria-labelledby={label}
        data={languages.map((value) => ({ value, label: languageFacts(value).name }))}
        value={language}
        onChange={(value) => isLanguage(value) && void change(value)}
      />
      {isMissing && (
        <Input.Error mt={6} role="alert">
          {t('languageMissing')}
        </Input.Error>
      )}
    </div>
  )
}
