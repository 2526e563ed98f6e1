import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '@/test/screen'
import { ListInput } from './list-input'

let entries: string[] = []

function Words({ splitChars, maxTags }: { splitChars?: string[]; maxTags?: number }) {
  const [value, setValue] = useState<string[]>([])
  entries = value
  return <ListInput label="Words" value={value} onChange={setValue} {...(splitChars && { splitChars })} {...(maxTags && { maxTags })} />
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Words' })
/** Put the text in as a phone's keyboard does: without a key event. */
const insert = (text: string) => {
  act(() => field().focus())
  fireEvent.change(field(), { target: { value: text } })
}

test('a comma that comes without a key ends an entry', () => {
  show(<Words />)
  insert('Kleinigkeit, Kniff,')
  expect(entries).toEqual(['Kleinigkeit', 'Kniff'])
  expect(field()).toHaveValue('')
})

test('what follows the last comma is typed on, and becomes an entry when the field is left', () => {
  show(<Words splitChars={[',', ' ']} />)
  insert('rain,bikes mud')
  expect(entries).toEqual(['rain', 'bikes'])
  expect(field()).toHaveValue('mud')
  act(() => field().blur())
  expect(entries).toEqual(['rain', 'bikes', 'mud'])
})

test.each([
  ['Trick, trick,  TRICK ,', ['Trick']],
  [' , ,', []],
  [', Kniff ,, Trick', ['Kniff', 'Trick']],
])('no entry is empty, there twice or has spaces around it: %s', (text, expected) => {
  show(<Words />)
  insert(text)
  act(() => field().blur())
  expect(entries).toEqual(expected)
})

test('there are no more entries than allowed', () => {
  show(<Words maxTags={2} />)
  insert('one,two,three,')
  expect(entries).toEqual(['one', 'two'])
})

test('a comma that is typed and a list that is pasted end entries as well', async () => {
  const { user } = show(<Words />)
  await user.type(field(), 'one,two{Enter}')
  await user.paste('three, four')
  expect(entries).toEqual(['one', 'two', 'three', 'four'])
})
