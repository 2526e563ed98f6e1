import { IconAlignLeft, IconFileText, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { FileOut, FirstFileOut } from '@/api/types.gen'
import './files.css'

/** The marks of files that are no images. */
const MARKS = { document: IconFileText, video: IconPlayerPlayFilled }

interface ThumbProps {
  file: (FirstFileOut & Partial<Pick<FileOut, 'cover_url'>>) | undefined
  /** Sets its size. */
  className?: string
}

/** The first file of a row's object, with a mark on documents and videos, or an icon for text without files. */
export function Thumb({ file, className = 'thumb' }: ThumbProps) {
  if (!file)
    return (
      <span className={className} aria-hidden="true">
        <IconAlignLeft size={18} stroke={1.7} />
      </span>
    )
  const picture = { src: file.cover_url ?? file.thumbnail_url, alt: '', loading: 'lazy', draggable: false } as const
  if (file.kind === 'image') return <img className={className} {...picture} />
  const Mark = MARKS[file.kind]
  return (
    <span className={`${className} thumb-marked`} aria-hidden="true">
      <img {...picture} />
      <span>
        <Mark size={13} />
      </span>
    </span>
  )
}
