import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { exportMyData } from '@/api/sdk.gen'
import { toProblem } from '@/lib/problems'
import { fileNameOf, saveFile } from '@/lib/save-file'

const FALLBACK_NAME = 'postloom.zip'

/** Return what downloads the file with the token, which a plain link could not send, and the received bytes. */
export function useExport() {
  const [received, setReceived] = useState(0) // bytes
  const stop = useRef<AbortController>(null)
  const run = useMutation({
    mutationFn: async () => {
      setReceived(0)
      stop.current = new AbortController()
      const { data, response } = await exportMyData({ parseAs: 'stream', signal: stop.current.signal })
      const name = fileNameOf(response) ?? FALLBACK_NAME
      saveFile(await collect(data as unknown as ReadableStream<Uint8Array<ArrayBuffer>>, setReceived), name)
      return name
    },
  })
  const cancel = () => {
    stop.current?.abort()
    run.reset()
  }
  return { run, received, cancel }
}

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onReceived: (bytes: number) => void,
): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = stream.getReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value)
      bytes += piece.value.byteLength
      onReceived(bytes)
    }
  } catch (error) {
    // interrupted: the client has handed over the stream, so it can't turn the error into a problem
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw toProblem(error)
  }
  return new Blob(pieces, { type: 'application/zip' })
}
