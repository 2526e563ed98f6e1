import { type SelectProps } from '@mantine/core'
import { timeZones } from '@/lib/time-zones'
import { isMeant, withChosen } from '@/lib/zone-names'
import { LaterSelect } from './later-select'

const SHOWN = 60

interface TimeZoneSelectProps extends Omit<SelectProps, 'data' | 'filter'> {
  value?: string | null
}

/** A time zone by its IANA name, found by its older and other names, too. Chosen again, it stays chosen. */
export function TimeZoneSelect({ value = null, ...input }: TimeZoneSelectProps) {
  return (
    <LaterSelect
      data={withChosen(timeZones(), value)}
      value={value}
      searchable
      allowDeselect={false}
      limit={SHOWN}
      filter={({ options, search, limit }) =>
        options.filter((option) => 'value' in option && isMeant(option.value, search)).slice(0, limit)
      }
      {...input}
    />
  )
}
