import { IconAlignLeft } from '@tabler/icons-react'

/** The first image of a row's object, or an icon for text without images. */
export function Thumb({ url }: { url: string | undefined }) {
  return url ? (
    <img className="thumb" src={url} alt="" loading="lazy" />
  ) : (
    <span className="thumb" aria-hidden="true">
      <IconAlignLeft size={18} stroke={1.7} />
    </span>
  )
}
