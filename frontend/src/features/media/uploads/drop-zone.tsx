import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { MediaKind } from '@/api/types.gen'
import { Limits } from './limits'

/** A drop zone over the window while files are dragged, for the mouse only; keyboards use the buttons. */
export function DropZone({ kinds, onFiles }: { kinds: readonly MediaKind[]; onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['common', 'media'])
  return (
    <Dropzone.FullScreen className="drop-anywhere" activateOnKeyboard={false} withinPortal={false} onDrop={onFiles}>
      <div className="drop-anywhere-text">
        <IconPhotoPlus size={40} stroke={1.5} />
        <b>{t('media:dropNow')}</b>
        <span>
          <Limits kinds={kinds} />
        </span>
      </div>
    </Dropzone.FullScreen>
  )
}
