import { Button, Modal, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { NewEmailInSchema } from '@/api/schemas.gen'
import { FormErrors } from '@/components/form-errors'
import { PasswordField } from '@/components/password-field'
import { useFormProblem } from '@/components/use-form-problem'
import { useChangeEmail } from './api'

interface ChangeEmailDialogProps {
  /** The current address. */
  email: string
  opened: boolean
  onClose: () => void
}

export function ChangeEmailDialog({ email, opened, onClose }: ChangeEmailDialogProps) {
  const { t } = useTranslation(['common', 'settings'])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="md"
      title={t('settings:changeEmail')}
    >
      <ChangeEmailForm email={email} onDone={onClose} />
    </Modal>
  )
}

function ChangeEmailForm({ email, onDone }: { email: string; onDone: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const change = useChangeEmail()
  const form = useForm({
    initialValues: { email: '', current_password: '' },
    validate: {
      email: isNotEmpty(t('settings:emailRequired')),
      current_password: isNotEmpty(t('settings:passwordRequired')),
    },
  })
  const problem = useFormProblem(form, {
    password_wrong: 'current_password',
    email_taken: 'email',
    email_unchanged: 'email',
    invalid_email: 'email',
  })
  const submit = form.onSubmit(
    (values) => {
      problem.clear()
      change.mutate(
        { body: values },
        {
          onSuccess: () => {
            notifications.show({ message: t('settings:linkSent', { email: values.email.trim() }), autoClose: 10_000 })
            onDone()
          },
          onError: problem.show,
        },
      )
    },
    problem.focusInvalid,
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p className="dialog-text">{t('settings:changeEmailText', { email })}</p>
      <FormErrors message={problem.message} />
      <TextInput
        label={t('settings:newEmail')}
        type="email"
        autoComplete="email"
        maxLength={NewEmailInSchema.properties.email.maxLength}
        data-autofocus
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('settings:password')}
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
      <div className="dialog-foot">
        <Button variant="default" onClick={onDone}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={change.isPending}>
          {t('settings:sendLink')}
        </Button>
      </div>
    </form>
  )
}
