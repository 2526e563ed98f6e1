import { screen, waitFor, within } from '@testing-library/react'
import i18n from 'i18next'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { changeLanguage } from '@/i18n'
import { textFiles } from '@/i18n/files'
import { readToken } from '@/lib/token'
import { held, refuse } from '@/test/answers'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SignUpForm } from './sign-up-form'

const server = startServer(
  http.get('*/api/users/me/', () => HttpResponse.json({ email: 'mara@lindhof.example', language: 'en' })),
)

const GOOD = 'K7QMW-3XRTA'
let checked: string[]

beforeEach(() => {
  checked = []
  server.use(
    http.post('*/api/auth/signup/code/', async ({ request }) => {
      const { invitation_code } = (await request.json()) as { invitation_code: string }
      checked.push(invitation_code)
      return HttpResponse.json({ valid: invitation_code === GOOD })
    }),
  )
})

function serveSignUp(...answers: (() => Response)[]) {
  const sent: Record<string, unknown>[] = []
  server.use(
    http.post('*/api/auth/signup/', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>)
      const answer = answers.shift()
      if (!answer) throw new Error('asked once more than expected')
      return answer()
    }),
  )
  return sent
}

const made = () => HttpResponse.json({ token: 'first-token' }, { status: 201 })

function open({ invitationCode = '', email = '' } = {}) {
  const onSignedUp = vi.fn()
  const { user } = show(<SignUpForm invitationCode={invitationCode} email={email} onSignedUp={onSignedUp} />)
  const fill = async () => {
    await user.type(screen.getByLabelText('Password'), 'warp over weft')
    await user.click(screen.getByRole('checkbox'))
  }
  return { user, onSignedUp, fill, submit: () => user.click(screen.getByRole('button', { name: 'Create account' })) }
}

const code = () => screen.getByLabelText('Invitation code')

test('an account is made with the language that is shown and the zone of the browser', async () => {
  const sent = serveSignUp(made)
  const { onSignedUp, fill, submit } = open({ invitationCode: GOOD, email: 'mara@lindhof.example' })
  await fill()
  await submit()
  await waitFor(() => expect(onSignedUp).toHaveBeenCalledOnce())
  expect(sent).toEqual([
    {
      invitation_code: GOOD,
      invitation_proof: '',
      email: 'mara@lindhof.example',
      password: 'warp over weft',
      consent: true,
      language: 'en',
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  ])
  expect(readToken()).toBe('first-token')
})

test('everything that is missing is told at once, with a list over the form and the focus at the first', async () => {
  const sent = serveSignUp()
  const { submit } = open()
  await submit()
  const list = within(await screen.findByRole('alert'))
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Invitation code is missing',
    'Email is missing',
    'Password is missing',
    'To create an account, you have to agree. Tick the box.',
  ])
  expect(code()).toHaveFocus()
  expect(sent).toEqual([])
})

describe('the invitation code', () => {
  test('is checked when the field is left, without its spaces', async () => {
    const { user } = open()
    await user.type(code(), ` ${GOOD} `)
    await user.tab()
    await waitFor(() => expect(checked).toEqual([GOOD]))
    expect(code()).toBeValid()
  })

  test('that is not good is told before the rest is typed', async () => {
    const { user } = open()
    await user.type(code(), 'WRONG-CODE2')
    await user.tab()
    await waitFor(() => expect(code()).toBeInvalid())
    expect(code()).toHaveAccessibleDescription('This code is unknown, used or expired. Ask for a new one.')
  })

  test('that was changed meanwhile is not blamed for the one before', async () => {
    const { until, letGo } = held()
    server.use(
      http.post('*/api/auth/signup/code/', async () => {
        await until
        return HttpResponse.json({ valid: false })
      }),
    )
    const { user } = open()
    await user.type(code(), 'WRONG')
    await user.tab()
    await user.type(code(), '-NO-MORE')
    letGo()
    await user.click(screen.getByLabelText('Email'))
    await waitFor(() => expect(code()).toBeInvalid()) // by the check of the new one
    expect(code()).toHaveValue('WRONG-NO-MORE')
  })

  test('that could not be checked is nobody’s fault', async () => {
    server.use(http.post('*/api/auth/signup/code/', () => HttpResponse.error()))
    const sent = serveSignUp(made)
    const { user, onSignedUp, fill, submit } = open({ email: 'mara@lindhof.example' })
    await user.type(code(), GOOD)
    await fill()
    expect(code()).toBeValid()
    await submit()
    await waitFor(() => expect(onSignedUp).toHaveBeenCalledOnce())
    expect(sent).toHaveLength(1)
  })
})

describe('a refusal', () => {
  test('is told at its fields, and the first one gets the focus', async () => {
    serveSignUp(() =>
      refuse(422, 'invalid_input', {
        errors: [
          { field: 'password', code: 'password_common' },
          { field: 'email', code: 'invalid_email' },
        ],
      }),
    )
    const { fill, submit } = open({ invitationCode: GOOD, email: 'mara@' })
    await fill()
    await submit()
    expect(await screen.findByText(/on the list of common passwords/)).toBeVisible()
    expect(screen.getByLabelText('Email')).toHaveFocus()
    expect(screen.getByLabelText('Email')).toBeInvalid()
    expect(screen.queryByRole('alert', { name: /fields/ })).toBeNull()
    expect(readToken()).toBeNull()
  })

  test('as a whole stands over the form, and nothing that was typed is lost', async () => {
    serveSignUp(() => refuse(500, 'internal'))
    const { fill, submit } = open({ invitationCode: GOOD, email: 'mara@lindhof.example' })
    await fill()
    await submit()
    expect(await screen.findByRole('alert')).toHaveTextContent('An error occurred. Please try again later.')
    expect(screen.getByLabelText('Password')).toHaveValue('warp over weft')
    expect(screen.getByRole('checkbox')).toBeChecked()
  })

  test('of too many tries counts down', async () => {
    serveSignUp(() => refuse(429, 'rate_limited', { headers: { 'Retry-After': '600' } }))
    const { fill, submit } = open({ invitationCode: GOOD, email: 'mara@lindhof.example' })
    await fill()
    await submit()
    expect(await screen.findByRole('button', { name: /^Try again in (10:00|9:[2-5]\d)$/ })).toHaveAttribute('aria-disabled', 'true')
  })
})

describe('the language', () => {
  test('can be changed here: the page speaks it, keeps what was typed, and sends it', async () => {
    await speak('en')
    const sent = serveSignUp(made)
    const { user, onSignedUp } = open({ invitationCode: GOOD })
    await user.type(screen.getByLabelText('Email'), 'mara@lindhof.example')
    await user.click(screen.getByRole('radio', { name: 'Deutsch' }))
    await waitFor(() => expect(i18n.language).toBe('de'))
    expect(await screen.findByLabelText('E-Mail-Adresse')).toHaveValue('mara@lindhof.example')
    await user.type(screen.getByLabelText('Passwort'), 'Kette über Schuss')
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Konto anlegen' }))
    await waitFor(() => expect(onSignedUp).toHaveBeenCalledOnce())
    expect(sent[0]).toMatchObject({ language: 'de', email: 'mara@lindhof.example' })
  })

  test('that cannot be loaded is told, and nothing else changes', async () => {
    const failing = vi.spyOn(textFiles, 'load').mockRejectedValue(new Error('offline'))
    const { user, submit } = open()
    await submit()
    await user.click(screen.getByRole('radio', { name: 'Deutsch' }))
    expect(await screen.findByText(/^The other language could not be loaded/)).toBeVisible()
    expect(screen.getByRole('radio', { name: 'English' })).toBeChecked()
    expect(screen.getAllByText('Email is missing')[0]).toBeVisible()
    failing.mockRestore()
    await user.click(screen.getByRole('radio', { name: 'Deutsch' }))
    await waitFor(() => expect(i18n.language).toBe('de'))
    expect(screen.queryByText(/konnte nicht geladen werden/)).toBeNull()
    await changeLanguage('en')
  })

  test('takes the sentences of the other one with it', async () => {
    await speak('en')
    const { user, submit } = open()
    await submit()
    expect(screen.getAllByText('Email is missing')[0]).toBeVisible()
    await user.click(screen.getByRole('radio', { name: 'Deutsch' }))
    await waitFor(() => expect(screen.queryByText('Email is missing')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

test('the password may not hold the address that stands beside it', async () => {
  const { user } = open()
  const rule = () => screen.getByText(/^Without your email/).closest('li')?.textContent
  await user.type(screen.getByLabelText('Password'), 'Mara rides a bike')
  await user.type(screen.getByLabelText('Email'), 'tom@lindhof.example')
  await waitFor(() => expect(rule()).toBe('Without your email: met'))
  await user.clear(screen.getByLabelText('Email'))
  await user.type(screen.getByLabelText('Email'), 'mara@lindhof.example')
  await waitFor(() => expect(rule()).toBe('Without your email: not met yet'))
})

test('the privacy policy opens beside the form, which stays', () => {
  open()
  const policy = screen.getByRole('link', { name: 'privacy policy' })
  expect(policy).toHaveAttribute('href', '/privacy-policy')
  expect(policy).toHaveAttribute('target', '_blank')
})
