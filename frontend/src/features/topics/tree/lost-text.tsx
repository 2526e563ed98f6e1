import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { CopyButton, markAndCopy } from '@/components/copy-button'

interface LostText {
  title: string
  /** In front of the text. */
  message: string
  text: string
  copy: string
}

/** What was typed and has no place any more: it stays on the screen, to be copied, until a person closes it. */
export function showLost(lost: LostText): void {
  notifications.show({ color: 'orange', title: lost.title, message: <Lost {...lost} />, autoClose: false })
}

function Lost({ message, text, copy }: LostText) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <div className="lost-text">
      {message}
      <div ref={box} tabIndex={0}>
        {text}
      </div>
      <CopyButton text={text} label={copy} size="compact-sm" onForbidden={() => markAndCopy(box.current)} />
    </div>
  )
}
