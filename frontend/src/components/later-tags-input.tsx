import { Pill, PillsInput, type PillsInputProps, type TagsInputProps } from '@mantine/core'
import { useId, useState } from 'react'
import { loadedLater } from '@/lib/loaded-later'

export const tagsParts = loadedLater(async () => (await import('./tags-parts')).parts)

/** Mantine's TagsInput, which looks the same from the first moment and takes tags once the page stands. */
export function LaterTagsInput(props: TagsInputProps) {
  const { part, draw } = tagsParts.useLoaded({ atOnce: true })
  const [reached, setReached] = useState(false)
  if (part) return <part.TagsInput {...props} autoFocus={props.autoFocus ?? reached} />
  const reach = () => {
    setReached(true)
    draw()
  }
  return <Closed {...props} onReach={reach} />
}

/** What is of typing, of the tags or of the list comes with these. */
const OF_TYPING = new Set([
  'acceptValueOnBlur',
  'autoFocus',
  'clearable',
  'data',
  'defaultValue',
  'limit',
  'maxTags',
  'onBlur',
  'onChange',
  'onFocus',
  'onReach',
  'openOnFocus',
  'placeholder',
  'splitChars',
  'value',
])

/** What is said of the input itself: a form finds it by that. */
const OF_INPUT = /^(?:data|aria)-/

/** Its field alone, drawn by the parts that Mantine draws it with. */
function Closed(props: TagsInputProps & { onReach: () => void }) {
  const { value, defaultValue, placeholder, disabled, onReach } = props
  const own = useId()
  const id = props.id ?? own
  const rest = Object.entries(props).filter(([name]) => !OF_TYPING.has(name))
  const field: PillsInputProps = Object.fromEntries(rest.filter(([name]) => !OF_INPUT.test(name)))
  const input = Object.fromEntries(rest.filter(([name]) => OF_INPUT.test(name)))
  return (
    <PillsInput {...field} id={id} __staticSelector="TagsInput" __stylesApiProps={{ ...props, multiline: true }}>
      <Pill.Group className="mantine-TagsInput-pillsList" disabled={disabled}>
        {(value ?? defaultValue ?? []).map((tag) => (
          <Pill key={tag} className="mantine-TagsInput-pill" withRemoveButton disabled={disabled} onRemove={onReach}>
            {tag}
          </Pill>
        ))}
        <PillsInput.Field
          {...input}
          className="mantine-TagsInput-inputField"
          id={id}
          role="combobox"
          aria-haspopup="listbox"
          aria-expanded={false}
          placeholder={placeholder}
          disabled={disabled}
          readOnly
          onFocus={onReach}
        />
      </Pill.Group>
    </PillsInput>
  )
}
