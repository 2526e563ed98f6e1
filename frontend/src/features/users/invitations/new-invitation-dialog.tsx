import { Button, Checkbox, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { InvitationInSchema } from '@/api/schemas.gen'
import type { InvitationOut } from '@/api/types.gen'
import { FormErrors } from '@/components/form-errors'
import { useFormProblem } from '@/components/use-form-problem'
import { useCreateInvitation } from './api'
import { Share } from './share-dialog'

interface NewInvitationDialogProps {
  opened: boolean
  onClose: () => void
}

export function NewInvitationDialog({ opened, onClose }: NewInvitationDialogProps) {
  const { t } = useTranslation(['common', 'invitations'])
  const [invitation, setInvitation] = useState<InvitationOut>()
  const leave = () => {
    onClose()
    setInvitation(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={t(invitation ? 'invitations:ready' : 'invitations:createTitle')}
    >
      {invitation ? <Share invitation={invitation} onDone={leave} /> : <NewInvitationForm onCreated={setInvitation} onCancel={leave} />}
    </Modal>
  )
}

function NewInvitationForm({ onCreated, onCancel }: { onCreated: (invitation: InvitationOut) => void; onCancel: () => void }) {
  const { t } = useTranslation(['common', 'invitations'])
  const create = useCreateInvitation()
  const form = useForm({ initialValues: { email: '', send: true } })
  const problem = useFormProblem(form, { invalid_email: 'email' })
  const email = form.values.email.trim()
  const send = form.values.send && email !== ''
  const submit = form.onSubmit(() => {
    problem.clear()
    create.mutate(
      { body: { email: email || null, send } },
      {
        onSuccess: (invitation) => {
          if (send) notifications.show({ message: t('invitations:sent', { email }) })
          onCreated(invitation)
        },
        onError: problem.show,
      },
    )
  })
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p className="dialog-text">{t('invitations:createText')}</p>
      <FormErrors message={problem.message} />
      <TextInput
        label={`${t('invitations:email')} ${t('optional')}`}
        type="email"
        autoComplete="off"
        maxLength={InvitationInSchema.properties.email.anyOf[0].maxLength}
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Checkbox
        label={t('invitations:send')}
        disabled={email === ''}
        checked={send}
        onChange={(event) => form.setFieldValue('send', event.currentTarget.checked)}
      />
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('invitations:createAction')}
        </Button>
      </div>
    </form>
  )
}
