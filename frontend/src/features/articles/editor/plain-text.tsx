import { useImperativeHandle, useLayoutEffect, useRef, type KeyboardEvent, type Ref } from 'react'
import type { MakeEdit } from './markdown-edits'
import type { TextFieldProps, TextHandle } from './text-handle'

/** The text field used until the editor is loaded, or if it can't be loaded. */
export function PlainText({ value, onChange, label, placeholder, describedBy, isWrong, isBusy, language, keys, caret, ref }: TextFieldProps & { ref: Ref<TextHandle> }) {
  const area = useRef<HTMLTextAreaElement>(null)
  const edit = (make: MakeEdit) => {
    const field = area.current
    if (!field || field.readOnly) return
    const { from, to, insert, select } = make(field.value, field.selectionStart, field.selectionEnd)
    field.focus()
    field.setSelectionRange(from, to)
    // as if typed by hand, so that the browser's own undo takes it back
    const typed = typeof document.execCommand === 'function' && document.execCommand('insertText', false, insert)
    if (!typed) onChange(field.value.slice(0, from) + insert + field.value.slice(to))
    // after the new text is in the field
    requestAnimationFrame(() => field.setSelectionRange(...select))
  }
  useImperativeHandle(ref, () => ({
    edit,
    undo: () => {
      area.current?.focus()
      document.execCommand('undo')
    },
    redo: () => {
      area.current?.focus()
      document.execCommand('redo')
    },
    // the browser's undo ends with it, and that of the page is offered
    replace: onChange,
    selected: () => [area.current?.selectionStart ?? 0, area.current?.selectionEnd ?? 0],
  }))
  useLayoutEffect(() => {
    const field = area.current
    return () => {
      if (field && document.activeElement === field) caret.current = [field.selectionStart, field.selectionEnd]
    }
  }, [caret])
  const onKeyDown = (event: KeyboardEvent) => {
    const make = keys[event.key.toLowerCase()]
    if (!make || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    edit(make)
  }
  return (
    <textarea
      ref={area}
      className="article-plain"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={isWrong || undefined}
      aria-busy={isBusy || undefined}
      readOnly={isBusy}
      placeholder={placeholder}
      lang={language}
      spellCheck
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
