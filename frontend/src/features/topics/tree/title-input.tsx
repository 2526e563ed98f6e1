import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { TopicAddSchema } from '@/api/schemas.gen'

/** What to do once the title is there. */
export type Then = 'nothing' | 'sibling' | 'child'

interface TitleInputProps {
  title: string
  /** Not called for a title that is empty or as before: that is `onCancel`. */
  onDone: (title: string, then: Then) => void
  onCancel: () => void
  /** Its row goes while it is typed in: another tab has deleted the topic, or a person goes to another page. */
  onTakenAway: (title: string) => void
}

/** A topic's title, edited in its row. Enter and leaving it take what was typed, Escape doesn't. */
export function TitleInput({ title, onDone, onCancel, onTakenAway }: TitleInputProps) {
  const { t } = useTranslation(['common', 'topics'])
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(title)
  const over = useRef(false)
  const leave = useEffectEvent(() => {
    const typed = text.trim()
    if (!over.current && typed && typed !== title) onTakenAway(typed)
  })
  useEffect(() => {
    over.current = false
    input.current?.focus()
    input.current?.select()
    return () => leave()
  }, [])

  const finish = (then: Then) => {
    if (over.current) return
    over.current = true
    const typed = text.trim()
    if (typed && (typed !== title || then !== 'nothing')) onDone(typed, then)
    else onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // the tree has keys of its own
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const then = event.shiftKey ? 'child' : 'sibling'
      finish(event.ctrlKey || event.metaKey ? then : 'nothing')
    }
    if (event.key === 'Escape') {
      event.preventDefault()
      over.current = true
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
