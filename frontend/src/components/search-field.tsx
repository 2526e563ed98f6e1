import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

const WAIT = 300 // ms after the last keystroke
/** The server's limit of characters. */
export const LONGEST_SEARCH = 200

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  const search = useDebouncedCallback(onSearch, WAIT)
  if (value !== lastValue) {
    // changed from outside, such as cleared or by Back
    setLastValue(value)
    setText(value)
  }
  return (
    <TextInput
      className="search-field"
      type="search"
      maxLength={LONGEST_SEARCH}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value.trim())
      }}
    />
  )
}
