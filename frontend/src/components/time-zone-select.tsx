import { type SelectProps } from '@mantine/core'
import { browserTimeZone, timeZones } from '@/lib/time-zones'
import { isMeant, namesOf, withChosen } from '@/lib/zone-names'
import { LaterSelect } from './later-select'

const SHOWN = 60

interface TimeZoneSelectProps extends Omit<SelectProps, 'data' | 'filter'> {
  value?: string | null
}

/**
 * A time zone by its IANA name, found by its older and other names, too. Chosen again, it stays chosen. Of the many only
 * the first ones are drawn: until something is typed, those are the chosen one and the browser's own.
 */
export function TimeZoneSelect({ value = null, ...input }: TimeZoneSelectProps) {
  const rank = (zone: string) => (zone === value ? 0 : namesOf(zone).includes(browserTimeZone()) ? 1 : 2)
  return (
    <LaterSelect
      data={withChosen(timeZones(), value)}
      value={value}
      searchable
      allowDeselect={false}
      limit={SHOWN}
      filter={({ options, search, limit }) => {
        const found = options.filter((option) => 'value' in option).filter((option) => isMeant(option.value, search))
        return (search ? found : found.toSorted((one, other) => rank(one.value) - rank(other.value))).slice(0, limit)
      }}
      {...input}
    />
  )
}
