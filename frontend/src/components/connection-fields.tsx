import { TextInput, type TextInputProps } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { FormFieldOut } from '@/api/types.gen'
import { CopyButton, markAndCopy } from './copy-button'
import { PasswordField } from './password-field'

/** Typed values by field name. */
export type ConnectionValues = Partial<Record<FormFieldOut['name'], string>>

/** Return the initial values: known ones, else the server's defaults; for `new_secret` a new secret. */
export const connectionValues = (fields: readonly FormFieldOut[], initialValues: ConnectionValues = {}): ConnectionValues =>
  Object.fromEntries(
    fields.map(({ name, kind, initial }) => [name, kind === 'new_secret' ? newSecret() : (initialValues[name] ?? initial)]),
  )

const SECRET_BYTES = 32

/** Return a secret in the format of Standard Webhooks. */
function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

type Name = FormFieldOut['name']

interface ConnectionFieldsProps<Values extends { fields: ConnectionValues }> {
  /** The kind of channel: some have other names for a field. */
  kind: string
  fields: readonly FormFieldOut[]
  initialValues?: ConnectionValues
  form: UseFormReturnType<Values>
  /** The read-only field. */
  fixed?: Name
  /** Replaces the help text of a field. */
  help?: Partial<Record<Name, ReactNode>>
}

/** The fields needed to connect an account or website, as the server describes them. */
export function ConnectionFields<Values extends { fields: ConnectionValues }>({ kind: of, fields, initialValues = {}, form, fixed, help = {} }: ConnectionFieldsProps<Values>) {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const first = fields.find(({ name }) => initialValues[name] === undefined) ?? fields[0]
  // the keys are made from what the server sent, so they can't be checked against the texts
  const labelOf = (name: Name) => t([`socialAccounts:fieldOf.${of}.${name}`, `socialAccounts:field.${name}`] as 'socialAccounts:field.host'[])
  const helpOf = (name: Name) => t([`socialAccounts:fieldHelpOf.${of}.${name}`, `socialAccounts:fieldHelp.${name}`] as 'socialAccounts:fieldHelp.host'[])
  return fields.map(({ name, kind, example, max_length }) => {
    const input = {
      label: labelOf(name),
      description: help[name] ?? helpOf(name),
      placeholder: name in EXAMPLES ? t(`socialAccounts:examples.${name as keyof typeof EXAMPLES}`) : example,
      maxLength: max_length,
      readOnly: name === fixed,
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

/** Fields whose examples are translated. */
const EXAMPLES = { site: true, endpoint: true, site_name: true, address: true } satisfies Partial<Record<Name, true>>

/** A secret that is generated here and copied elsewhere before the form is sent. */
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
          <CopyButton text={value ?? ''} label={t('copy')} onForbidden={() => markAndCopy(field.current)} />
        </div>
      )}
      value={value}
      {...input}
    />
  )
}
