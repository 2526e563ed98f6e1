type Fields = Record<string, unknown>

/**
 * Return the saved values with the changes made in a form since they were sent: from `sent` to `current`. Records are merged
 * field by field; a list counts as one value.
 */
export function withLaterEdits<Values extends object>(saved: Values, sent: Values, current: Values): Values {
  return merged(saved as Fields, sent as Fields, current as Fields) as Values
}

function merged(saved: Fields, sent: Fields, current: Fields): Fields {
  const names = new Set([...Object.keys(saved), ...Object.keys(current)])
  return Object.fromEntries(
    [...names].flatMap((name): [string, unknown][] => {
      const [savedValue, sentValue, currentValue] = [saved[name], sent[name], current[name]]
      if (isEqual(sentValue, currentValue)) return name in saved ? [[name, savedValue]] : []
      if (isRecord(savedValue) && isRecord(sentValue) && isRecord(currentValue)) return [[name, merged(savedValue, sentValue, currentValue)]]
      return name in current ? [[name, currentValue]] : []
    }),
  )
}

/** Return the fields that differ. */
export const changedFields = <Values extends object>(values: Values, saved: Values): (keyof Values)[] =>
  (Object.keys(saved) as (keyof Values)[]).filter((key) => !isEqual(values[key], saved[key]))

/** Return the fields that both sides changed differently, and those that only the other side changed. */
export function compareChanges<Values extends object>(theirs: Values, mine: Values, before: Values): Record<'both' | 'onlyTheirs', (keyof Values)[]> {
  const fields = changedFields(mine, theirs)
  return {
    both: fields.filter((key) => !isEqual(mine[key], before[key])),
    onlyTheirs: fields.filter((key) => isEqual(mine[key], before[key])),
  }
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
