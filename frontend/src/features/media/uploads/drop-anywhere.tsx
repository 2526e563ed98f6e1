import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaKind } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { useFormat } from '@/i18n/use-format'

// nothing is seen of it before something is dragged
const DropZone = lazyPart(async () => (await import('./drop-zone')).DropZone)

/** Upload files dropped on the window, and images pasted outside of fields. */
export function DropAnywhere({ kinds, onFiles }: { kinds: readonly MediaKind[]; onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['common', 'media'])
  const format = useFormat()
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]')
    if (files.length === 0 || typing) return
    event.preventDefault()
    // a pasted screenshot has no file name
    const name = t('media:pasted', { when: format.dayAndTime(new Date()) })
    onFiles(files.map((file) => (/^image\.\w+$/.test(file.name) ? new File([file], name, { type: file.type }) : file)))
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', listener)
    return () => window.removeEventListener('paste', listener)
  }, [])
  return (
    <div aria-hidden>
      <DropZone kinds={kinds} onFiles={onFiles} />
    </div>
  )
}
