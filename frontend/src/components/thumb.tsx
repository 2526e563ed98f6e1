import { IconAlignLeft, IconFileText, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { FileOut } from '@/api/types.gen'
import './files.css'

/** The marks of files that are no images. */
export const MARKS = { document: IconFileText, video: IconPlayerPlayFilled }

/** The first file of a row's object, with a mark on documents and videos, or an icon for text without files. */
export function Thumb({ file }: { file: Pick<FileOut, 'kind' | 'thumbnail_url' | 'cover_url'> | undefined }) {
  if (!file)
    return (
      <span className="thumb" aria-hidden="true">
        <IconAlignLeft size={18} stroke={1.7} />
      </span>
    )
  const picture = file.cover_url ?? file.thumbnail_url
  if (file.kind === 'image') return <ThumbPicture url={picture} />
  const Mark = MARKS[file.kind]
  return (
    <span className="thumb thumb-marked" aria-hidden="true">
      <img src={picture} alt="" loading="lazy" />
      <span>
        <Mark size={13} />
      </span>
    </span>
  )
}

export function ThumbPicture({ url }: { url: string }) {
  return <img className="thumb" src={url} alt="" loading="lazy" />
}
