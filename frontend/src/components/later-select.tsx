import {
  ComboboxChevron,
  ComboboxClearButton,
  getOptionsLockup,
  getParsedComboboxData,
  InputBase,
  type InputBaseProps,
  type SelectProps,
} from '@mantine/core'
import { useState, type MouseEvent } from 'react'
import { loadedLater } from '@/lib/loaded-later'

export const selectParts = loadedLater(async () => (await import('./select-parts')).parts)

/** Mantine's Select, which looks the same from the first moment and has its list once the page stands. */
export function LaterSelect<Value extends string = string>(props: SelectProps<Value>) {
  const { part, draw } = selectParts.useLoaded({ atOnce: true })
  const [reached, setReached] = useState<'focused' | 'pressed'>()
  if (part)
    return (
      <part.Select<Value>
        {...props}
        autoFocus={props.autoFocus ?? reached !== undefined}
        defaultDropdownOpened={reached === 'pressed'}
      />
    )
  const reach = (how: 'focused' | 'pressed') => {
    setReached(how)
    draw()
  }
  return <Closed {...props} onReach={reach} />
}

interface ClosedProps<Value extends string> extends SelectProps<Value> {
  onReach: (how: 'focused' | 'pressed') => void
}

/** What is of the list, or of typing into the field, comes with the list. */
const OF_THE_LIST = new Set([
  'allowDeselect',
  'autoFocus',
  'checkIconPosition',
  'clearable',
  'clearButtonProps',
  'comboboxProps',
  'data',
  'defaultValue',
  'filter',
  'limit',
  'maxDropdownHeight',
  'name',
  'nothingFoundMessage',
  'onChange',
  'onFocus',
  'onReach',
  'onSearchChange',
  'renderOption',
  'searchable',
  'searchValue',
  'value',
  'withCheckIcon',
])

/** Its field alone, drawn by the parts that Mantine draws it with. */
function Closed<Value extends string>(props: ClosedProps<Value>) {
  const { data, value, defaultValue, size, error, disabled, searchable, clearable, clearButtonProps, onChange, onReach } = props
  const chosen = value ?? defaultValue ?? null
  const known = getOptionsLockup(getParsedComboboxData(data ?? []))
  const press = (event: MouseEvent) => {
    // the field that is drawn in its place takes the focus
    event.preventDefault()
    if (!disabled) onReach('pressed')
  }
  const field: InputBaseProps = Object.fromEntries(Object.entries(props).filter(([name]) => !OF_THE_LIST.has(name)))
  return (
    <InputBase
      {...field}
      __staticSelector="Select"
      __defaultRightSection={<ComboboxChevron size={size} error={error} />}
      __clearable={clearable && chosen !== null && !disabled}
      __clearSection={<ComboboxClearButton {...clearButtonProps} onClear={() => onChange?.(null, null)} />}
      rightSectionPointerEvents="none"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      readOnly
      pointer={!searchable}
      value={chosen === null ? '' : (known[chosen]?.label ?? '')}
      onMouseDown={press}
      onFocus={() => onReach('focused')}
    />
  )
}
