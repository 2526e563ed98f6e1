import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { validDay } from '@/lib/day-span'

interface DayFieldProps extends Pick<TextInputProps, 'label' | 'aria-label' | 'min' | 'max'> {
  value: string | null
  onDay: (day: string | null) => void
}

/** A date that filters a list. While a year is typed, the browser also reports the years 2, 20 and 202. */
export function DayField({ value, onDay, ...field }: DayFieldProps) {
  const [text, setText] = useState(value ?? '')
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    // changed from outside, such as cleared or by Back
    setLastValue(value)
    setText(value ?? '')
  }
  return (
    <TextInput
      {...field}
      type="date"
      value={text}
      onChange={(event) => {
        const day = event.currentTarget.value
        setText(day)
        if (day === '' || validDay(day)) onDay(validDay(day))
      }}
    />
  )
}
