import { useCallback, useEffect, useEffectEvent, useRef } from 'react'

type Take = (files: File[]) => void

/** The whole page takes files while nothing else does: without that the browser would leave the page for them. */
export function useDroppedFiles(onFiles: Take, wants: () => boolean) {
  const dropped = useEffectEvent(onFiles)
  const wanted = useEffectEvent(wants)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (wanted() && event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (!wanted() || files.length === 0 || event.defaultPrevented) return
      event.preventDefault()
      dropped(files)
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [])
}

/**
 * Keeps what is dropped on a page before the part of it that uploads is there. What this returns hands it over, once; of
 * all that comes later that part takes care itself.
 */
export function useEarlyFiles(): () => File[] {
  const early = useRef<File[] | null>([])
  useDroppedFiles(
    (files) => early.current?.push(...files),
    () => early.current !== null,
  )
  return useCallback(() => {
    const files = early.current ?? []
    early.current = null
    return files
  }, [])
}
