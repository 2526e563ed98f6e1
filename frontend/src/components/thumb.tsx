import { IconAlignLeft } from '@tabler/icons-react'

/** The first image of what stands in a row, or that it is text alone. */
export function Thumb({ url }: { url: string | undefined }) {
  return url ? (
    <img className="thumb" src={url} alt="" loading="lazy" />
  ) : (
    <span className="thumb" aria-hidden="true">
      <IconAlignLeft size={18} stroke={1.7} />
    </span>
  )
}
