import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refuse } from '@/test/answers'
import { itIs, newQueryClient, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ActivitySection } from './activity-section'
import { meQuery } from './api'
import { ApiKeys } from './api-keys'
import { DevicesSection } from './devices-section'
import { OwnData } from './own-data'
import { PasswordSection } from './password-section'
import { Profile } from './profile'
import { SecondFactorSection } from './second-factor-section'

const me = {
  id: '1',
  email: 'mara@lindhof.example',
  is_email_verified: true,
  display_name: '',
  language: 'en',
  time_zone: 'Europe/Berlin',
  second_factor: false,
}

const server = startServer()
const done = () => new HttpResponse(null, { status: 204 })

beforeEach(() => {
  server.use(http.get('*/api/users/me/', () => HttpResponse.json(me)))
})
afterEach(() => vi.restoreAllMocks())

describe('two-step login', () => {
  const serveFactor = (enabled: boolean, left = 10) =>
    server.use(
      http.get('*/api/users/me/second-factor/', () =>
        HttpResponse.json({ enabled, enabled_at: enabled ? '2026-11-01T12:00:00Z' : null, recovery_codes_left: left }),
      ),
    )

  test.each([
    [10, '10 recovery codes left', false],
    [3, '3 recovery codes left', false],
    [2, '2 recovery codes left', true],
    [1, '1 recovery code left. Create new ones before you need them.', true],
    [0, 'No recovery code left. Create new ones before you need one.', true],
  ])('with %i codes left says so', async (left, text, few) => {
    serveFactor(true, left)
    show(<SecondFactorSection />)
    const note = await screen.findByText(text)
    expect(note.classList.contains('few')).toBe(few)
  })

  test('that is off can only be set up', async () => {
    serveFactor(false)
    show(<SecondFactorSection />)
    expect(await screen.findByRole('button', { name: 'Set up two-step login' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Turn off two-step login' })).toBeNull()
  })

  test('that could not be loaded says so, and is asked for again', async () => {
    let calls = 0
    server.use(
      http.get('*/api/users/me/second-factor/', () => {
        calls += 1
        return calls === 1 ? refuse(500, 'internal') : HttpResponse.json({ enabled: false, enabled_at: null, recovery_codes_left: 0 })
      }),
    )
    const { user } = show(<SecondFactorSection />)
    expect(await screen.findByText('Two-step login could not be loaded')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Off')).toBeVisible()
  })

  test('is turned off by both of its steps', async () => {
    serveFactor(true)
    const sent: unknown[] = []
    server.use(
      http.post('*/api/users/me/second-factor/off/', async ({ request }) => {
        sent.push(await request.json())
        return sent.length === 1 ? refuse(422, 'second_factor_wrong') : done()
      }),
    )
    const { user } = show(<SecondFactorSection />)
    await user.click(await screen.findByRole('button', { name: 'Turn off two-step login' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn off two-step login?' }))
    const submit = dialog.getByRole('button', { name: 'Turn off two-step login' })
    await user.click(submit)
    expect(dialog.getByLabelText('Your password')).toHaveFocus()
    expect(dialog.getByText('The code is missing')).toBeVisible()
    expect(sent).toEqual([])
    await user.type(dialog.getByLabelText('Your password'), 'warp over weft')
    await user.click(submit)
    expect(dialog.getByLabelText(/^Code/)).toHaveFocus()
    await user.type(dialog.getByLabelText(/^Code/), '000000')
    await user.click(submit)
    await waitFor(() => expect(dialog.getByLabelText(/^Code/)).toBeInvalid())
    await user.clear(dialog.getByLabelText(/^Code/))
    await user.type(dialog.getByLabelText(/^Code/), '123456{Enter}')
    expect(await screen.findByText('Two-step login is off.')).toBeVisible()
    expect(sent.at(-1)).toEqual({ current_password: 'warp over weft', code: '123456' })
  })

  test('gets new recovery codes for the password, which can be saved as a file', async () => {
    itIs('2026-11-21T12:00:00Z')
    serveFactor(true)
    server.use(http.post('*/api/users/me/second-factor/recovery-codes/', () => HttpResponse.json({ recovery_codes: ['ABCDE-FGHJK', 'LMNPQ-RSTUV'] })))
    const saved: { name: string; content: Promise<string> }[] = []
    let content: Blob | undefined
    URL.createObjectURL = (blob) => {
      content = blob as Blob
      return 'blob:codes'
    }
    URL.revokeObjectURL = () => {}
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (content) saved.push({ name: this.download, content: content.text() })
    })
    const queryClient = newQueryClient()
    await queryClient.prefetchQuery(meQuery) // as the frame around it does
    const { user } = show(<SecondFactorSection />, { queryClient })
    await user.click(await screen.findByRole('button', { name: 'Create new recovery codes' }))
    await user.type(await screen.findByLabelText('Your password'), 'warp over weft{Enter}')
    const codes = await screen.findByRole('list', { name: 'Your recovery codes' })
    expect(within(codes).getAllByRole('listitem').map((code) => code.textContent)).toEqual(['ABCDE-FGHJK', 'LMNPQ-RSTUV'])
    await user.click(screen.getByRole('button', { name: 'Download codes' }))
    expect(saved[0]?.name).toBe('postloom-recovery-codes.txt')
    const text = await saved[0]?.content
    expect(text).toContain('Postloom recovery codes for mara@lindhof.example')
    expect(text).toContain('ABCDE-FGHJK\nLMNPQ-RSTUV\n')
    await user.keyboard('{Escape}')
    expect(codes).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'I have saved the codes' }))
    await waitFor(() => expect(screen.queryByText('ABCDE-FGHJK')).toBeNull())
  })
})

describe('devices', () => {
  const device = (id: string, agent: string, current = false) => ({
    id,
    device: agent,
    created_at: '2026-11-20T12:00:00Z',
    last_used_at: '2026-11-21T12:00:00Z',
    current,
  })
  const serveDevices = (...devices: object[]) => server.use(http.get('*/api/users/me/sessions/', () => HttpResponse.json(devices)))

  test('begin with this one, and an unknown one is told as such', async () => {
    serveDevices(device('b', ''), device('a', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0', true))
    show(<DevicesSection />)
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first).toHaveTextContent('Chrome on LinuxThis device')
    expect(within(first as HTMLElement).queryByRole('button')).toBeNull()
    expect(second).toHaveTextContent('Unknown device')
  })

  test('alone has no other to log out', async () => {
    serveDevices(device('a', 'curl/8.5.0', true))
    show(<DevicesSection />)
    expect(await screen.findByText('No other devices are logged in.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Log out all other devices' })).toBeNull()
  })

  test('are all logged out at once', async () => {
    serveDevices(device('a', 'curl/8.5.0', true), device('b', ''))
    server.use(
      http.delete('*/api/users/me/sessions/', () => {
        serveDevices(device('a', 'curl/8.5.0', true))
        return done()
      }),
    )
    const { user } = show(<DevicesSection />)
    await user.click(await screen.findByRole('button', { name: 'Log out all other devices' }))
    expect(await screen.findByText('All other devices are logged out.')).toBeVisible()
    expect(await screen.findByText('No other devices are logged in.')).toBeVisible()
  })

  test('that are still logged in are told', async () => {
    serveDevices(device('a', 'curl/8.5.0', true), device('b', ''))
    server.use(http.delete('*/api/users/me/sessions/', () => refuse(500, 'internal')))
    const { user } = show(<DevicesSection />)
    await user.click(await screen.findByRole('button', { name: 'Log out all other devices' }))
    expect(await screen.findByText(/^The other devices are still logged in\./)).toBeVisible()
  })

  test('one of them is logged out, and goes at once', async () => {
    serveDevices(device('a', 'curl/8.5.0', true), device('b', 'Mozilla/5.0 (Windows NT 10.0) Firefox/145.0'))
    server.use(
      http.delete('*/api/users/me/sessions/b/', () => {
        serveDevices(device('a', 'curl/8.5.0', true))
        return done()
      }),
    )
    const { user } = show(<DevicesSection />)
    await user.click(await screen.findByRole('button', { name: 'Log out Firefox on Windows' }))
    expect(await screen.findByText('Firefox on Windows is logged out.')).toBeVisible()
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  })
})

describe('recent activity', () => {
  const event = (id: string, kind: string, more: object = {}) => ({ id, kind, at: '2026-11-21T11:00:00Z', address: null, device: '', facts: {}, ...more })

  test('goes on where it ended', async () => {
    server.use(
      http.get('*/api/users/me/security-events/', ({ request }) =>
        new URL(request.url).searchParams.get('cursor')
          ? HttpResponse.json({ items: [event('b', 'api_key_made', { facts: { name: 'Backup' } })], next_cursor: null, total: 2 })
          : HttpResponse.json({ items: [event('a', 'session_ended', { facts: { device: 'curl/8.5.0' } })], next_cursor: '2', total: 2 }),
      ),
    )
    const { user } = show(<ActivitySection />)
    expect(await screen.findByText('Device logged out: curl')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('API key created: Backup')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  })

  test('of a new account is none', async () => {
    server.use(http.get('*/api/users/me/security-events/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })))
    show(<ActivitySection />)
    expect(await screen.findByText('No activity yet.')).toBeVisible()
  })

  test('that could not be loaded says so', async () => {
    server.use(http.get('*/api/users/me/security-events/', () => refuse(500, 'internal')))
    show(<ActivitySection />)
    expect(await screen.findByText('Recent activity could not be loaded')).toBeVisible()
  })

  test('is German in German', async () => {
    await speak('de')
    server.use(http.get('*/api/users/me/security-events/', () => HttpResponse.json({ items: [event('a', 'password_changed')], next_cursor: null, total: 1 })))
    show(<ActivitySection />)
    expect(await screen.findByText(/Passwort geändert/)).toBeVisible()
  })
})

describe('API keys', () => {
  const key = (changes: object = {}) => ({
    id: 'k1',
    name: 'Backup',
    scope: 'read',
    created_at: '2026-11-20T12:00:00Z',
    last_used_at: null,
    expires_at: null,
    ...changes,
  })
  const serveKeys = (...keys: object[]) => server.use(http.get('*/api/users/me/api-keys/', () => HttpResponse.json(keys)))
  const open = (making = false, onMade = vi.fn()) => ({ onMade, ...show(<ApiKeys making={making} onMade={onMade} />) })

  test('say what they may, when they were used, and when they end', async () => {
    itIs('2026-11-21T12:00:00Z')
    serveKeys(key(), key({ id: 'k2', name: 'Reports', scope: 'write', last_used_at: '2026-11-20T15:00:00Z', expires_at: '2027-02-20T12:00:00Z' }))
    open()
    const [, first, second] = await screen.findAllByRole('row')
    expect(first).toHaveTextContent(/Backup.*Read.*Last used: Never.*Expires: Never/)
    expect(second).toHaveTextContent(/Reports.*Read and write.*Last used: .*Expires: Sat 20 Feb 2027/)
  })

  test('that are none lead to the first one and to what it can do', async () => {
    serveKeys()
    open()
    expect(await screen.findByRole('heading', { name: 'No API keys yet' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'API documentation' })).toHaveAttribute('href', '/api/docs')
  })

  test('that could not be loaded say so', async () => {
    server.use(http.get('*/api/users/me/api-keys/', () => refuse(500, 'internal')))
    open()
    expect(await screen.findByText('API keys could not be loaded')).toBeVisible()
  })

  describe('a new one', () => {
    const serveCreate = (...answers: (() => Response)[]) => {
      const sent: unknown[] = []
      server.use(
        http.post('*/api/users/me/api-keys/', async ({ request }) => {
          sent.push(await request.json())
          return answers.shift()?.()
        }),
      )
      return sent
    }
    const made = () => HttpResponse.json({ ...key(), key: 'pl_0123456789' }, { status: 201 })

    test('ends after a year unless somebody says otherwise, and is shown once', async () => {
      serveKeys()
      const sent = serveCreate(made)
      const { user, onMade } = open(true)
      await user.type(await screen.findByLabelText(/^Name/), 'Backup')
      await user.type(screen.getByLabelText(/^Your password/), 'warp over weft{Enter}')
      expect(await screen.findByLabelText('Key for Backup')).toHaveValue('pl_0123456789')
      expect(screen.getByText(/curl -H "Authorization: Bearer pl_0123456789"/)).toBeVisible()
      expect(sent).toEqual([{ name: 'Backup', scope: 'read', days: 365, current_password: 'warp over weft' }])
      await user.keyboard('{Escape}')
      expect(onMade).not.toHaveBeenCalled()
      await user.click(screen.getByRole('button', { name: 'Done' }))
      expect(onMade).toHaveBeenCalledOnce()
    })

    test.each([
      ['After 30 days', 30],
      ['Never', null],
    ])('can end otherwise: %s', async (name, days) => {
      serveKeys()
      const sent = serveCreate(made)
      const { user } = open(true)
      await user.type(await screen.findByLabelText(/^Name/), 'Backup')
      await user.click(screen.getByRole('radio', { name: /^Read and write/ }))
      await user.click(screen.getByRole('radio', { name }))
      await user.type(screen.getByLabelText(/^Your password/), 'warp over weft{Enter}')
      await screen.findByLabelText('Key for Backup')
      expect(sent).toMatchObject([{ scope: 'write', days }])
    })

    test('needs a name and the password', async () => {
      serveKeys()
      const sent = serveCreate()
      const { user } = open(true)
      await user.click(await screen.findByRole('button', { name: 'Create key' }))
      expect(screen.getByLabelText(/^Name/)).toHaveFocus()
      expect(screen.getByText('Password is missing')).toBeVisible()
      expect(sent).toEqual([])
    })

    test('for a wrong password says so at its field, and keeps the rest', async () => {
      serveKeys()
      serveCreate(() => refuse(422, 'password_wrong'))
      const { user } = open(true)
      await user.type(await screen.findByLabelText(/^Name/), 'Backup')
      await user.type(screen.getByLabelText(/^Your password/), 'wrong{Enter}')
      await waitFor(() => expect(screen.getByLabelText(/^Your password/)).toHaveAccessibleDescription(/not your current password/))
      expect(screen.getByLabelText(/^Your password/)).toHaveFocus()
      expect(screen.getByLabelText(/^Name/)).toHaveValue('Backup')
    })
  })

  describe('revoking one', () => {
    const ask = async (answer: string) => {
      const shown = open()
      await shown.user.click(await screen.findByRole('button', { name: 'Revoke Backup' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Revoke Backup?' }))
      await shown.user.click(dialog.getByRole('button', { name: answer }))
      return shown
    }

    test('asks first', async () => {
      serveKeys(key())
      const revoked = vi.fn(done)
      server.use(http.delete('*/api/users/me/api-keys/k1/', revoked))
      await ask('Cancel')
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(revoked).not.toHaveBeenCalled()
    })

    test('takes it out of the list', async () => {
      serveKeys(key())
      server.use(
        http.delete('*/api/users/me/api-keys/k1/', () => {
          serveKeys()
          return done()
        }),
      )
      await ask('Revoke key')
      expect(await screen.findByText('Backup was revoked.')).toBeVisible()
      expect(await screen.findByRole('heading', { name: 'No API keys yet' })).toBeVisible()
    })

    test('that does not work says so', async () => {
      serveKeys(key())
      server.use(http.delete('*/api/users/me/api-keys/k1/', () => refuse(500, 'internal')))
      await ask('Revoke key')
      expect(await screen.findByText(/^Backup was not revoked\./)).toBeVisible()
    })
  })
})

describe('the password', () => {
  test('that is changed empties its fields, and says what became of other devices', async () => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/users/me/password/', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ token: 'another' })
      }),
    )
    const { user } = show(<PasswordSection />)
    await user.type(screen.getByLabelText('Current password'), 'warp over weft')
    await user.type(screen.getByLabelText('New password'), 'weft under warp{Enter}')
    expect(await screen.findByText('Password changed. All other devices were logged out.')).toBeVisible()
    expect(sent).toEqual([{ current_password: 'warp over weft', new_password: 'weft under warp' }])
    expect(screen.getByLabelText('Current password')).toHaveValue('')
    expect(screen.getByLabelText('New password')).toHaveValue('')
  })
})

describe('the profile', () => {
  test('that could not be loaded says so', async () => {
    server.use(http.get('*/api/users/me/', () => refuse(500, 'internal')))
    show(<Profile />)
    expect(await screen.findByText('Your account could not be loaded')).toBeVisible()
  })

  test('is as before when changes are discarded', async () => {
    const { user } = show(<Profile />)
    const name = await screen.findByLabelText(/Display name/)
    await user.type(name, 'Mara')
    await user.click(screen.getByRole('radio', { name: 'Deutsch' }))
    expect(screen.getByText('2 unsaved changes')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(name).toHaveValue('')
    expect(screen.queryByText(/unsaved/)).toBeNull()
  })

  test('typed back to what it was is no change', async () => {
    const { user } = show(<Profile />)
    const name = await screen.findByLabelText(/Display name/)
    await user.type(name, 'M{Backspace}')
    expect(screen.queryByText(/unsaved/)).toBeNull()
  })

  test('keeps what was typed for when the page comes again', async () => {
    const { user, queryClient, unmount } = show(<Profile />)
    await user.type(await screen.findByLabelText(/Display name/), 'Mara')
    unmount()
    show(<Profile />, { queryClient })
    expect(await screen.findByLabelText(/Display name/)).toHaveValue('Mara')
    expect(screen.getByText('1 unsaved change')).toBeVisible()
  })

  test('finds a time zone by its other name, and sends it alone', async () => {
    const sent: unknown[] = []
    server.use(
      http.patch('*/api/users/me/', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ ...me, ...(sent.at(-1) as object) })
      }),
    )
    const { user } = show(<Profile />)
    const field = await screen.findByRole('combobox', { name: 'Time zone' })
    expect(field).toHaveValue('Europe/Berlin')
    await user.clear(field)
    await user.type(field, 'kyiv')
    await user.click(await screen.findByRole('option', { name: /^Europe\/K(iev|yiv)$/ }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved')).toBeVisible()
    expect(sent).toEqual([{ time_zone: expect.stringMatching(/^Europe\/K(iev|yiv)$/) as string }])
  })

  test('refused at the time zone says so there, and the field has the focus', async () => {
    const errors = [{ field: 'time_zone', code: 'invalid_input' }]
    server.use(http.patch('*/api/users/me/', () => refuse(422, 'invalid_input', { errors })))
    const { user } = show(<Profile />)
    await user.type(await screen.findByLabelText(/Display name/), 'Mara')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const field = screen.getByRole('combobox', { name: 'Time zone' })
    await waitFor(() => expect(field).toHaveAccessibleDescription(/is not valid here/))
    expect(field).toHaveFocus()
    // what was wrong is over with the next change
    await user.type(screen.getByLabelText(/Display name/), '!')
    expect(field).not.toHaveAccessibleDescription(/is not valid here/)
  })

  test('of an address that is not verified leads to that', async () => {
    server.use(http.get('*/api/users/me/', () => HttpResponse.json({ ...me, is_email_verified: false })))
    show(<Profile />)
    expect(await screen.findByText('Not verified')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to verification' })).toHaveAttribute('href', '/email-verification')
  })

  describe('another email', () => {
    const openDialog = async () => {
      const shown = show(<Profile />)
      await shown.user.click(await screen.findByRole('button', { name: 'Change email' }))
      return { ...shown, dialog: within(await screen.findByRole('dialog', { name: 'Change email' })) }
    }
    const serveChange = (answer: () => Response) => {
      const sent: unknown[] = []
      server.use(
        http.post('*/api/users/me/email/', async ({ request }) => {
          sent.push(await request.json())
          return answer()
        }),
      )
      return sent
    }

    test('without it or the password is not asked for, and the first that is missing has the focus', async () => {
      const sent = serveChange(done)
      const { user, dialog } = await openDialog()
      await user.click(dialog.getByRole('button', { name: 'Send link' }))
      expect(dialog.getByText('Email is missing')).toBeVisible()
      expect(dialog.getByLabelText('New email')).toHaveFocus()
      await user.type(dialog.getByLabelText('New email'), 'mara@weft.example{Enter}')
      expect(dialog.getByLabelText('Your password')).toHaveFocus()
      expect(sent).toEqual([])
    })

    test('gets a link, until which the old one stays', async () => {
      const sent = serveChange(done)
      const { user, dialog } = await openDialog()
      expect(dialog.getByText(/Until you open the link, mara@lindhof.example stays your email/)).toBeVisible()
      await user.type(dialog.getByLabelText('New email'), 'mara@weft.example')
      await user.type(dialog.getByLabelText('Your password'), 'warp over weft{Enter}')
      expect(await screen.findByText('We have sent a link to mara@weft.example. It is valid for 24 hours.')).toBeVisible()
      expect(sent).toEqual([{ email: 'mara@weft.example', current_password: 'warp over weft' }])
    })

    test.each([
      ['password_wrong', 'Your password'],
      ['email_taken', 'New email'],
      ['email_unchanged', 'New email'],
      ['invalid_email', 'New email'],
    ])('refused by %s says so at %s', async (code, label) => {
      serveChange(() => refuse(422, code))
      const { user, dialog } = await openDialog()
      await user.type(dialog.getByLabelText('New email'), 'tom@lindhof.example')
      await user.type(dialog.getByLabelText('Your password'), 'warp{Enter}')
      await waitFor(() => expect(dialog.getByLabelText(label)).toHaveAccessibleDescription(/./))
      expect(dialog.getByLabelText(label)).toHaveFocus()
    })
  })
})

describe('own data', () => {
  test('an export can be stopped, and is saved nowhere', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    server.use(
      http.post('*/api/users/me/export/', () => new HttpResponse(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(2_500_000)) }))),
    )
    const { user } = show(<OwnData />)
    await user.click(screen.getByRole('button', { name: 'Export data' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(saved).not.toHaveBeenCalled()
  })

  test('a deletion for a wrong password says so, and nothing is gone', async () => {
    server.use(http.post('*/api/users/me/delete/', () => refuse(422, 'password_wrong')))
    const { user, address } = show(<OwnData />, { at: '/account?tab=data', path: '/account' })
    const open = await screen.findByRole('button', { name: 'Delete account' })
    await waitFor(() => expect(open).toBeEnabled())
    await user.click(open)
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
    await user.type(dialog.getByLabelText(/to confirm/), ' MARA@lindhof.example ')
    await user.type(dialog.getByLabelText('Your password'), 'wrong{Enter}')
    await waitFor(() => expect(dialog.getByLabelText('Your password')).toHaveAccessibleDescription(/not your current password/))
    expect(address()).toBe('/account?tab=data')
    await user.click(dialog.getByRole('button', { name: 'Keep account' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
