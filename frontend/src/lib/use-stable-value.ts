import { useMemo } from 'react'

/** Return the same object while its JSON is equal. A form copies all its values on each keystroke. */
export function useStableValue<Value>(value: Value): Value {
  const json = JSON.stringify(value)
  return useMemo(() => JSON.parse(json) as Value, [json])
}
