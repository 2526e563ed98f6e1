import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton, markAndCopy } from './copy-button'

interface CopyFieldProps {
  label: string
  value: string
  description?: string
}

/** A read-only text to copy, selected on focus. */
export function CopyField({ label, value, description }: CopyFieldProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="copy-field">
      <TextInput
        ref={input}
        readOnly
        label={label}
        description={description}
        classNames={{ input: 'mono' }}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} label={t('copy')} onForbidden={() => markAndCopy(input.current)} />
    </div>
  )
}
