import { Checkbox, Input, SegmentedControl, TextInput, Title, type TextInputProps } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useId } from '@mantine/hooks'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { InvitationCodeOut } from '@/api/types.gen'
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
  /** From the invitation's link, as is the address. */
  invitationCode: string
  email: string
  /** From the link of the invitation's mail: it proves the address that it was sent to. */
  proof?: string
  onSignedUp: () => void
}

export function SignUpForm({ invitationCode, email, proof = '', onSignedUp }: SignUpFormProps) {
  const { t } = useTranslation(['common', 'errors', 'navigation', 'session'])
  const language = useLanguage()
  const languageLabel = useId()
  const textOf = useProblemText()
  const signUp = useSignUp()
  const checkCode = useCheckCode()
  const [wait, setWait] = useState(0)
  const [languageMissing, setLanguageMissing] = useState(false)
  const [typed, setTyped] = useState({ email, password: '' })
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { invitation_code: invitationCode, email, password: '', consent: false },
    validateInputOnBlur: true,
    validate: {
      invitation_code: isNotEmpty(t('session:codeRequired')),
      email: isNotEmpty(t('session:emailRequired')),
      password: isNotEmpty(t('session:passwordRequired')),
      consent: (given) => (given ? null : t('session:consentRequired')),
    },
  })
  form.watch('email', ({ value }) => setTyped((before) => ({ ...before, email: value })))
  form.watch('password', ({ value }) => setTyped((before) => ({ ...before, password: value })))
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
  const speak = (other: Language) =>
    changeLanguage(other).then(
      () => {
        setLanguageMissing(false)
        form.clearErrors() // they are sentences in the language before
      },
      () => setLanguageMissing(true),
    )
  const code = form.getInputProps('invitation_code') as TextInputProps
  // a check that fails says nothing: signing up asks again
  const tellCode =
    (asked: string) =>
    ({ valid }: InvitationCodeOut) => {
      if (!valid && form.getValues().invitation_code.trim() === asked)
        form.setFieldError('invitation_code', t('errors:invitation_invalid'))
    }
  return (
    <form className="auth-box" onSubmit={submit} noValidate>
      <Title order={1}>{t('session:signUpTitle')}</Title>
      <p className="mid">{t('session:signUpLead')}</p>
      <FormErrors
        message={signUp.error?.errors.length === 0 ? textOf(signUp.error) : undefined}
        fields={form.errors}
      />
      <TextInput
        label={t('session:invitationCode')}
        classNames={{ input: 'code-input' }}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        key={form.key('invitation_code')}
        {...code}
        onBlur={(event) => {
          code.onBlur?.(event)
          const typed = event.currentTarget.value.trim()
          if (typed) checkCode.mutate({ body: { invitation_code: typed } }, { onSuccess: tellCode(typed) })
        }}
      />
      <TextInput
        label={t('session:email')}
        type="email"
        autoComplete="username"
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <NewPassword
        label={t('session:password')}
        typed={typed.password}
        email={typed.email}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <div>
        <div className="field-label" id={languageLabel}>
          {t('language')}
        </div>
        <SegmentedControl
          fullWidth
          aria-labelledby={languageLabel}
          data={languages.map((value) => ({ value, label: languageFacts(value).name }))}
          value={language}
          onChange={(value) => isLanguage(value) && void speak(value)}
        />
        {languageMissing && (
          <Input.Error mt={6} role="alert">
            {t('languageMissing')}
          </Input.Error>
        )}
      </div>
      <Checkbox
        label={
          <Trans t={t}
            i18nKey="session:consent"
            components={{ policy: <Link className="link" to={paths.privacyPolicy} target="_blank" /> }}
          />
        }
        key={form.key('consent')}
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
