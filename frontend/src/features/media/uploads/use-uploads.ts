import { useEffect, useState, useSyncExternalStore } from 'react'
import type { MediaKind } from '@/api/types.gen'
import { sendFile, useImagesChanged } from '@/features/media/api'
import { useRunning } from '@/lib/running-uploads'
import { isOpen, UploadQueue } from './upload-queue'

/** Return the uploads and their queue, which ends when the component is unmounted. Files of other kinds are refused. */
export function useUploads(kinds: readonly MediaKind[]) {
  const changed = useImagesChanged()
  const [queue] = useState(() => new UploadQueue(sendFile(kinds)))
  const uploads = useSyncExternalStore(queue.watch, queue.read)
  const arrived = uploads.filter(({ image }) => image).length
  useEffect(() => {
    if (arrived > 0) void changed()
  }, [arrived, changed])
  useEffect(() => () => queue.cancelAll(), [queue])
  useRunning(queue, uploads.some(isOpen))
  return { queue, uploads }
}

export type Uploads = ReturnType<typeof useUploads>
