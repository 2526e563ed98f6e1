import { IconPhotoOff } from '@tabler/icons-react'
import { useState, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaOut } from '@/api/types.gen'

type Shown = Pick<MediaOut, 'url' | 'thumbnail_url' | 'alt' | 'width' | 'height'>

interface PictureProps {
  image: Shown
  /** In full size instead of the small one. */
  full?: boolean
  /** Where a name beside it says all. */
  decorative?: boolean
}

/** Keeps its place while it loads, and says so when it cannot be had. */
export function Picture({ image, full = false, decorative = false }: PictureProps) {
  const { t } = useTranslation(['common', 'media'])
  const [missing, setMissing] = useState<string>()
  const [loaded, setLoaded] = useState<string>()
  const address = full ? image.url : image.thumbnail_url
  if (missing === address)
    return (
      <span className="picture-missing">
        <IconPhotoOff size={20} stroke={1.6} aria-hidden />
        {t('media:pictureMissing')}
      </span>
    )
  return (
    <img
      src={address}
      alt={decorative ? '' : image.alt}
      width={image.width}
      height={image.height}
      loading={full ? 'eager' : 'lazy'}
      decoding="async"
      draggable={false}
      style={full ? largeStyle(image, loaded === address) : undefined}
      onLoad={() => setLoaded(address)}
      onError={() => setMissing(address)}
    />
  )
}

/** Its shape, known before it is there; meanwhile the small one, which is there already, stands in for it. */
function largeStyle({ width, height, thumbnail_url }: Shown, loaded: boolean): CSSProperties {
  const shape = { '--ratio': width / height, maxWidth: width } as CSSProperties
  return loaded ? shape : { ...shape, background: `center / 100% 100% url("${thumbnail_url}")` }
}
