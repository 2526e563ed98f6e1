import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef, useState } from 'react'
import { expect, test } from 'vitest'
import { bold } from './markdown-edits'
import { PlainText } from './plain-text'
import type { Caret, TextHandle } from './text-handle'

function open(text: string) {
  const handle = createRef<TextHandle>()
  const caret = { current: undefined as Caret | undefined }
  function Page() {
    const [value, setValue] = useState(text)
    return (
      <PlainText
        ref={handle}
        value={value}
        onChange={setValue}
        label="Text"
        placeholder="Write here"
        isWrong={false}
        isBusy={false}
        language="en"
        keys={{ b: bold('bold') }}
        caret={caret}
      />
    )
  }
  const view = render(<Page />)
  return { ...view, handle, caret, field: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }) }
}

test('a letter pressed with Ctrl marks what is selected, which stays selected', async () => {
  const { field } = open('Rain helps')
  field.setSelectionRange(5, 10)
  fireEvent.keyDown(field, { key: 'b', ctrlKey: true })
  expect(field).toHaveValue('Rain **helps**')
  await waitFor(() => expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('helps'))
})

test('leaves its caret to the field that comes in its place, if one was writing in it', () => {
  const { field, caret, unmount } = open('Rain helps')
  field.focus()
  field.setSelectionRange(2, 4)
  unmount()
  expect(caret.current).toEqual([2, 4])
  const other = open('Rain')
  other.unmount()
  expect(other.caret.current).toBeUndefined()
})
