import { useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { useHasUploads, useIsUploading } from '@/lib/running-uploads'

const UploadsQuestion = lazyPart(async () => (await import('./uploads-question')).UploadsQuestion)

/** The question before uploads are given up, once for all parts of a page: a router asks for one of them alone. */
export function UploadsGuard() {
  const busy = useIsUploading()
  const needed = useHasUploads()
  const [used, setUsed] = useState(false)
  // loaded before an upload begins, and kept, since uploads may end while it is asked
  if (needed && !used) setUsed(true)
  return used && <UploadsQuestion busy={busy} />
}
