import { useMemo } from 'react'

/** The one from before as long as it says the same: a form copies all of its values at each key. */
export function useStableValue<Value>(value: Value): Value {
  const said = JSON.stringify(value)
  return useMemo(() => JSON.parse(said) as Value, [said])
}
