import { useEffect, useEffectEvent, useRef } from 'react'
import { EVERY_KIND } from '@/features/media/file-kinds'
import { DropAnywhere } from '@/features/media/uploads/drop-anywhere'
import { OwnImagesField } from '@/features/media/pickers/own-images-field'
import { UploadList } from '@/features/media/uploads/upload-list'
import { useUploads } from '@/features/media/uploads/use-uploads'
import type { ImagesProps } from '@/features/posts/composer/use-post-images'

/** Files of a post: from the library, dropped anywhere on the page, or pasted, into the text too. */
export function ComposerImages({ onAdd, ...field }: ImagesProps) {
  const { queue, uploads } = useUploads(EVERY_KIND)
  const addedIds = useRef(new Set<string>())
  const arrived = useEffectEvent(onAdd)
  useEffect(() => {
    for (const { image } of uploads) {
      if (!image || addedIds.current.has(image.id)) continue
      addedIds.current.add(image.id)
      arrived(image.id)
    }
  }, [uploads])
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    // outside of a field the whole page takes it
    if (files.length === 0 || !(event.target instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    queue.add(files)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    window.addEventListener('paste', listener)
    return () => window.removeEventListener('paste', listener)
  }, [])
  return (
    <>
      <OwnImagesField kinds={EVERY_KIND} {...field} />
      <DropAnywhere kinds={EVERY_KIND} onFiles={(files) => queue.add(files)} />
      <UploadList uploads={uploads} queue={queue} />
    </>
  )
}
