import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { WebsiteOut } from '@/api/types.gen'
import { anAssistant, aWebsite } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { AnnouncingSetting } from './announcing-setting'

const server = startServer()
const tips = anAssistant({ id: 'tips', name: 'Cycling tips' })
const journal = anAssistant({ id: 'journal', name: 'Journal', website: { id: 'website', name: 'Lindhof Journal' } })

function open(website: WebsiteOut) {
  server.use(http.get('*/api/assistants/', () => HttpResponse.json({ items: [tips, journal], next_cursor: null, total: 2 })))
  return show(<AnnouncingSetting website={website} />)
}

test('who writes articles is not offered to announce them', async () => {
  const { user } = open(aWebsite())
  await user.click(await screen.findByRole('combobox', { name: 'Announced by assistant' }))
  expect(await screen.findByRole('option', { name: 'Cycling tips' })).toBeVisible()
  expect(screen.queryByRole('option', { name: 'Journal' })).toBeNull()
})

test('one that was chosen before it wrote articles is still named', async () => {
  open(aWebsite({ announce_assistant_id: 'journal' }))
  expect(await screen.findByDisplayValue('Journal')).toBeVisible()
})
