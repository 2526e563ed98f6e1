import { FileButton } from '@mantine/core'
import { useRef, type ReactNode } from 'react'

/** Of what the server takes; it looks at the files themselves, whatever their names say. */
const KINDS = 'image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,image/avif,.heic,.heif,.avif'

interface PickFilesProps {
  onFiles: (files: File[]) => void
  /** A new photo instead of files that are there. */
  camera?: boolean
  multiple?: boolean
  children: (open: () => void) => ReactNode
}

export function PickFiles({ onFiles, camera = false, multiple = true, children }: PickFilesProps) {
  const reset = useRef<() => void>(null)
  const take = (picked: File[] | File | null) => {
    const files = Array.isArray(picked) ? picked : picked ? [picked] : []
    if (files.length > 0) onFiles(files)
    // else the same file could not be chosen twice
    reset.current?.()
  }
  return (
    <FileButton
      accept={camera ? 'image/*' : KINDS}
      capture={camera ? 'environment' : undefined}
      multiple={multiple && !camera}
      resetRef={reset}
      onChange={take}
    >
      {({ onClick }) => children(onClick)}
    </FileButton>
  )
}
