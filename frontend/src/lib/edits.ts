type Fields = Record<string, unknown>

/**
 * Return the saved values with the changes made in a form since they were sent: from `sent` to `now`. Records are merged
 * field by field; a list counts as one value.
 */
export function withLaterEdits<Values extends object>(saved: Values, sent: Values, now: Values): Values {
  return merged(saved as Fields, sent as Fields, now as Fields) as Values
}

function merged(saved: Fields, sent: Fields, now: Fields): Fields {
  const names = new Set([...Object.keys(saved), ...Object.keys(now)])
  return Object.fromEntries(
    [...names].flatMap((name): [string, unknown][] => {
      const [theirs, before, mine] = [saved[name], sent[name], now[name]]
      if (same(before, mine)) return name in saved ? [[name, theirs]] : []
      if (isRecord(theirs) && isRecord(before) && isRecord(mine)) return [[name, merged(theirs, before, mine)]]
      return name in now ? [[name, mine]] : []
    }),
  )
}

/** Return the fields that differ. */
export const changedFields = <Values extends object>(values: Values, saved: Values): (keyof Values)[] =>
  (Object.keys(saved) as (keyof Values)[]).filter((key) => !same(values[key], saved[key]))

/** Return the fields that both sides changed differently, and those that only the other side changed. */
export function compareChanges<Values extends object>(theirs: Values, mine: Values, before: Values): Record<'both' | 'onlyTheirs', (keyof Values)[]> {
  const fields = changedFields(mine, theirs)
  return {
    both: fields.filter((key) => !same(mine[key], before[key])),
    onlyTheirs: fields.filter((key) => same(mine[key], before[key])),
  }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
