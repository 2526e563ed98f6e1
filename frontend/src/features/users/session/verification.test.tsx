import { act, screen, waitFor } from '@testing-library/react'
import i18n from 'i18next'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { changeLanguage } from '@/i18n'
import { textFiles } from '@/i18n/files'
import { readToken, saveToken } from '@/lib/token'
import { held, refuse } from '@/test/answers'
import { newQueryClient, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { meQuery } from './api'
import { EmailVerification } from './email-verification'
import { ResendButton } from './resend-button'
import { useStoredLanguage } from './use-stored-language'
import { VerifiedOnly } from './verified-only'
import { VerifyEmail } from './verify-email'
import { WaitButton, waitEnd } from './wait-button'

const me = {
  id: '1',
  email: 'mara@lindhof.example',
  is_email_verified: false,
  display_name: '',
  language: 'en',
  time_zone: 'Europe/Berlin',
  second_factor: false,
}

const server = startServer()

function serveMe(changes: Partial<typeof me> = {}) {
  server.use(http.get('*/api/users/me/', () => HttpResponse.json({ ...me, ...changes })))
}

describe('a button that waits', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('counts down by seconds, presses nothing meanwhile, and keeps the focus', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-21T13:00:00Z') })
    const pressed = vi.fn()
    const { user } = show(
      <WaitButton until={Date.now() + 3_000} onClick={pressed}>
        Send
      </WaitButton>,
    )
    const button = screen.getByRole('button')
    button.focus()
    expect(button).toHaveTextContent('Try again in 0:03')
    await user.keyboard('{Enter}')
    expect(pressed).not.toHaveBeenCalled()
    act(() => void vi.advanceTimersByTime(1_000))
    expect(button).toHaveTextContent('Try again in 0:02')
    act(() => void vi.advanceTimersByTime(2_000))
    expect(button).toHaveTextContent('Send')
    expect(button).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(pressed).toHaveBeenCalledOnce()
  })

  test.each([
    ['rate_limited', { retry_after: 5 }, 5_000],
    ['rate_limited', {}, null],
    ['rate_limited', { retry_after: 0 }, null],
    ['internal', { retry_after: 5 }, null],
  ] as const)('after %s with %o it waits %o ms', (code, params, wait) => {
    vi.useFakeTimers({ now: new Date('2026-11-21T13:00:00Z') })
    const end = waitEnd({ status: 429, code, params, errors: [], detail: '' })
    expect(end).toBe(wait === null ? 0 : Date.now() + wait)
  })
})

describe('the mail with the link', () => {
  const serveResend = (answer: () => Response) => {
    let calls = 0
    server.use(
      http.post('*/api/users/resend_verification_email/', () => {
        calls += 1
        return answer()
      }),
    )
    return () => calls
  }

  test('is sent again, and the next one a minute later', async () => {
    const calls = serveResend(() => new HttpResponse(null, { status: 204 }))
    const { user } = show(<ResendButton />)
    await user.click(screen.getByRole('button', { name: 'Send email again' }))
    expect(await screen.findByText(/We sent the email again/)).toBeVisible()
    await user.click(await screen.findByRole('button', { name: /^Resend in (1:00|0:[2-5]\d)$/ }))
    expect(calls()).toBe(1)
  })

  test('that has just left is not sent again at once', () => {
    show(<ResendButton sentAt={Date.now() - 30_000} />)
    expect(screen.getByRole('button', { name: /^Resend in 0:[0-3]\d$/ })).toHaveAttribute('aria-disabled', 'true')
  })

  test('that left long ago can be sent again', () => {
    show(<ResendButton sentAt={Date.now() - 61_000} />)
    expect(screen.getByRole('button', { name: 'Send email again' })).not.toHaveAttribute('aria-disabled')
  })

  test('that could not be sent says so', async () => {
    serveResend(() => refuse(500, 'internal'))
    const { user } = show(<ResendButton />)
    await user.click(screen.getByRole('button', { name: 'Send email again' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to send verification email. Please try again.')
  })

  test('asked for too often says how long to wait', async () => {
    serveResend(() => refuse(429, 'rate_limited', { headers: { 'Retry-After': '45' } }))
    const { user } = show(<ResendButton />)
    await user.click(screen.getByRole('button', { name: 'Send email again' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(/try again in 45 sec/)
    // the sentence is drawn with the answer, the count with what is made of it
    expect(await screen.findByRole('button', { name: /^Resend in 0:[1-4]\d$/ })).toBeVisible()
  })
})

describe('the page that waits', () => {
  const waiting = () =>
    show(<EmailVerification next="/topics" changeEmail={(email) => <button type="button">Change {email}</button>} />, {
      path: '/email-verification',
      at: '/email-verification',
    })

  test('says where the mail went and how to change that', async () => {
    serveMe()
    serveFacts({ mail_outbox_url: null })
    waiting()
    expect(await screen.findByText('mara@lindhof.example')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Change mara@lindhof.example' })).toBeVisible()
    expect(await screen.findByText(/Check your spam folder/)).toBeVisible()
  })

  test('leads to the outbox where no mail leaves', async () => {
    serveMe()
    serveFacts({ mail_outbox_url: 'http://127.0.0.1:8025/' })
    waiting()
    expect(await screen.findByRole('link', { name: 'Read the email in the outbox' })).toHaveAttribute('href', 'http://127.0.0.1:8025/')
    expect(screen.queryByText(/Check your spam folder/)).toBeNull()
  })

  test('goes on by itself once the address is verified', async () => {
    serveMe({ is_email_verified: true })
    serveFacts({ mail_outbox_url: null })
    const { address } = waiting()
    await waitFor(() => expect(address()).toBe('/topics'))
  })

  test('can be left by logging out', async () => {
    saveToken('mine')
    serveMe()
    serveFacts({ mail_outbox_url: null })
    let ended: string | null = null
    server.use(
      http.post('*/api/auth/logout/', ({ request }) => {
        ended = request.headers.get('Authorization')
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user, address } = waiting()
    await user.click(await screen.findByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(ended).toBe('Bearer mine'))
    expect(address()).toBe('/')
    expect(readToken()).toBeNull()
  })
})

function serveFacts(facts: { mail_outbox_url: string | null }) {
  server.use(http.get('*/api/system/public/', () => HttpResponse.json(facts)))
}

describe('pages for verified addresses', () => {
  const open = () =>
    show(<VerifiedOnly>The page</VerifiedOnly>, { path: '/topics', at: '/topics?tree=7#row' })

  test('are there once the address is verified', async () => {
    serveMe({ is_email_verified: true })
    open()
    expect(await screen.findByText('The page')).toBeVisible()
  })

  test('send others to wait, and know the way back', async () => {
    serveMe()
    const { router, address } = open()
    await waitFor(() => expect(address()).toBe('/email-verification?tree=7'))
    expect(router.state.location.state).toEqual({ from: '/topics?tree=7#row' })
  })

  test('are there, too, where it could not be asked: they say themselves what failed', async () => {
    server.use(http.get('*/api/users/me/', () => refuse(500, 'internal')))
    open()
    expect(await screen.findByText('The page')).toBeVisible()
  })
})

describe('the link of the mail', () => {
  function serveVerify(...answers: (() => Response | Promise<Response>)[]) {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/users/verify-email/', async ({ request }) => {
        sent.push(await request.json())
        const answer = answers.shift()
        if (!answer) throw new Error('asked once more than expected')
        return answer()
      }),
    )
    return sent
  }
  const verified = () => HttpResponse.json({ email: 'mara@lindhof.example' })
  /** Opens the link, and clicks. */
  async function follow(...shown: Parameters<typeof show>) {
    const view = show(...shown)
    await view.user.click(screen.getByRole('button', { name: 'Verify email' }))
    return view
  }

  test.each([
    ['en', 'Verify your email', 'Verify email'],
    ['de', 'E-Mail-Adresse bestätigen', 'E-Mail-Adresse bestätigen'],
  ] as const)('is not used up by a visit: %s', async (language, heading, button) => {
    await speak(language)
    const sent = serveVerify()
    show(<VerifyEmail token="from-the-mail" signedIn={false} />)
    expect(screen.getByRole('heading', { name: heading })).toBeVisible()
    expect(screen.getByRole('button', { name: button })).toBeVisible()
    expect(sent).toEqual([])
    await speak('en')
  })

  test('proves the address once, says so, and leads on', async () => {
    const { until, letGo } = held()
    const sent = serveVerify(async () => {
      await until
      return verified()
    })
    await follow(<VerifyEmail token="from-the-mail" signedIn={false} />, { path: '/verify-email', at: '/verify-email' })
    expect(await screen.findByRole('status')).toHaveTextContent('Verifying your email')
    letGo()
    expect(await screen.findByRole('heading', { name: 'Email verified' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/signin')
    expect(sent).toEqual([{ token: 'from-the-mail' }])
  })

  test('leads who is signed in to the dashboard', async () => {
    serveMe({ is_email_verified: true })
    serveVerify(verified)
    await follow(<VerifyEmail token="from-the-mail" signedIn />, { path: '/verify-email', at: '/verify-email' })
    expect(await screen.findByRole('link', { name: 'Open dashboard' })).toHaveAttribute('href', '/')
  })

  test('goes on by itself after a moment', async () => {
    serveVerify(verified)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      const { address } = await follow(<VerifyEmail token="from-the-mail" signedIn={false} />, { path: '/verify-email', at: '/verify-email' })
      await screen.findByRole('heading', { name: 'Email verified' })
      expect(address()).toBe('/verify-email')
      await act(() => vi.advanceTimersByTimeAsync(2_500))
      expect(address()).toBe('/signin')
    } finally {
      vi.useRealTimers()
    }
  })

  test('that is refused is final: who is not signed in logs in for a new one', async () => {
    const sent = serveVerify(() => refuse(422, 'link_invalid'))
    await follow(<VerifyEmail token="old" signedIn={false} />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Verification failed. Please try again.')
    expect(screen.getByRole('link', { name: 'Log in for a new link' })).toHaveAttribute('href', '/signin?next=%2Femail-verification')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    expect(sent).toHaveLength(1)
  })

  test('that is refused can be sent again by who is signed in', async () => {
    serveMe()
    serveVerify(() => refuse(422, 'link_invalid'))
    await follow(<VerifyEmail token="old" signedIn />)
    expect(await screen.findByRole('button', { name: 'Send email again' })).toBeVisible()
  })

  test('that is refused, though the address is verified, says so', async () => {
    serveMe({ is_email_verified: true })
    serveVerify(() => refuse(422, 'link_invalid'))
    await follow(<VerifyEmail token="old" signedIn />)
    expect(await screen.findByText('mara@lindhof.example')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Change email' })).toHaveAttribute('href', '/account?tab=profile')
  })

  test.each([
    ['the server is away', () => refuse(503, 'internal')],
    ['there were too many tries', () => refuse(429, 'rate_limited')],
    ['nothing answers', () => HttpResponse.error()],
  ])('is still good where %s', async (_, answer) => {
    const sent = serveVerify(answer, verified)
    const { user } = await follow(<VerifyEmail token="from-the-mail" signedIn={false} />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to verify email. Please try again.')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Email verified' })).toBeVisible()
    expect(sent).toHaveLength(2)
  })

  test('without its last part asks nobody, and says what to do', () => {
    const sent = serveVerify()
    show(<VerifyEmail token="" signedIn={false} />)
    expect(screen.getByRole('alert')).toHaveTextContent(/Copy the whole link from the email/)
    expect(sent).toEqual([])
  })
})

describe('the language of the account', () => {
  let saved: unknown[]
  beforeEach(() => {
    saved = []
    server.use(
      http.patch('*/api/users/me/', async ({ request }) => {
        saved.push(await request.json())
        return HttpResponse.json({ ...me, ...((saved.at(-1) as object | undefined) ?? {}) })
      }),
    )
  })

  function Frame() {
    return <p>{useStoredLanguage() ? 'The page' : 'Waiting'}</p>
  }

  test('is spoken before anything is shown', async () => {
    await speak('en')
    serveMe({ language: 'de' })
    const queryClient = newQueryClient()
    await queryClient.prefetchQuery(meQuery)
    show(<Frame />, { queryClient })
    await waitFor(() => expect(i18n.language).toBe('de'))
    expect(await screen.findByText('The page')).toBeVisible()
    expect(saved).toEqual([])
  })

  test('follows the one that is chosen here', async () => {
    await speak('en')
    serveMe()
    const { queryClient } = show(<Frame />)
    await waitFor(() => expect(queryClient.getQueryData(meQuery.queryKey)).toBeDefined())
    await act(() => changeLanguage('de'))
    await waitFor(() => expect(saved).toEqual([{ language: 'de' }]))
    expect(queryClient.getQueryData(meQuery.queryKey)).toMatchObject({ language: 'de' })
  })

  test('that could not be loaded is told, and the page is there in the other one', async () => {
    await speak('en')
    const failing = vi.spyOn(textFiles, 'load').mockRejectedValue(new Error('offline'))
    serveMe({ language: 'de' })
    const queryClient = newQueryClient()
    await queryClient.prefetchQuery(meQuery)
    show(<Frame />, { queryClient })
    expect(await screen.findByText(/^The other language could not be loaded/)).toBeVisible()
    expect(screen.getByText('The page')).toBeVisible()
    expect(saved).toEqual([])
    failing.mockRestore()
  })

  test('that could not be saved holds in this browser, and it says so', async () => {
    await speak('en')
    serveMe()
    server.use(http.patch('*/api/users/me/', () => refuse(500, 'internal')))
    const { queryClient } = show(<Frame />)
    await waitFor(() => expect(queryClient.getQueryData(meQuery.queryKey)).toBeDefined())
    await act(() => changeLanguage('de'))
    expect(await screen.findByText(/Sprache/)).toBeVisible()
    expect(i18n.language).toBe('de')
  })
})
