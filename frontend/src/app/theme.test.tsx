import { Select } from '@mantine/core'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'

startServer()

test('a select keeps its option when it is chosen again, and is cleared with its button, also by keyboard', async () => {
  const change = vi.fn()
  const { user } = show(<Select label="Language" data={['Deutsch', 'English']} defaultValue="English" onChange={change} clearable />)

  await user.click(screen.getByRole('combobox', { name: 'Language' }))
  await user.click(screen.getByRole('option', { name: 'English' }))
  expect(change).not.toHaveBeenCalled()

  await user.tab()
  expect(screen.getByRole('button', { name: 'Clear' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(change).toHaveBeenCalledWith(null, null)
})
