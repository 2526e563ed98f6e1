import { EditorView } from '@codemirror/view'
import { act, render, screen } from '@testing-library/react'
import { createRef, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { startServer } from '@/test/server'
import { bold, image } from './markdown-edits'
import { MarkdownEditor } from './markdown-editor'
import type { Caret, TextHandle } from './text-handle'

startServer()

let show: (text: string) => void

function open(text: string, at?: Caret) {
  const onChange = vi.fn<(text: string) => void>()
  const handle = createRef<TextHandle>()
  const caret = { current: at }
  function Page() {
    const [value, setValue] = useState(text)
    show = setValue
    return (
      <MarkdownEditor
        ref={handle}
        value={value}
        onChange={(next) => {
          onChange(next)
          setValue(next)
        }}
        label="Text"
        placeholder="Write here"
        describedBy="hint"
        isWrong={false}
        isBusy={false}
        language="de"
        keys={{ b: bold('bold') }}
        caret={caret}
      />
    )
  }
  render(<Page />)
  const field = screen.getByRole('textbox', { name: 'Text' })
  const view = EditorView.findFromDOM(field) as EditorView
  return { onChange, handle, view, field }
}

test('has a name, is read in its language, and takes what is typed', () => {
  const { onChange, view, field } = open('Rain')
  expect(field).toHaveAttribute('aria-multiline', 'true')
  expect(field).toHaveAttribute('lang', 'de')
  expect(field).toHaveAttribute('aria-describedby', 'hint')
  act(() => view.dispatch({ changes: { from: 4, insert: ' helps' }, userEvent: 'input.type' }))
  expect(onChange).toHaveBeenLastCalledWith('Rain helps')
})

test('begins where the caret was in the field before it', () => {
  const { view } = open('Rain helps', [5, 10])
  expect([view.state.selection.main.from, view.state.selection.main.to]).toEqual([5, 10])
  expect(document.activeElement).toBe(view.contentDOM)
})

test('a tool changes what is selected, and undo takes that back', () => {
  const { onChange, handle, view } = open('Rain helps', [5, 10])
  act(() => handle.current?.edit(bold('bold')))
  expect(onChange).toHaveBeenLastCalledWith('Rain **helps**')
  expect(view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to)).toBe('helps')
  act(() => handle.current?.undo())
  expect(onChange).toHaveBeenLastCalledWith('Rain helps')
  act(() => handle.current?.redo())
  expect(onChange).toHaveBeenLastCalledWith('Rain **helps**')
})

test('what a writer has put is one step to undo, and how it came leaves no trace', () => {
  const { onChange, handle, view } = open('## When', [7, 7])
  act(() => view.dispatch({ changes: { from: 7, insert: 'ever' }, userEvent: 'input.type' }))
  const base = '## Whenever'
  for (const text of ['Be', 'Below', 'Below seven.']) act(() => handle.current?.replace(`${base}\n\n${text}`, false))
  act(() => handle.current?.replace(base, false))
  act(() => handle.current?.replace(`${base}\n\nBelow seven.`, true))
  expect(onChange).toHaveBeenLastCalledWith('## Whenever\n\nBelow seven.')
  act(() => handle.current?.undo())
  expect(onChange).toHaveBeenLastCalledWith(base)
  act(() => handle.current?.undo())
  expect(onChange).toHaveBeenLastCalledWith('## When')
  act(() => handle.current?.redo())
  act(() => handle.current?.redo())
  expect(view.state.doc.toString()).toBe('## Whenever\n\nBelow seven.')
})

test('a letter pressed with Ctrl does what its tool does', () => {
  const { onChange, field } = open('Rain helps', [5, 10])
  act(() => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', code: 'KeyB', keyCode: 66, ctrlKey: true, bubbles: true, cancelable: true })))
  expect(onChange).toHaveBeenLastCalledWith('Rain **helps**')
})

test('what was changed elsewhere is shown, and the caret stays at its word', () => {
  const { onChange, view } = open('Rain helps', [10, 10])
  act(() => show('Cold rain helps'))
  expect(view.state.doc.toString()).toBe('Cold rain helps')
  expect(view.state.selection.main.head).toBe(15)
  expect(onChange).not.toHaveBeenCalledWith('Rain helps')
})

test('an image comes where the caret is', () => {
  const { onChange, handle } = open('Rain', [4, 4])
  act(() => handle.current?.edit(image('one', 'A street')))
  expect(onChange).toHaveBeenLastCalledWith('Rain\n\n![A street](media:one)')
})
