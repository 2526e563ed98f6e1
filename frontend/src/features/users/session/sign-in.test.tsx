import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { readToken } from '@/lib/token'
import { held, refuse } from '@/test/answers'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { SignInByLink } from './sign-in-by-link'
import { SignInForm } from './sign-in-form'

const server = startServer(http.get('*/api/users/me/', () => HttpResponse.json({ email: 'mara@lindhof.example', language: 'en' })))

/** Answers to one login after the other; gives what was sent. */
function answers(...all: (() => Response | Promise<Response>)[]): unknown[] {
  const sent: unknown[] = []
  server.use(
    http.post('*/api/auth/login/', async ({ request }) => {
      sent.push(await request.json())
      const answer = all.shift()
      if (!answer) throw new Error('asked once more than expected')
      return answer()
    }),
  )
  return sent
}

const signedIn = () => HttpResponse.json({ token: 'new-token' })

function openForm(props: { failure?: string; notice?: string } = {}) {
  const onSignedIn = vi.fn()
  const { user } = show(<SignInForm {...props} onSignedIn={onSignedIn} />)
  const email = () => screen.getByLabelText('Email')
  const password = () => screen.getByLabelText('Password')
  const enter = async (secret = 'warp over weft') => {
    await user.type(email(), 'mara@lindhof.example')
    await user.type(password(), `${secret}{Enter}`)
  }
  return { onSignedIn, user, email, password, enter }
}

describe('email and password', () => {
  test('sign in: the token is kept, and it goes on', async () => {
    const sent = answers(signedIn)
    const { onSignedIn, enter } = openForm()
    await enter()
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(readToken()).toBe('new-token')
    expect(sent).toEqual([{ email: 'mara@lindhof.example', password: 'warp over weft' }])
  })

  test('that are missing are told at their fields, the first one gets the focus, and nothing is sent', async () => {
    const sent = answers()
    const { user, email, password } = openForm()
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(email()).toHaveFocus()
    expect(email()).toHaveAccessibleDescription('Email is missing')
    expect(password()).toHaveAccessibleDescription('Password is missing')
    expect(sent).toEqual([])
  })

  test('that are wrong stay in the form, with the reason over it', async () => {
    answers(() => refuse(422, 'login_failed'))
    const { onSignedIn, enter, email, password } = openForm()
    await enter('wrong')
    expect(await screen.findByRole('alert')).toHaveTextContent('Login failed. Please try again.')
    expect(email()).toHaveValue('mara@lindhof.example')
    expect(password()).toHaveValue('wrong')
    expect(onSignedIn).not.toHaveBeenCalled()
    expect(readToken()).toBeNull()
  })

  test('without a server say that it was not reached, and can be sent again', async () => {
    const sent = answers(() => HttpResponse.error(), signedIn)
    const { onSignedIn, user, enter } = openForm()
    await enter()
    expect(await screen.findByRole('alert')).toHaveTextContent(/server/i)
    await user.click(screen.getByRole('button', { name: 'Login' }))
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(sent).toHaveLength(2)
  })

  test('tried too often count down until the next attempt', async () => {
    const sent = answers(() => refuse(429, 'rate_limited', { headers: { 'Retry-After': '90' } }))
    const { user, enter } = openForm()
    await enter()
    expect(await screen.findByRole('alert')).toHaveTextContent('You can try again in 1 min 30 sec')
    const button = await screen.findByRole('button', { name: /^Try again in 1:[0-3]\d$/ })
    expect(button).toHaveAttribute('aria-disabled', 'true')
    await user.click(button)
    expect(sent).toHaveLength(1)
  })

  test('are under way once', async () => {
    const { until, letGo } = held()
    const sent = answers(async () => {
      await until
      return signedIn()
    })
    const { onSignedIn, user, enter } = openForm()
    await enter()
    await user.click(screen.getByRole('button', { name: 'Login' }))
    letGo()
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(sent).toHaveLength(1)
  })

  test('lead to a forgotten password and to the sign-up', () => {
    openForm()
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute('href', '/signin?forgot')
    expect(screen.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/signup')
  })
})

describe('what came before', () => {
  test('is told until somebody tries', async () => {
    answers(() => refuse(422, 'login_failed'))
    const { enter } = openForm({ notice: 'The new password is saved. You can now log in.' })
    expect(screen.getByRole('status')).toHaveTextContent('The new password is saved.')
    await enter('wrong')
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(screen.queryByText(/The new password is saved/)).toBeNull()
  })

  test('is told though it failed', () => {
    openForm({ failure: 'Login failed. Please try again.' })
    expect(screen.getByRole('alert')).toHaveTextContent('Login failed.')
  })
})

describe('the second step', () => {
  const codeAsked = () => refuse(422, 'second_factor_required')

  async function openCode(...more: (() => Response)[]) {
    const sent = answers(codeAsked, ...more)
    const form = openForm()
    await form.enter()
    await screen.findByRole('heading', { name: 'Two-step login' })
    return { ...form, sent, code: () => screen.getByRole('textbox') }
  }

  test('sends what was right before with the code, without its spaces', async () => {
    const { user, code, sent, onSignedIn } = await openCode(signedIn)
    expect(code()).toHaveFocus()
    await user.type(code(), '123 456{Enter}')
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(sent[1]).toEqual({ email: 'mara@lindhof.example', password: 'warp over weft', code: '123456' })
  })

  test('asks for digits and names where they are', async () => {
    const { code } = await openCode()
    expect(code()).toHaveAccessibleName('Code')
    expect(code()).toHaveAttribute('inputmode', 'numeric')
    expect(code()).toHaveAttribute('autocomplete', 'one-time-code')
    expect(screen.getByText(/Open your authenticator app/)).toBeVisible()
  })

  test('without a code says so and sends nothing', async () => {
    const { user, code, sent } = await openCode()
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(code()).toHaveAccessibleDescription('Enter the 6 digits from the app')
    expect(code()).toHaveFocus()
    expect(sent).toHaveLength(1)
  })

  test('with a wrong code says so at its field', async () => {
    const { user, code } = await openCode(() => refuse(422, 'second_factor_wrong'))
    await user.type(code(), '000000{Enter}')
    await waitFor(() => expect(code()).toBeInvalid())
    expect(code()).toHaveFocus()
    expect(code()).toHaveValue('000000')
  })

  test('takes a recovery code instead, which has letters', async () => {
    const { user, code, sent, onSignedIn } = await openCode(signedIn)
    await user.type(code(), '12')
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    expect(code()).toHaveAccessibleName('Recovery code')
    expect(code()).toHaveValue('')
    expect(code()).toHaveAttribute('inputmode', 'text')
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(code()).toHaveAccessibleDescription('Enter one of your recovery codes')
    await user.type(code(), 'ABCDE-FGHJK{Enter}')
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(sent[1]).toMatchObject({ code: 'ABCDE-FGHJK' })
  })

  test('goes back to the app’s code, and forgets what was wrong with the other', async () => {
    const { user, code } = await openCode(() => refuse(422, 'second_factor_wrong'))
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    await user.type(code(), 'wrong{Enter}')
    await waitFor(() => expect(code()).toBeInvalid())
    await user.click(screen.getByRole('button', { name: 'Use the app' }))
    expect(code()).toBeValid()
    expect(code()).toHaveAccessibleName('Code')
  })

  test('leads back to the password where that is no longer right, and says so', async () => {
    const { user, code, email, password } = await openCode(() => refuse(422, 'login_failed'))
    await user.type(code(), '123456{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Login failed. Please try again.')
    expect(email()).toHaveValue('mara@lindhof.example')
    expect(password()).toHaveValue('')
  })

  test('can be left for another account', async () => {
    const { user, email } = await openCode()
    await user.click(screen.getByRole('button', { name: 'Use another account' }))
    expect(email()).toHaveValue('mara@lindhof.example')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('tried too often counts down', async () => {
    const { user, code } = await openCode(() => refuse(429, 'rate_limited', { headers: { 'Retry-After': '30' } }))
    await user.type(code(), '000000{Enter}')
    expect(await screen.findByRole('button', { name: /^Try again in 0:[0-3]\d$/ })).toHaveAttribute('aria-disabled', 'true')
  })

  test('speaks German', async () => {
    await speak('de')
    answers(codeAsked)
    const { user } = show(<SignInForm onSignedIn={() => {}} />)
    await user.type(screen.getByLabelText('E-Mail-Adresse'), 'mara@lindhof.example')
    await user.type(screen.getByLabelText('Passwort'), 'warp over weft{Enter}')
    expect(await screen.findByRole('textbox', { name: 'Code' })).toBeVisible()
    expect(screen.queryByText(/authenticator app and enter/)).toBeNull()
  })
})

describe('a link that signs in', () => {
  const byLink = (answer: () => Response) => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/auth/link/', async ({ request }) => {
        sent.push(await request.json())
        return answer()
      }),
    )
    const onSignedIn = vi.fn()
    return { sent, onSignedIn, ...show(<SignInByLink token="from-the-mail" onSignedIn={onSignedIn} />) }
  }

  test('does so once, and goes on', async () => {
    const { sent, onSignedIn } = byLink(signedIn)
    expect(screen.getByRole('status')).toHaveTextContent('Signing you in')
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(sent).toEqual([{ token: 'from-the-mail' }])
    expect(readToken()).toBe('new-token')
  })

  test('that no longer works leaves the form, with the reason', async () => {
    const { sent, onSignedIn } = byLink(() => refuse(422, 'login_failed'))
    expect(await screen.findByRole('alert')).toHaveTextContent('Login failed. Please try again.')
    expect(screen.getByLabelText('Password')).toBeVisible()
    expect(onSignedIn).not.toHaveBeenCalled()
    expect(sent).toHaveLength(1)
  })
})
