import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/components/use-problem-text'
import { meQuery, useResend } from './api'
import { WaitButton, waitEnd } from './wait-button'
import './session.css'

const BETWEEN_MAILS = 60_000 // ms, the server's own limit

interface ResendButtonProps {
  /** When the last mail was sent, in ms since 1970. */
  sentAt?: number
}

/** The button that sends the mail again, with a countdown until that is possible. */
export function ResendButton({ sentAt = 0 }: ResendButtonProps) {
  const { t } = useTranslation(['common', 'session'])
  const queryClient = useQueryClient()
  const textOf = useProblemText()
  const resend = useResend()
  const [until, setUntil] = useState(sentAt && sentAt + BETWEEN_MAILS)
  const send = () =>
    resend.mutate(
      {},
      {
        onSuccess: () => setUntil(Date.now() + BETWEEN_MAILS),
        onError: (problem) => {
          setUntil(waitEnd(problem))
          // verified elsewhere: the page continues when it learns of it
          if (problem.code === 'already_verified') void queryClient.invalidateQueries(meQuery)
        },
      },
    )
  return (
    <>
      <p className="auth-note" role="status">
        {resend.isSuccess && t('session:sentAgain')}
      </p>
      {resend.isError && (
        <div className="form-errors" role="alert">
          {resend.error.code === 'rate_limited' ? textOf(resend.error) : t('session:sendFailed')}
        </div>
      )}
      <WaitButton until={until} counts="resendIn" size="md" fullWidth loading={resend.isPending} onClick={send}>
        {t('session:sendAgain')}
      </WaitButton>
    </>
  )
}
