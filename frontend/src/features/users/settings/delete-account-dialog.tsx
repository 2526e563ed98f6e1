import { Button, Modal, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { FormErrors } from '@/components/form-errors'
import { PasswordField } from '@/components/password-field'
import { useFormProblem } from '@/components/use-form-problem'
import { useDeleteMe } from './api'

interface DeleteAccountDialogProps {
  email: string
  opened: boolean
  onClose: () => void
}

export function DeleteAccountDialog({ email, opened, onClose }: DeleteAccountDialogProps) {
  const { t } = useTranslation(['common', 'settings'])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="md"
      title={t('settings:deleteQuestion')}
    >
      <DeleteAccountForm email={email} onCancel={onClose} />
    </Modal>
  )
}

function DeleteAccountForm({ email, onCancel }: { email: string; onCancel: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const remove = useDeleteMe()
  const form = useForm({
    initialValues: { typed_email: '', current_password: '' },
    validate: {
      typed_email: (typed) =>
        typed.trim().toLowerCase() === email.toLowerCase() ? null : t('settings:typeEmailWrong', { email }),
      current_password: isNotEmpty(t('settings:passwordRequired')),
    },
  })
  const problem = useFormProblem(form, { password_wrong: 'current_password' })
  const submit = form.onSubmit(
    ({ current_password }) => {
      problem.clear()
      // the dialog is unmounted with the page, so the `onSuccess` of `mutate` would not be called
      void remove
        .mutateAsync({ body: { current_password } })
        .then(() => notifications.show({ message: t('settings:deleted') }), problem.show)
    },
    problem.focusInvalid,
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p className="dialog-text">
        {t('settings:deleteText')} {t('settings:exportFirst')}
      </p>
      <FormErrors message={problem.message} />
      <TextInput
        label={t('settings:typeEmail', { email })}
        type="email"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('typed_email')}
      />
      <PasswordField
        label={t('settings:password')}
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('settings:keepAccount')}
        </Button>
        <Button type="submit" color="red" loading={remove.isPending}>
          {t('settings:deleteAction')}
        </Button>
      </div>
    </form>
  )
}
