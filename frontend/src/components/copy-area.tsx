import { Textarea } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton, markAndCopy } from './copy-button'

/** Like a `CopyField`, of something that may have to be read: it goes on in the next line, all of it is seen. */
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
