import { useEffect, useEffectEvent, useRef } from 'react'
import type { MediaOut } from '@/api/types.gen'
import { IMAGES_ONLY } from '@/features/media/file-kinds'
import { DropAnywhere } from '@/features/media/uploads/drop-anywhere'
import { UploadList } from '@/features/media/uploads/upload-list'
import { useUploads } from '@/features/media/uploads/use-uploads'

interface ArticleUploadsProps {
  /** The selector of the field in which pasted images belong to the text. */
  within: string
  onImage: (image: MediaOut) => void
}

/** Upload images that are dropped on the page or pasted, also into the text. */
export function ArticleUploads({ within, onImage }: ArticleUploadsProps) {
  const { queue, uploads } = useUploads(IMAGES_ONLY)
  const insertedIds = useRef(new Set<string>())
  const insertImage = useEffectEvent(onImage)
  useEffect(() => {
    for (const { image } of uploads) {
      if (!image || insertedIds.current.has(image.id)) continue
      insertedIds.current.add(image.id)
      insertImage(image)
    }
  }, [uploads])
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    // outside of a field the whole page takes it
    if (files.length === 0 || !(event.target instanceof Element) || !event.target.closest(within)) return
    event.preventDefault()
    // the editor would take it for text
    event.stopPropagation()
    queue.add(files)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', listener, { capture: true })
    return () => window.removeEventListener('paste', listener, { capture: true })
  }, [])
  return (
    <>
      <DropAnywhere kinds={IMAGES_ONLY} onFiles={(files) => queue.add(files)} />
      <UploadList uploads={uploads} queue={queue} />
    </>
  )
}
