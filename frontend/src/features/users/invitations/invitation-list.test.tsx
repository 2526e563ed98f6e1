import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { InvitationOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { InvitationList } from './invitation-list'
import { NewInvitationDialog } from './new-invitation-dialog'

const server = startServer()
const CODE = 'AAAAA-22222'

const invitation = (changes: Partial<InvitationOut> = {}): InvitationOut => ({
  id: 'a',
  code: CODE,
  link: 'http://localhost/signup?code=AAAAA-22222',
  email: null,
  state: 'open',
  created_at: '2026-11-20T12:00:00Z',
  expires_at: '2026-11-22T12:00:00Z',
  accepted_at: null,
  ...changes,
})

function open(items: InvitationOut[], { at = '/invitations', limit = 20 } = {}) {
  const asked: string[] = []
  server.use(
    http.get('*/api/invitations/', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('search') ?? '')
      const open = items.filter(({ state }) => state === 'open').length
      return HttpResponse.json({ items, next_cursor: null, total: items.length, open, limit })
    }),
  )
  itIs('2026-11-21T12:00:00Z')
  return {
    asked,
    ...show(
      <TimeZoneContext value="UTC">
        <InvitationList />
      </TimeZoneContext>,
      { at, path: '/invitations' },
    ),
  }
}

const row = async () => (await screen.findByText(CODE)).closest('tr') as HTMLElement

describe('an invitation', () => {
  test.each<[Partial<InvitationOut>, string[]]>([
    [{}, ['Anyone with the code', 'Open, 1 day left', 'until Sun 22 Nov, 12:00']],
    [{ expires_at: '2026-11-21T12:00:01Z' }, ['Open, 1 day left']],
    [{ expires_at: '2026-11-22T12:00:01Z' }, ['Open, 2 days left']],
    [{ email: 'tom@lindhof.example' }, ['tom@lindhof.example']],
    [{ state: 'expired', expires_at: '2026-11-20T12:00:00Z' }, ['Expired', 'expired Fri 20 Nov, 12:00']],
    [{ state: 'used', accepted_at: '2026-11-21T08:00:00Z' }, ['Used', 'used Sat 21 Nov, 08:00']],
    [{ state: 'revoked' }, ['Revoked']],
  ])('%o says what became of it', async (changes, texts) => {
    open([invitation(changes)])
    const cells = await row()
    for (const text of texts) expect(cells).toHaveTextContent(text)
    expect(within(cells).queryByRole('button', { name: 'Copy link' }) !== null).toBe((changes.state ?? 'open') === 'open')
  })

  test('that was revoked does not say when it would have ended', async () => {
    open([invitation({ state: 'revoked' })])
    expect(await row()).not.toHaveTextContent(/until|expired/)
  })

  test('is told in German, too', async () => {
    await speak('de')
    open([invitation()])
    expect(await row()).toHaveTextContent(/1 Tag/)
  })
})

describe('the list', () => {
  test('is empty before the first', async () => {
    open([])
    expect(await screen.findByRole('heading', { name: 'No invitations yet' })).toBeVisible()
  })

  test('says how many may be open', async () => {
    open([invitation()], { limit: 1 })
    expect(await screen.findByText('1 of 1 open')).toBeVisible()
    expect(screen.getByText('All 1 invitations are open. Revoke one, or wait until one is used or expires.')).toBeVisible()
  })

  test('below that says nothing of it', async () => {
    open([invitation()], { limit: 2 })
    expect(await screen.findByText('1 of 2 open')).toBeVisible()
    expect(screen.queryByText(/Revoke one/)).toBeNull()
  })

  test('that finds nothing says what was looked for', async () => {
    const { user, asked, address } = open([], { at: '/invitations?search=zebra' })
    expect(await screen.findByText('No invitation matches “zebra”.')).toBeVisible()
    expect(asked).toEqual(['zebra'])
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(address()).toBe('/invitations'))
  })

  test('that could not be loaded says so', async () => {
    server.use(http.get('*/api/invitations/', () => refuse(500, 'internal')))
    show(<InvitationList />)
    expect(await screen.findByText('Invitations could not be loaded')).toBeVisible()
  })
})

describe('revoking', () => {
  const ask = async (answer: string, changes: Partial<InvitationOut> = {}) => {
    const shown = open([invitation(changes)])
    await shown.user.click(await screen.findByRole('button', { name: `More actions for ${CODE}` }))
    await shown.user.click(await screen.findByRole('menuitem', { name: 'Revoke' }))
    const dialog = await screen.findByRole('dialog', { name: `Revoke ${CODE}?` })
    const text = dialog.textContent
    await shown.user.click(within(dialog).getByRole('button', { name: answer }))
    return text
  }

  test('says whom it concerns, and asks first', async () => {
    const revoked = vi.fn(() => new HttpResponse(null, { status: 204 }))
    server.use(http.delete('*/api/invitations/a/', revoked))
    expect(await ask('Cancel', { email: 'tom@lindhof.example' })).toContain('tom@lindhof.example cannot use this code after that.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(revoked).not.toHaveBeenCalled()
  })

  test('is told', async () => {
    server.use(http.delete('*/api/invitations/a/', () => new HttpResponse(null, { status: 204 })))
    expect(await ask('Revoke invitation')).toContain('Nobody can use this code after that.')
    expect(await screen.findByText(`${CODE} was revoked.`)).toBeVisible()
  })

  test('that does not work says so', async () => {
    server.use(http.delete('*/api/invitations/a/', () => refuse(409, 'internal')))
    await ask('Revoke invitation')
    expect(await screen.findByText(new RegExp(`^${CODE} was not revoked\\.`))).toBeVisible()
  })
})

describe('a new one', () => {
  const openDialog = (...answers: (() => Response)[]) => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/invitations/', async ({ request }) => {
        sent.push(await request.json())
        return answers.shift()?.()
      }),
    )
    return { sent, ...show(<NewInvitationDialog opened onClose={() => {}} />) }
  }
  const made = (changes: Partial<InvitationOut> = {}) => HttpResponse.json(invitation(changes), { status: 201 })

  test('for an address is mailed there, and says so', async () => {
    const { user, sent } = openDialog(() => made({ email: 'tom@lindhof.example' }))
    await user.type(await screen.findByLabelText(/Email/), ' tom@lindhof.example {Enter}')
    expect(await screen.findByText('We sent an email with the code to tom@lindhof.example.')).toBeVisible()
    expect(sent).toEqual([{ email: 'tom@lindhof.example', send: true }])
    expect(screen.getByText(/for tom@lindhof\.example only/)).toBeVisible()
  })

  test('for an address is not mailed where one does not want that', async () => {
    const { user, sent } = openDialog(() => made({ email: 'tom@lindhof.example' }))
    await user.type(await screen.findByLabelText(/Email/), 'tom@lindhof.example')
    await user.click(screen.getByRole('checkbox', { name: /Send the code by email/ }))
    await user.click(screen.getByRole('button', { name: 'Create invitation' }))
    await screen.findByLabelText('Code')
    expect(sent).toEqual([{ email: 'tom@lindhof.example', send: false }])
    expect(screen.queryByText(/We sent an email/)).toBeNull()
  })

  test('too many stand over the form, and the address stays', async () => {
    const { user } = openDialog(() => refuse(422, 'internal'))
    await user.type(await screen.findByLabelText(/Email/), 'tom@lindhof.example{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred.')
    expect(screen.getByLabelText(/Email/)).toHaveValue('tom@lindhof.example')
  })
})
