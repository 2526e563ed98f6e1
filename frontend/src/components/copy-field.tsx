import { Textarea, TextInput } from '@mantine/core'
import { useRef, type FocusEvent } from 'react'
import { useTranslation } from '@/i18n/translation'
import { CopyButton, markAndCopy } from './copy-button'

interface CopyFieldProps {
  label: string
  value: string
  description?: string
  /** All of it has to be seen, since it may be typed elsewhere: it goes on in the next line. */
  whole?: boolean
}

/** Something to take away: all of it is marked as soon as it has the focus. */
export function CopyField({ label, value, description, whole = false }: CopyFieldProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const Field = whole ? Textarea : TextInput
  return (
    <div className="copy-field">
      <Field
        ref={input}
        readOnly
        {...(whole && { autosize: true, minRows: 1 })}
        label={label}
        description={description}
        classNames={{ input: whole ? 'mono anywhere' : 'mono' }}
        value={value}
        onFocus={(event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.currentTarget.select()}
      />
      <CopyButton text={value} label={t('common.copy')} onForbidden={() => markAndCopy(input.current)} />
    </div>
  )
}
