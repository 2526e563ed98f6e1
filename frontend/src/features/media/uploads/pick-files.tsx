import { FileButton } from '@mantine/core'
import { useRef, type ReactNode } from 'react'

/** The accepted media types; the server checks the files' contents, not their names. */
const KINDS = 'image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,image/avif,.heic,.heif,.avif'

interface PickFilesProps {
  onFiles: (files: File[]) => void
  /** Whether to take a photo instead of choosing files. */
  camera?: boolean
  multiple?: boolean
  children: (open: () => void) => ReactNode
}

export function PickFiles({ onFiles, camera = false, multiple = true, children }: PickFilesProps) {
  const reset = useRef<() => void>(null)
  const take = (picked: File[] | File | null) => {
    const files = Array.isArray(picked) ? picked : picked ? [picked] : []
    if (files.length > 0) onFiles(files)
    // so that the same file can be chosen again
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
