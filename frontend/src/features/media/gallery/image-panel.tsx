import { CloseButton, Drawer, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ImageDetails } from './image-details'

interface ImagePanelProps {
  /** Empty if no image is open. */
  imageId: string
  /** Whether it is shown beside the grid, else in a drawer over it. */
  isWide: boolean
  /** Whether the user opened it, so that it gets the focus. */
  takesFocus: boolean
  onClose: () => void
}

export function ImagePanel({ imageId, isWide, takesFocus, onClose }: ImagePanelProps) {
  const { t } = useTranslation(['common', 'media'])
  if (isWide) return imageId && <ImageAside {...{ imageId, takesFocus, onClose }} />
  return (
    <Drawer opened={imageId !== ''} onClose={onClose} position="right" size={460} title={t('media:details')}>
      <div className="detail-body">{imageId && <ImageDetails imageId={imageId} onClose={onClose} />}</div>
    </Drawer>
  )
}

function ImageAside({ imageId, takesFocus, onClose }: Omit<ImagePanelProps, 'isWide'>) {
  const { t } = useTranslation(['common', 'media'])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true })
  }, [imageId, takesFocus])
  return (
    <aside
      className="panel media-aside"
      aria-label={t('media:details')}
      onKeyDown={(event) => {
        // a field's own list closes first
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <div className="panel-head">
        <Title order={2} className="panel-title" ref={heading} tabIndex={-1}>
          {t('media:details')}
        </Title>
        <CloseButton aria-label={t('media:closeDetails')} onClick={onClose} />
      </div>
      <div className="panel-body detail-body">
        <ImageDetails imageId={imageId} onClose={onClose} />
      </div>
    </aside>
  )
}
