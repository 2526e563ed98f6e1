import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { AccountOut, ChannelOut, ConnectedOut, FormFieldOut } from '@/api/types.gen'
import { Modal } from '@/components/dialog'
import { FormErrors } from '@/components/form-errors'
import { PasswordField } from '@/components/password-field'
import { useFormProblem } from '@/components/use-form-problem'
import { useTranslation } from '@/i18n/translation'
import { useStartConnecting } from './api'

interface ConnectDialogProps {
  channel: ChannelOut
  /** Of an account that is connected once more: what the form holds already. */
  known?: AccountOut['form']
  opened: boolean
  onClose: () => void
  /** Of a network without a consent page. */
  onConnected: (connected: ConnectedOut) => void
}

/** The form of a network, as the server describes it. */
export function ConnectDialog({ channel, known, opened, onClose, onConnected }: ConnectDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('accounts.formTitle', { network: channel.label })}>
      <ConnectForm channel={channel} known={known} onClose={onClose} onConnected={onConnected} />
    </Modal>
  )
}

type Typed = Partial<Record<FormFieldOut['name'], string>>

function ConnectForm({ channel, known = {}, onClose, onConnected }: Omit<ConnectDialogProps, 'opened'>) {
  const { t } = useTranslation()
  const start = useStartConnecting()
  const { consent, fields } = channel.connection
  const form = useForm<{ fields: Typed }>({
    initialValues: { fields: Object.fromEntries(fields.map(({ name, initial }) => [name, known[name] ?? initial])) },
  })
  const problem = useFormProblem(form)
  const first = fields.find(({ name }) => known[name] === undefined) ?? fields[0]
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
      {fields.map(({ name, kind, example, max_length }) => {
        const input = {
          label: t(`accounts.field.${name}`),
          description: t(`accounts.fieldHelp.${name}`),
          placeholder: example,
          maxLength: max_length,
          'data-autofocus': name === first?.name || undefined,
          ...form.getInputProps(`fields.${name}`),
        }
        if (kind === 'password') return <PasswordField key={name} autoComplete="off" {...input} />
        return (
          <TextInput
            key={name}
            inputMode={kind === 'url' ? 'url' : 'text'}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            {...input}
          />
        )
      })}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {t(consent ? 'accounts.goThere' : 'accounts.connect')}
        </Button>
      </Group>
    </form>
  )
}
