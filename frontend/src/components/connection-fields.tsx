import { TextInput, type TextInputProps } from '@mantine/core'
import { useRef } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import type { FormFieldOut } from '@/api/types.gen'
import { useTranslation } from '@/i18n/translation'
import { CopyButton, markAndCopy } from './copy-button'
import { PasswordField } from './password-field'

/** What is typed, by the name of its field. */
export type ConnectionValues = Partial<Record<FormFieldOut['name'], string>>

/** What a form begins with: what is known already, else what the server says is usual, or a secret that is new. */
export const connectionValues = (fields: readonly FormFieldOut[], known: ConnectionValues = {}): ConnectionValues =>
  Object.fromEntries(
    fields.map(({ name, kind, initial }) => [name, kind === 'new_secret' ? newSecret() : (known[name] ?? initial)]),
  )

const SECRET_BYTES = 32

/** As Standard Webhooks writes them. */
function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

interface ConnectionFieldsProps<Values extends { fields: ConnectionValues }> {
  fields: readonly FormFieldOut[]
  known?: ConnectionValues
  form: UseFormReturnType<Values>
}

/** What has to be entered to connect something, as the server describes it. */
export function ConnectionFields<Values extends { fields: ConnectionValues }>({ fields, known = {}, form }: ConnectionFieldsProps<Values>) {
  const { t } = useTranslation()
  const first = fields.find(({ name }) => known[name] === undefined) ?? fields[0]
  return fields.map(({ name, kind, example, max_length }) => {
    const input = {
      label: t(`accounts.field.${name}`),
      description: t(`accounts.fieldHelp.${name}`),
      placeholder: example,
      maxLength: max_length,
      'data-autofocus': name === first?.name || undefined,
      ...form.getInputProps(`fields.${name}`),
    }
    if (kind === 'new_secret') return <SecretField key={name} {...input} />
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
  })
}

/** A secret that is made here and goes somewhere else before this form is sent. */
function SecretField({ value, ...input }: TextInputProps & { value?: string }) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  return (
    <TextInput
      ref={field}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'mono' }}
      inputContainer={(typed) => (
        <div className="copy-line">
          {typed}
          <CopyButton text={value ?? ''} label={t('common.copy')} onForbidden={() => markAndCopy(field.current)} />
        </div>
      )}
      value={value}
      {...input}
    />
  )
}
