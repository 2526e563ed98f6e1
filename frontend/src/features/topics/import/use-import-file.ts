import { useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { TopicImportInSchema } from '@/api/schemas.gen'
import { decodeAs, decodeTextFile, type Encoding } from '@/lib/text-file'

const LONGEST = TopicImportInSchema.properties.text.maxLength

const withLineFeeds = (text: string) => text.replace(/\r\n?/gu, '\n')

interface Options {
  /** Called with the text of the file. */
  onText: (text: string) => void
  /** Called with the name of the file, without its ending. */
  onName: (name: string) => void
}

/** Return what reads a text file of topics. If its encoding is a guess, another one can be chosen. */
export function useImportFile({ onText, onName }: Options) {
  const { t } = useTranslation(['common', 'topics'])
  const [problem, setProblem] = useState<string>()
  // the bytes of the file, as long as nobody has changed its text
  const [guessed, setGuessed] = useState<{ bytes: Uint8Array; encoding: Encoding }>()

  const forget = () => {
    setGuessed(undefined)
    setProblem(undefined)
  }
  const read = async (file: File | null | undefined) => {
    if (!file) return
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const decoded = decodeTextFile(bytes)
      const content = withLineFeeds(decoded.text)
      if (content.length > LONGEST) {
        setProblem(t('topics:fileTooLong', { limit: LONGEST }))
        return
      }
      if (content.includes('\0')) {
        setProblem(t('topics:fileFailed'))
        return
      }
      forget()
      onText(content)
      if (decoded.guessed) setGuessed({ bytes, encoding: decoded.guessed })
      onName(file.name.replace(/\.(txt|md)$/iu, ''))
    } catch (error) {
      console.info('The chosen file could not be read.', error)
      setProblem(t('topics:fileFailed'))
    }
  }
  const readAs = (encoding: Encoding) => {
    if (!guessed) return
    forget()
    onText(withLineFeeds(decodeAs(guessed.bytes, encoding)))
    setGuessed({ ...guessed, encoding })
  }
  return { problem, guessedEncoding: guessed?.encoding, read, readAs, forget }
}

/** Return the handlers for a file that is dropped on an element, and whether one is held over it. */
export function useFileDrop(onFile: (file: File | undefined) => void) {
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const handlers = {
    onDragEnter: (event: DragEvent) => hasFiles(event) && setOver(true),
    onDragOver: (event: DragEvent) => {
      // without this the browser opens the file
      if (hasFiles(event)) event.preventDefault()
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      onFile(event.dataTransfer.files[0])
    },
  }
  return { isOver, handlers }
}
