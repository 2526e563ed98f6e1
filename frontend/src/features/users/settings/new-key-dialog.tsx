import { Button, Modal, Radio, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiKeyInSchema } from '@/api/schemas.gen'
import { Scope, type NewApiKeyOut } from '@/api/types.gen'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { CopyArea } from '@/components/copy-area'
import { FormErrors } from '@/components/form-errors'
import { PasswordField } from '@/components/password-field'
import { useFormProblem } from '@/components/use-form-problem'
import { useCreateApiKey } from './api'

/** The choices of days until a key expires. */
const DAYS = ApiKeyInSchema.properties.days.anyOf[0].enum
const NEVER = 'never'

interface NewKeyDialogProps {
  opened: boolean
  onClose: () => void
}

export function NewKeyDialog({ opened, onClose }: NewKeyDialogProps) {
  const { t } = useTranslation(['common', 'settings', 'socialAccounts'])
  const [apiKey, setApiKey] = useState<NewApiKeyOut>()
  const leave = () => {
    onClose()
    setApiKey(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={t(apiKey ? 'settings:keyReadyTitle' : 'socialAccounts:newKey')}
      closeOnClickOutside={!apiKey}
      closeOnEscape={!apiKey}
      withCloseButton={!apiKey}
    >
      {apiKey ? <NewKey apiKey={apiKey} onDone={leave} /> : <NewKeyForm onCreated={setApiKey} onCancel={leave} />}
    </Modal>
  )
}

function NewKeyForm({ onCreated, onCancel }: { onCreated: (apiKey: NewApiKeyOut) => void; onCancel: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const create = useCreateApiKey()
  const form = useForm<{ name: string; scope: Scope; ends: string; current_password: string }>({
    initialValues: { name: '', scope: Scope.READ, ends: '365', current_password: '' },
    validate: {
      name: isNotEmpty(t('validation.name')),
      current_password: isNotEmpty(t('settings:passwordRequired')),
    },
  })
  const problem = useFormProblem(form, { password_wrong: 'current_password' })
  const submit = form.onSubmit(
    ({ ends, ...values }) => {
      problem.clear()
      const body = { ...values, days: DAYS.find((days) => String(days) === ends) ?? null }
      create.mutate({ body }, { onSuccess: onCreated, onError: problem.show })
    },
    (errors) => form.getInputNode(errors.name ? 'name' : 'current_password')?.focus(),
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors message={problem.message} />
      <TextInput
        label={t('settings:keyName')}
        description={t('settings:keyNameHint')}
        maxLength={ApiKeyInSchema.properties.name.maxLength}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label={t('settings:scope')} {...form.getInputProps('scope')}>
        <div className="stack scopes">
          {Object.values(Scope).map((scope) => (
            <Radio
              key={scope}
              value={scope}
              label={t(`settings:${scope}`)}
              description={t(`settings:${scope}Hint`)}
            />
          ))}
        </div>
      </Radio.Group>
      <Radio.Group label={t('settings:keyEnds')} {...form.getInputProps('ends')}>
        <div className="stack scopes">
          {DAYS.map((days) => (
            <Radio key={days} value={String(days)} label={t('settings:keyDays', { count: days })} />
          ))}
          <Radio value={NEVER} label={t('settings:keyNeverEnds')} />
        </div>
      </Radio.Group>
      <PasswordField
        label={t('settings:password')}
        description={t('settings:keyPasswordHint')}
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('settings:createKey')}
        </Button>
      </div>
    </form>
  )
}

function NewKey({ apiKey, onDone }: { apiKey: NewApiKeyOut; onDone: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const code = useRef<HTMLElement>(null)
  const example = `curl -H "Authorization: Bearer ${apiKey.key}" \\\n  ${location.origin}/api/users/me/`
  return (
    <div className="stack">
      <p className="dialog-text">{t('settings:keyOnce')}</p>
      <CopyArea label={t('settings:key', { name: apiKey.name })} value={apiKey.key} />
      <div>
        <div className="field-label">{t('settings:example')}</div>
        <pre className="example" tabIndex={0} aria-label={t('settings:example')}>
          <code ref={code}>{example}</code>
        </pre>
        <CopyButton
          size="xs"
          text={example}
          label={t('copy')}
          onForbidden={() => markAndCopy(code.current)}
        />
      </div>
      <div className="dialog-foot">
        <Button onClick={onDone}>{t('done')}</Button>
      </div>
    </div>
  )
}
