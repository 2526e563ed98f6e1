import { Select, type SelectProps } from '@mantine/core'
import { browserTimeZone, timeZones } from '@/lib/time-zones'
import { matchesZone, namesOf, withChosen } from '@/lib/zone-names'

const SHOWN = 60

interface TimeZoneSelectProps extends Omit<SelectProps, 'data' | 'filter'> {
  value?: string | null
}

/**
 * A time zone by its IANA name; the search also finds its older and other names. Choosing it again keeps it. Only the
 * first 60 are rendered: without a search, the chosen zone and the browser's own come first.
 */
export function TimeZoneSelect({ value = null, ...input }: TimeZoneSelectProps) {
  return (
    <Select
      data={withChosen(timeZones(), value)}
      value={value}
      searchable
      limit={SHOWN}
      filter={({ options, search, limit }) => {
        const zones = options.filter((option) => 'value' in option)
        if (search) return zones.filter((option) => matchesZone(option.value, search)).slice(0, limit)
        // read once per call: the filter runs on every render, and reading the browser's zone is slow
        const browserNames = namesOf(browserTimeZone())
        const rank = (zone: string) => (zone === value ? 0 : browserNames.includes(zone) ? 1 : 2)
        return zones.toSorted((a, b) => rank(a.value) - rank(b.value)).slice(0, limit)
      }}
      {...input}
    />
  )
}
