import { notifications } from '@mantine/notifications'
import type { TFunction } from 'i18next'
import { useRef } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { problemText, toProblem } from '@/lib/problems'

const CopyLost = lazyPart(async () => (await import('./copy-lost')).CopyLost)

interface LostText {
  title: string
  /** The sentence before the text. */
  message: string
  text: string
  copy: string
}

/** Show a typed text whose field no longer exists until the user closes it, so that the text can be copied. */
export function showLost(text: LostText): void {
  notifications.show({ color: 'orange', title: text.title, message: <Lost {...text} />, autoClose: false })
}

/** Show why the server refused a change of the tree. */
export function showRefusal(t: TFunction<['common', 'errors']>, title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: problemText(t, toProblem(error)), autoClose: 12_000 })
}

function Lost({ message, text, copy }: LostText) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <div className="lost-text">
      {message}
      <div ref={box} tabIndex={0}>
        {text}
      </div>
      <CopyLost text={text} label={copy} box={box} />
    </div>
  )
}
