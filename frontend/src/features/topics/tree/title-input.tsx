import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { TopicAddSchema } from '@/api/schemas.gen'

/** What to do after the title is entered. */
export type Then = 'nothing' | 'sibling' | 'child'

export interface TitleInputProps {
  title: string
  /** Called with a new title; for an empty or unchanged one, `onCancel` is called. */
  onDone: (title: string, next: Then) => void
  onCancel: () => void
  /** Called with an unfinished title if the row disappears: the topic is deleted elsewhere, or the page is left. */
  onUnmount: (title: string) => void
}

/** A topic's title, edited in its row. Enter and leaving the input finish it, Escape cancels it. */
export function TitleInput({ title, onDone, onCancel, onUnmount }: TitleInputProps) {
  const { t } = useTranslation(['common', 'topics'])
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(title)
  const finished = useRef(false)
  const leave = useEffectEvent(() => {
    const typed = text.trim()
    if (!finished.current && typed && typed !== title) onUnmount(typed)
  })
  useEffect(() => {
    finished.current = false
    input.current?.focus()
    input.current?.select()
    return () => leave()
  }, [])

  const finish = (next: Then) => {
    if (finished.current) return
    finished.current = true
    const typed = text.trim()
    if (typed && (typed !== title || next !== 'nothing')) onDone(typed, next)
    else onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // the tree handles keys, too
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const next = event.shiftKey ? 'child' : 'sibling'
      finish(event.ctrlKey || event.metaKey ? next : 'nothing')
    }
    if (event.key === 'Escape') {
      event.preventDefault()
      finished.current = true
      onCancel()
    }
  }
  return (
    <input
      ref={input}
      className="tree-input grow"
      aria-label={t('topics:titleOf')}
      placeholder={t('topics:newTitle')}
      maxLength={TopicAddSchema.properties.title.maxLength}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => finish('nothing')}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    />
  )
}
