import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AssistantOut } from '@/api/types.gen'
import { anAssistant } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { NewAssistantRoute } from './new-assistant'

const server = startServer()

/** What the form says: it is a test of its own. */
let made: AssistantOut

vi.mock('@/features/assistants/form/assistant-form', () => ({
  AssistantForm: ({ onSaved }: { onSaved: (assistant: AssistantOut, activate: boolean) => void }) => (
    <button type="button" onClick={() => onSaved(made, true)}>
      Save and activate
    </button>
  ),
}))

let calls = 0

beforeEach(() => {
  calls = 0
  server.use(
    http.post('*/api/assistants/assistant/activate/', () => {
      calls += 1
      return HttpResponse.json({ assistant: made, confirmed: true })
    }),
  )
})

const open = (changes: Parameters<typeof anAssistant>[0]) => {
  made = anAssistant({ active: false, ...changes })
  return show(<NewAssistantRoute />, { at: '/assistants?new', path: '/assistants' })
}

test('saving and activating one whose demo texts would go to a real network asks first', async () => {
  const { user, address } = open({ demo_writer: true, asks_about_demo: true })
  await user.click(await screen.findByRole('button', { name: 'Save and activate' }))
  const question = within(await screen.findByRole('dialog', { name: 'Activate “Cycling tips” with demo texts?' }))
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  await vi.waitFor(() => expect(address()).toBe('/assistants/assistant'))
  expect(calls).toBe(0)
})

test('saving and activating one whose demo texts stay in the sandbox says who writes', async () => {
  const { user } = open({ demo_writer: true })
  await user.click(await screen.findByRole('button', { name: 'Save and activate' }))
  expect(await screen.findByText(/^Activated\. The demo writer writes the texts/)).toBeVisible()
  expect(calls).toBe(1)
})
