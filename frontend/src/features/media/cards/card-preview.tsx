import { useEffect, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardPreviewOut } from '@/api/types.gen'
import { CardNotes } from '@/components/card-notes'

type Picture = Pick<CardPreviewOut, 'image' | 'mime' | 'width' | 'height' | 'notes'>

interface CardPreviewProps {
  preview?: Picture
  /** What is missing or why there is no picture, shown instead of one. */
  message?: string
  alt: string
  /** Whether a newer picture is loading. */
  updating: boolean
  pictureRef: RefObject<HTMLImageElement | null>
}

/** The card rendered by the server. The last picture stays until the next one is loaded. */
export function CardPreview({ preview, message, alt, updating, pictureRef }: CardPreviewProps) {
  const shown = message ? undefined : preview
  return (
    <div className="card-stage" aria-busy={updating}>
      {message && <p className="card-stage-text">{message}</p>}
      {shown && <Drawn preview={shown} alt={alt} updating={updating} pictureRef={pictureRef} />}
      <div role="status">
        {shown && <CardNotes notes={shown.notes} />}
      </div>
    </div>
  )
}

function Drawn({ preview, alt, updating, pictureRef }: Omit<CardPreviewProps, 'preview' | 'message'> & { preview: Picture }) {
  const { t } = useTranslation(['common', 'cards'])
  const { width, height } = preview
  useEffect(() => {
    if (!pictureRef.current) return
    const address = URL.createObjectURL(blobOf(preview))
    pictureRef.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [preview, pictureRef])
  return (
    <>
      <img ref={pictureRef} alt={alt} width={width} height={height} data-updating={updating || undefined} />
      <p className="card-stage-size num">{t('cards:stageSize', { width, height })}</p>
    </>
  )
}

function blobOf({ image, mime }: Picture): Blob {
  const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type: mime })
}
