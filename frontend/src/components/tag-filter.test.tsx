import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import type { TagCount } from '@/api/types.gen'
import { changeLanguage } from '@/i18n'
import { newQueryClient, Providers } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { TagFilter } from './tag-filter'

beforeAll(async () => {
  await startAllTexts()
  await changeLanguage('en')
})

const known: TagCount[] = [
  { tag: 'Autumn', count: 1_200 },
  { tag: 'tips', count: 1 },
]

function show(value: string | null, tags: TagCount[] | undefined = known) {
  const onChange = vi.fn()
  render(
    <Providers queryClient={newQueryClient()}>
      <TagFilter tags={tags} value={value} onChange={onChange} />
    </Providers>,
  )
  return { onChange, user: userEvent.setup() }
}

test('offers each tag with its number, found by typing', async () => {
  const { onChange, user } = show(null)
  await user.click(screen.getByRole('combobox', { name: 'Tag' }))
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Autumn (1,200)', 'tips (1)'])
  await user.keyboard('TIP')
  await user.click(screen.getByRole('option', { name: 'tips (1)' }))
  expect(onChange.mock.lastCall?.[0]).toBe('tips')
})

test('one from the address counts in any case, and can be taken out though nothing has it', async () => {
  const { onChange, user } = show('AUTUMN')
  expect(screen.getByRole('combobox', { name: 'Tag' })).toHaveValue('Autumn (1,200)')
  await user.click(screen.getByLabelText('All tags'))
  expect(onChange.mock.lastCall?.[0]).toBeNull()
})

test('without any tags it is there only for one that the address asks for', () => {
  show('gone', [])
  expect(screen.getByRole('combobox', { name: 'Tag' })).toHaveValue('gone')
})

test('without any tags there is nothing to choose', () => {
  show(null, [])
  expect(screen.queryByRole('combobox')).toBeNull()
})
