import { InputBase, type InputBaseProps, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { loadedLater } from '@/lib/loaded-later'

export const numberParts = loadedLater(async () => (await import('./number-parts')).parts)

/**
 * Mantine's NumberInput, which shows its number from the first moment and takes another one once the page stands. Where
 * it is empty and shows what is usual, more and less begin there.
 */
export function LaterNumberInput(props: NumberInputProps) {
  const { part, draw } = numberParts.useLoaded({ atOnce: true })
  const [reached, setReached] = useState(false)
  const usual = Number(props.placeholder || NaN)
  if (part) return <part.NumberInput startValue={Number.isNaN(usual) ? 0 : usual} {...props} autoFocus={props.autoFocus ?? reached} />
  const reach = () => {
    setReached(true)
    draw()
  }
  return <Closed {...props} onReach={reach} />
}

/** What is of typing comes with it. */
const OF_TYPING = new Set([
  'allowDecimal',
  'allowNegative',
  'autoFocus',
  'clampBehavior',
  'decimalScale',
  'decimalSeparator',
  'defaultValue',
  'hideControls',
  'max',
  'min',
  'onBlur',
  'onChange',
  'onFocus',
  'onReach',
  'step',
  'suffix',
  'thousandSeparator',
  'value',
])

/** As wide as the buttons for more and less, which come with it: so that nothing moves. */
const BUTTONS: Record<string, string> = { xs: '1.0625rem', sm: '1.5rem' }

/** Its field alone, drawn by the parts that Mantine draws it with. */
function Closed(props: NumberInputProps & { onReach: () => void }) {
  const { size = 'sm', hideControls, onReach } = props
  const field: InputBaseProps = Object.fromEntries(Object.entries(props).filter(([name]) => !OF_TYPING.has(name)))
  return (
    <InputBase
      {...field}
      __staticSelector="NumberInput"
      inputMode="decimal"
      readOnly
      rightSection={hideControls ? undefined : <></>}
      rightSectionWidth={BUTTONS[size]}
      value={textOf(props)}
      onFocus={onReach}
    />
  )
}

const THOUSANDS = /\B(?=(?:\d{3})+$)/g

/** The number as it stands in the field. */
export function textOf({ value, defaultValue, thousandSeparator, decimalSeparator = '.', suffix = '' }: NumberInputProps): string {
  const text = String(value ?? defaultValue ?? '')
  if (text === '') return ''
  const [whole = '', rest] = text.split('.')
  const grouped = typeof thousandSeparator === 'string' ? whole.replace(THOUSANDS, thousandSeparator) : whole
  return `${grouped}${rest === undefined ? '' : decimalSeparator + rest}${suffix}`
}
