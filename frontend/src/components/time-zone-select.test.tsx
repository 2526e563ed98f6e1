import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '@/test/screen'
import { TimeZoneSelect } from './time-zone-select'

function Field() {
  const [zone, setZone] = useState<string | null>('Europe/Berlin')
  return <TimeZoneSelect label="Zone" value={zone} onChange={setZone} />
}

test('choosing the zone that is chosen already keeps it', async () => {
  const { user } = show(<Field />)
  const field = screen.getByRole('combobox', { name: 'Zone' })
  await user.click(field)
  await user.clear(field)
  await user.type(field, 'Berlin')
  await user.click(await screen.findByRole('option', { name: 'Europe/Berlin' }))
  await user.tab()
  expect(field).toHaveValue('Europe/Berlin')
})
