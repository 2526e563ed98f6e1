import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LARGEST } from '@/features/media/api'

/** A drop zone over the window while files are dragged, for the mouse only; keyboards use the buttons. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['common', 'media'])
  return (
    <Dropzone.FullScreen className="drop-anywhere" activateOnKeyboard={false} withinPortal={false} onDrop={onFiles}>
      <div className="drop-anywhere-text">
        <IconPhotoPlus size={40} stroke={1.5} />
        <b>{t('media:dropNow')}</b>
        <span>{t('media:limits', { limit: LARGEST })}</span>
      </div>
    </Dropzone.FullScreen>
  )
}
