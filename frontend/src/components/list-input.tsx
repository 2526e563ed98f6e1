// eslint-disable-next-line no-restricted-syntax -- the one place that may
import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useState } from 'react'

export interface ListInputProps extends Omit<TagsInputProps, 'defaultValue' | 'searchValue' | 'onSearchChange' | 'onChange'> {
  value?: string[]
  onChange: (entries: string[]) => void
}

/**
 * A list of words, each typed and ended by one of `splitChars`. Mantine splits on a key press and on paste; keyboards of
 * phones and dictation insert text without either.
 */
export function ListInput({ value = [], onChange, splitChars = [','], maxTags = Infinity, ...props }: ListInputProps) {
  const [typed, setTyped] = useState('')
  const change = (entries: readonly string[]) => onChange(uniqueEntries(entries).slice(0, maxTags))
  const type = (text: string) => {
    const entries = splitAt(text, splitChars)
    setTyped(entries.pop() ?? '')
    if (entries.some((entry) => entry.trim() !== '')) change([...value, ...entries])
  }
  return (
    <TagsInput value={value} onChange={change} splitChars={splitChars} maxTags={maxTags} searchValue={typed} onSearchChange={type} {...props} />
  )
}

const splitAt = (text: string, chars: readonly string[]) =>
  chars.reduce((parts, char) => parts.flatMap((part) => part.split(char)), [text])

/** Return the entries without spaces around them, without empty ones, and each once, whatever its case. */
function uniqueEntries(entries: readonly string[]): string[] {
  const unique = new Map<string, string>()
  for (const entry of entries.map((each) => each.trim()).filter(Boolean)) {
    const key = entry.toLowerCase()
    if (!unique.has(key)) unique.set(key, entry)
  }
  return [...unique.values()]
}
