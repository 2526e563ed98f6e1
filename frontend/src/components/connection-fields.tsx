import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { FormFieldOut } from '@/api/types.gen'
import { useTranslation } from '@/i18n/translation'
import { PasswordField } from './password-field'

/** What is typed, by the name of its field. */
export type ConnectionValues = Partial<Record<FormFieldOut['name'], string>>

/** What a form begins with: what is known already, else what the server says is usual. */
export const connectionValues = (fields: readonly FormFieldOut[], known: ConnectionValues = {}): ConnectionValues =>
  Object.fromEntries(fields.map(({ name, initial }) => [name, known[name] ?? initial]))

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
