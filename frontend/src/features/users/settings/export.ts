import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { exportMyData } from '@/api/sdk.gen'
import { toProblem } from '@/lib/problems'
import { fileNameOf, saveFile } from '@/lib/save-file'

const FALLBACK_NAME = 'postloom.zip'

/** Fetches the file with the token, since a plain link could not carry it, counts what has come, and saves it. */
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
    // broken off on the way: the client, which makes problems of all else, has handed the stream over by then
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw toProblem(error)
  }
  return new Blob(pieces, { type: 'application/zip' })
}
