import { Textarea } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton, markAndCopy } from './copy-button'

/** A `CopyField` for texts to read: wraps lines and shows all of the text. */
export function CopyArea({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const input = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="copy-field">
      <Textarea
        ref={input}
        readOnly
        autosize
        minRows={1}
        label={label}
        classNames={{ input: 'mono anywhere' }}
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} label={t('copy')} onForbidden={() => markAndCopy(input.current)} />
    </div>
  )
}
