import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { LARGEST } from './api'

/** The whole window takes files, and the clipboard's image when it is pasted outside of a field. */
export function DropAnywhere({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]')
    if (files.length === 0 || typing) return
    event.preventDefault()
    // a screenshot comes without a name of its own
    const name = t('media.pasted', { when: format.dayAndTime(new Date()) })
    onFiles(files.map((file) => (/^image\.\w+$/.test(file.name) ? new File([file], name, { type: file.type }) : file)))
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', listener)
    return () => window.removeEventListener('paste', listener)
  }, [])
  return (
    // for the mouse alone: who has none uses the buttons
    <div aria-hidden>
      <Dropzone.FullScreen className="drop-anywhere" activateOnKeyboard={false} withinPortal={false} onDrop={onFiles}>
        <div className="drop-anywhere-text">
          <IconPhotoPlus size={40} stroke={1.5} />
          <b>{t('media.dropNow')}</b>
          <span>{t('media.limits', { limit: LARGEST })}</span>
        </div>
      </Dropzone.FullScreen>
    </div>
  )
}
