import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { useFormat } from '@/i18n/use-format'
import { meQuery } from './api'
import { saveFile } from '@/lib/save-file'

/** The recovery codes. They are shown once, so the dialog closes only by its button. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const format = useFormat()
  const { data: me } = useQuery(meQuery)
  const list = useRef<HTMLUListElement>(null)
  const lines = codes.join('\n')
  const download = () => {
    const head = [
      t('settings:codesFile', { email: me?.email ?? '' }),
      t('settings:codesFileHint', { day: format.dayAndTime(new Date()) }),
    ]
    saveFile(new Blob([[...head, '', lines, ''].join('\n')], { type: 'text/plain' }), 'postloom-recovery-codes.txt')
  }
  return (
    <div className="stack">
      <p className="dialog-text">{t('settings:codesText')}</p>
      <ul className="codes" ref={list} aria-label={t('settings:codesTitle')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="codes-actions">
        <CopyButton text={lines} label={t('settings:copyCodes')} onForbidden={() => markAndCopy(list.current)} />
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} onClick={download}>
          {t('settings:downloadCodes')}
        </Button>
      </div>
      <div className="dialog-foot">
        <Button onClick={onDone}>{t('settings:codesKept')}</Button>
      </div>
    </div>
  )
}
