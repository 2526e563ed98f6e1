import { screen } from '@testing-library/react'
import { useState } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { show } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { TimeZoneSelect } from './time-zone-select'

beforeAll(startAllTexts)

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

test('what is chosen and the browser’s own come first, until something is typed', async () => {
  const { user } = show(<Field />)
  const field = screen.getByRole('combobox', { name: 'Zone' })
  await user.click(field)
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const names = async () => (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect((await names()).slice(0, 2)).toEqual(['Europe/Berlin', own])
  expect(screen.getByRole('option', { name: 'Europe/Berlin' })).toHaveAttribute('aria-selected', 'true')
  await user.clear(field)
  await user.type(field, 'Europe/')
  expect((await names())[0]).toBe('Europe/Amsterdam')
})
