import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { keepFocus } from './keep-focus'

const Page = () => (
  <>
    <button>In a dialog</button>
    <button>Next thing</button>
  </>
)

test('what loses the focus a moment later, as a dialog that fades, is not lost', async () => {
  render(<Page />)
  const [dialog, next] = screen.getAllByRole('button')
  dialog?.focus()
  keepFocus(() => next)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(dialog).toHaveFocus()
  dialog?.blur()
  await vi.waitFor(() => expect(next).toHaveFocus())
})

test('a focus that was not moved is left alone', async () => {
  render(<Page />)
  const [dialog, next] = screen.getAllByRole('button')
  dialog?.focus()
  keepFocus(() => next)
  await new Promise((resolve) => setTimeout(resolve, 800))
  dialog?.blur()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(next).not.toHaveFocus()
})
