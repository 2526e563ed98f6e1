import { Button, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SecondFactorOffInSchema } from '@/api/schemas.gen'
import { FormErrors } from '@/components/form-errors'
import { PasswordField } from '@/components/password-field'
import { useFormProblem } from '@/components/use-form-problem'
import type { Problem } from '@/lib/problems'

interface PasswordFormProps {
  text: string
  /** Verb and object, on the button. */
  action: string
  pending: boolean
  /** Make the call with the password, and report its failure with `onError`. */
  onSubmit: (currentPassword: string, onError: (problem: Problem) => void, code: string) => void
  /** Also asks for a code of two-step login. */
  withCode?: boolean
  /** Without it there is no cancel button, as in dialogs with their own. */
  onCancel?: () => void
  /** Replaces the cancel button. */
  otherActions?: ReactNode
}

/** In a dialog: asks for the user's password before an action that a stolen session must not do. */
export function PasswordForm({ text, action, pending, onSubmit, withCode, onCancel, otherActions }: PasswordFormProps) {
  const { t } = useTranslation(['common', 'settings'])
  const form = useForm({
    initialValues: { current_password: '', code: '' },
    validate: {
      current_password: isNotEmpty(t('settings:passwordRequired')),
      code: withCode ? isNotEmpty(t('settings:codeRequired')) : undefined,
    },
  })
  const problem = useFormProblem(form, {
    password_wrong: 'current_password',
    second_factor_wrong: 'code',
    second_factor_required: 'code',
  })
  const submit = form.onSubmit(
    (values) => {
      problem.clear()
      onSubmit(values.current_password, problem.show, values.code)
    },
    (errors) => form.getInputNode(errors.current_password ? 'current_password' : 'code')?.focus(),
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p className="dialog-text">{text}</p>
      <FormErrors message={problem.message} />
      <PasswordField
        label={t('settings:password')}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('current_password')}
      />
      {withCode && (
        <TextInput
          label={t('settings:anyCode')}
          description={t('settings:anyCodeHint')}
          autoComplete="one-time-code"
          maxLength={SecondFactorOffInSchema.properties.code.maxLength}
          {...form.getInputProps('code')}
        />
      )}
      <div className="dialog-foot">
        {otherActions}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        <Button type="submit" loading={pending}>
          {action}
        </Button>
      </div>
    </form>
  )
}
