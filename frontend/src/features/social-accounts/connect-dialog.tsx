import { Button, Group, Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelOut, ConnectedOut } from '@/api/types.gen'
import { ConnectionFields, connectionValues, type ConnectionValues } from '@/components/connection-fields'
import { FormErrors } from '@/components/form-errors'
import { useFormProblem } from '@/components/use-form-problem'
import { useStartConnecting } from './api'

interface ConnectDialogProps {
  channel: ChannelOut
  /** The form's values of an account to reconnect. */
  initialValues?: AccountOut['form']
  opened: boolean
  onClose: () => void
  /** Called when an account of a network without a consent page is connected. */
  onConnected: (connected: ConnectedOut) => void
}

/** The form of a network, as the server describes it. */
export function ConnectDialog({ channel, initialValues, opened, onClose, onConnected }: ConnectDialogProps) {
  const { t } = useTranslation(['common', 'socialAccounts'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('socialAccounts:formTitle', { network: channel.label })}>
      <ConnectForm channel={channel} initialValues={initialValues} onClose={onClose} onConnected={onConnected} />
    </Modal>
  )
}

function ConnectForm({ channel, initialValues, onClose, onConnected }: Omit<ConnectDialogProps, 'opened'>) {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const start = useStartConnecting()
  const { consent, fields } = channel.connection
  const form = useForm<{ fields: ConnectionValues }>({ initialValues: { fields: connectionValues(fields, initialValues) } })
  const problem = useFormProblem(form)
  const submit = form.onSubmit(({ fields }) => {
    problem.clear()
    start.mutate(
      { path: { kind: channel.kind }, body: { fields } },
      {
        onSuccess: ({ connected }) => {
          if (connected) onConnected(connected)
        },
        onError: problem.show,
      },
    )
  })
  const busy = start.isPending || Boolean(start.data?.authorize_url)
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors message={Object.keys(form.errors).length === 0 ? problem.message : undefined} />
      <ConnectionFields kind={channel.kind} fields={fields} initialValues={initialValues} form={form} />
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {t(consent ? 'socialAccounts:goThere' : 'socialAccounts:connect')}
        </Button>
      </Group>
    </form>
  )
}
