import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { refuse } from '@/test/answers'
import { anAssistant, aRun } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { AssistantHeader } from './assistant-header'
import type { Tab } from './links'

const server = startServer()

const open = (assistant = anAssistant(), tab: Tab = 'overview') =>
  show(<AssistantHeader assistant={assistant} tab={tab} />, { at: '/assistants/assistant', path: '/assistants/:assistantId' })

test('says what it is, where it goes, and when', () => {
  open(anAssistant({ tags: ['rain'], schedule: { time_zone: 'Europe/Berlin' } }))
  expect(screen.getByRole('heading', { level: 1, name: /Cycling tips/ })).toBeVisible()
  for (const text of ['Every day at 09:00', 'Europe/Berlin', 'rain', 'Active']) expect(screen.getByText(text)).toBeVisible()
  expect(screen.getByRole('img', { name: 'LinkedIn' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/assistants/assistant?tab=configuration')
})

test.each([
  ['active', anAssistant(), 'Active', 'Deactivate'],
  ['being started', anAssistant({ status: { phase: 'activating' } }), 'Activating', 'Deactivate'],
  ['inactive', anAssistant({ active: false }), 'Inactive', 'Activate'],
])('one that is %s says so, and offers the other', (_, assistant, badge, action) => {
  open(assistant)
  expect(screen.getByText(badge)).toBeVisible()
  expect(screen.getByRole('button', { name: action })).toBeVisible()
})

test('without a schedule it says so', () => {
  open(anAssistant({ schedule: { time_slots: [] } }))
  expect(screen.getByText('No schedule yet')).toBeVisible()
})

test('its views have addresses', async () => {
  const { user, address } = open()
  expect(screen.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true')
  await user.click(screen.getByRole('tab', { name: 'Runs' }))
  expect(address()).toBe('/assistants/assistant?tab=runs')
  await user.click(screen.getByRole('tab', { name: 'Overview' }))
  expect(address()).toBe('/assistants/assistant')
})

test('it is activated here', async () => {
  let calls = 0
  server.use(
    http.post('*/api/assistants/assistant/activate/', () => {
      calls += 1
      return HttpResponse.json({ assistant: anAssistant(), confirmed: true })
    }),
  )
  const { user } = open(anAssistant({ active: false }))
  await user.click(screen.getByRole('button', { name: 'Activate' }))
  await waitFor(() => expect(calls).toBe(1))
})

test('who activates one whose demo texts would go to a real network is warned first', async () => {
  let calls = 0
  const demo = { demo_writer: true, asks_about_demo: true }
  server.use(
    http.post('*/api/assistants/assistant/activate/', () => {
      calls += 1
      return HttpResponse.json({ assistant: anAssistant(demo), confirmed: true })
    }),
  )
  const { user } = open(anAssistant({ active: false, ...demo }))
  await user.click(screen.getByRole('button', { name: 'Activate' }))
  const question = within(await screen.findByRole('dialog', { name: 'Activate “Cycling tips” with demo texts?' }))
  expect(question.getByText(/nothing is published without your approval/)).toBeVisible()
  expect(calls).toBe(0)
  await user.click(question.getByRole('button', { name: 'Activate' }))
  await waitFor(() => expect(calls).toBe(1))
})

test('one more than is free says what is, and leads to the subscription', async () => {
  const params = { limit: 'active_assistants', allowed: 1, used: 1, subscribed: 0 }
  server.use(http.post('*/api/assistants/assistant/activate/', () => refuse(402, 'subscription_required', { params })))
  const { user, address } = open(anAssistant({ active: false }))
  await user.click(screen.getByRole('button', { name: 'Activate' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Assistant cannot be activated yet' }))
  expect(dialog.getByText(/^Without a subscription, one assistant can be active at a time, and one already is\./)).toBeVisible()
  await user.click(dialog.getByRole('link', { name: 'See subscription' }))
  expect(address()).toBe('/subscription')
})

describe('with a prepared post', () => {
  const prepared = aRun({ state: 'ready', reason: null, slot: '2026-11-22T03:50:00Z', planned_at: '2026-11-23T03:50:00Z' })
  const withPrepared = (active: boolean) => anAssistant({ active, open_run: prepared })
  const asked: string[] = []
  const answered = { assistant: anAssistant({ active: false }), confirmed: true }
  const takeCalls = () => {
    asked.length = 0
    server.use(
      http.post('*/api/assistants/assistant/deactivate/', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('prepared') ?? '')
        return HttpResponse.json(answered)
      }),
      http.delete('*/api/assistants/assistant/', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('prepared') ?? '')
        return new HttpResponse(null, { status: 204 })
      }),
    )
  }

  test.each([
    ['Deactivate, still publish', ['publish']],
    ['Deactivate, don’t publish', ['cancel']],
    ['Cancel', []],
  ])('deactivating asks what becomes of it: %s', async (answer, calls) => {
    takeCalls()
    const { user } = open(withPrepared(true))
    await user.click(screen.getByRole('button', { name: 'Deactivate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate “Cycling tips”?' })
    expect(within(dialog).getByText(/^A post for Mon 23 Nov, .* What should happen to it/)).toBeVisible()
    await user.click(within(dialog).getByRole('button', { name: answer }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked).toEqual(calls)
  })

  test('one that waits for an answer has no other date', async () => {
    const assistant = withPrepared(true)
    const open_run = assistant.open_run && { ...assistant.open_run, state: 'waiting' as const, decide_until: '2026-11-23T11:04:00Z' }
    const { user } = open({ ...assistant, open_run })
    await user.click(screen.getByRole('button', { name: 'Deactivate' }))
    expect(await screen.findByText(/^A post waits for your answer until Mon 23 Nov, .*04\. What should happen to it/)).toBeVisible()
  })

  test('deleting asks as well', async () => {
    takeCalls()
    const { user, address } = open(withPrepared(false))
    await user.click(screen.getByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete assistant' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete “Cycling tips”?' })
    await user.click(within(dialog).getByRole('button', { name: 'Delete, don’t publish' }))
    await waitFor(() => expect(address()).toBe('/assistants'))
    expect(asked).toEqual(['cancel'])
  })

  test('nothing is asked where it is being published already, or nothing is prepared', async () => {
    takeCalls()
    const { user } = open(anAssistant({ open_run: aRun({ state: 'publishing', reason: null }) }))
    await user.click(screen.getByRole('button', { name: 'Deactivate' }))
    await waitFor(() => expect(asked).toEqual(['publish']))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('deleting', () => {
  const inactive = anAssistant({ active: false })
  async function ask(assistant = inactive) {
    const shown = open(assistant)
    await shown.user.click(screen.getByRole('button', { name: 'More actions' }))
    return { ...shown, item: await screen.findByRole('menuitem', { name: 'Delete assistant' }) }
  }
  const answer = async (name: string) => within(await screen.findByRole('dialog', { name: 'Delete “Cycling tips”?' })).getByRole('button', { name })

  test('an active one is not offered, and it says what comes first', async () => {
    const { item } = await ask(anAssistant())
    expect(item).toHaveAttribute('data-disabled', 'true')
    expect(screen.getByText('Deactivate the assistant first, then you can delete it.')).toBeVisible()
  })

  test('asks first, and No deletes nothing', async () => {
    let deleted = 0
    server.use(
      http.delete('*/api/assistants/assistant/', () => {
        deleted += 1
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user, item, address } = await ask()
    await user.click(item)
    await user.click(await answer('Cancel'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(deleted).toBe(0)
    expect(address()).toBe('/assistants/assistant')
  })

  test('leaves the page for the list, and says that its posts stay', async () => {
    server.use(http.delete('*/api/assistants/assistant/', () => new HttpResponse(null, { status: 204 })))
    const { user, item, address } = await ask()
    await user.click(item)
    await user.click(await answer('Delete assistant'))
    await waitFor(() => expect(address()).toBe('/assistants'))
    expect(await screen.findByText('“Cycling tips” was deleted. Its posts are kept.')).toBeVisible()
  })

  test('that is refused stays, and says why', async () => {
    server.use(http.delete('*/api/assistants/assistant/', () => refuse(500, 'internal')))
    const { user, item, address } = await ask()
    await user.click(item)
    await user.click(await answer('Delete assistant'))
    expect(await screen.findByText(/^“Cycling tips” could not be deleted\. An error occurred/)).toBeVisible()
    expect(address()).toBe('/assistants/assistant')
  })
})
