import { useEffect, useEffectEvent, useRef } from 'react'
import { DropAnywhere } from '../media/drop-anywhere'
import { UploadList } from '../media/upload-list'
import type { Uploads } from '../media/use-uploads'

interface DroppedImagesProps {
  queue: Uploads['queue']
  uploads: Uploads['uploads']
  onImage: (imageId: string) => void
}

/** Files that are dropped or pasted anywhere on the page become images of the post. */
export function DroppedImages({ queue, uploads, onImage }: DroppedImagesProps) {
  const taken = useRef(new Set<string>())
  const arrived = useEffectEvent(onImage)
  useEffect(() => {
    for (const { image } of uploads) {
      if (!image || taken.current.has(image.id)) continue
      taken.current.add(image.id)
      arrived(image.id)
    }
  }, [uploads])
  return (
    <>
      <DropAnywhere onFiles={(files) => queue.add(files)} />
      <UploadList uploads={uploads} queue={queue} />
    </>
  )
}
