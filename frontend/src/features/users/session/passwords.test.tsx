import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { readToken, saveToken } from '@/lib/token'
import { refuse } from '@/test/answers'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ForgotForm } from './forgot-form'
import { ResetForm } from './reset-form'

const server = startServer()
const done = () => new HttpResponse(null, { status: 204 })

function serve(path: string, ...answers: (() => Response)[]): unknown[] {
  const sent: unknown[] = []
  server.use(
    http.post(`*/api/auth/${path}/`, async ({ request }) => {
      sent.push(await request.json())
      const answer = answers.shift()
      if (!answer) throw new Error('asked once more than expected')
      return answer()
    }),
  )
  return sent
}

describe('a forgotten password', () => {
  test('is answered the same for every address, so that nobody learns whose it is', async () => {
    const sent = serve('forgot', done)
    const { user } = show(<ForgotForm />)
    await user.type(screen.getByLabelText('Email'), ' tom@lindhof.example {Enter}')
    expect(await screen.findByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    expect(screen.getByText('tom@lindhof.example')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent(/^.*If tom@lindhof.example belongs to an account here/)
    expect(sent).toEqual([{ email: 'tom@lindhof.example' }])
  })

  test.each(['', 'tom', 'tom@', '@lindhof.example', 'tom @'])('needs an address to write to, not %o', async (typed) => {
    const sent = serve('forgot')
    const { user } = show(<ForgotForm />)
    const email = screen.getByLabelText('Email')
    if (typed) await user.type(email, typed)
    await user.click(screen.getByRole('button', { name: 'Send link' }))
    expect(email).toBeInvalid()
    expect(email).toHaveFocus()
    expect(sent).toEqual([])
  })

  test('can be asked for again with another address', async () => {
    serve('forgot', done)
    const { user } = show(<ForgotForm />)
    await user.type(screen.getByLabelText('Email'), 'tom@lindhof.example{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Use another email' }))
    expect(screen.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    expect(screen.getByLabelText('Email')).toBeVisible()
  })

  test('asked for too often says how long to wait, and keeps the address', async () => {
    serve('forgot', () => refuse(429, 'rate_limited', { headers: { 'Retry-After': '60' } }))
    const { user } = show(<ForgotForm />)
    await user.type(screen.getByLabelText('Email'), 'tom@lindhof.example{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(/try again in 1 min/)
    expect(screen.getByLabelText('Email')).toHaveValue('tom@lindhof.example')
    expect(screen.getByRole('button', { name: /^Try again in/ })).toHaveAttribute('aria-disabled', 'true')
  })

  test('leads back to the login', () => {
    show(<ForgotForm />)
    expect(screen.getByRole('link', { name: 'Back to login' })).toHaveAttribute('href', '/signin')
  })
})

describe('a new password', () => {
  const open = (onReset = vi.fn()) => ({ onReset, ...show(<ResetForm token="from-the-mail" onReset={onReset} />) })
  const field = () => screen.getByLabelText('New password')

  test('ends the session of this browser, too', async () => {
    saveToken('old')
    const sent = serve('reset', done)
    const { user, onReset } = open()
    await user.type(field(), 'loom over warp{Enter}')
    await waitFor(() => expect(onReset).toHaveBeenCalledOnce())
    expect(sent).toEqual([{ token: 'from-the-mail', password: 'loom over warp' }])
    expect(readToken()).toBeNull()
  })

  test('that is none says so', async () => {
    const sent = serve('reset')
    const { user } = open()
    await user.click(screen.getByRole('button', { name: 'Save password' }))
    expect(screen.getByText('Password is missing')).toBeVisible()
    expect(field()).toHaveFocus()
    expect(sent).toEqual([])
  })

  test('shows which rules it meets while it is typed', async () => {
    const { user } = open()
    const rules = () =>
      within(screen.getByRole('list', { name: 'Password requirements' }))
        .getAllByRole('listitem')
        .map((rule) => rule.textContent)
    expect(rules()).toEqual(['10 to 128 characters: not met yet', 'At least 4 different characters: not met yet'])
    await user.type(field(), 'loom')
    expect(rules()).toEqual(['10 to 128 characters: not met yet', 'At least 4 different characters: not met yet'])
    await user.type(field(), ' over warp')
    expect(rules()).toEqual(['10 to 128 characters: met', 'At least 4 different characters: met'])
  })

  test('that is refused says why at the field, and keeps it; the session stays', async () => {
    saveToken('old')
    serve('reset', () => refuse(422, 'invalid_input', { errors: [{ field: 'password', code: 'password_common' }] }))
    const { user, onReset } = open()
    await user.type(field(), 'password123{Enter}')
    expect(await screen.findByText(/on the list of common passwords/)).toBeVisible()
    expect(field()).toHaveValue('password123')
    expect(field()).toHaveFocus()
    expect(onReset).not.toHaveBeenCalled()
    expect(readToken()).toBe('old')
  })

  test('by a link that no longer works leads to a new one', async () => {
    serve('reset', () => refuse(422, 'link_invalid'))
    const { user } = open()
    await user.type(field(), 'loom over warp{Enter}')
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute('href', '/signin?forgot')
    expect(screen.queryByLabelText('New password')).toBeNull()
  })

  test('can be tried again after a lost connection', async () => {
    serve('reset', () => HttpResponse.error(), done)
    const { user, onReset } = open()
    await user.type(field(), 'loom over warp{Enter}')
    expect(await screen.findByRole('alert')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Save password' }))
    await waitFor(() => expect(onReset).toHaveBeenCalledOnce())
  })

  test('has its rules in German, too', async () => {
    await speak('de')
    open()
    expect(screen.getByText('10 bis 128 Zeichen')).toBeVisible()
  })
})
