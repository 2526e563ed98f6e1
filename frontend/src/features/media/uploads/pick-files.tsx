import { FileButton } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import type { MediaKind } from '@/api/types.gen'
import { accepted } from '@/features/media/file-kinds'

interface PickFilesProps {
  kinds: readonly MediaKind[]
  onFiles: (files: File[]) => void
  /** Whether to take a photo instead of choosing files. */
  camera?: boolean
  multiple?: boolean
  children: (open: () => void) => ReactNode
}

export function PickFiles({ kinds, onFiles, camera = false, multiple = true, children }: PickFilesProps) {
  const reset = useRef<() => void>(null)
  const take = (picked: File[] | File | null) => {
    const files = Array.isArray(picked) ? picked : picked ? [picked] : []
    if (files.length > 0) onFiles(files)
    // so that the same file can be chosen again
    reset.current?.()
  }
  return (
    <FileButton
      accept={camera ? 'image/*' : accepted(kinds)}
      capture={camera ? 'environment' : undefined}
      multiple={multiple && !camera}
      resetRef={reset}
      onChange={take}
    >
      {({ onClick }) => children(onClick)}
    </FileButton>
  )
}
