import { useState } from 'react'
import { CodeStep } from './code-step'
import type { Credentials } from './credentials'
import { PasswordStep } from './password-step'

interface SignInFormProps {
  /** Why another way to log in failed. */
  failure?: string
  /** What was just done, such as setting a new password. */
  notice?: string
  onSignedIn: () => void
}

/** E-mail and password; then, with two-step login on, the code. */
export function SignInForm({ failure, notice, onSignedIn }: SignInFormProps) {
  const [credentials, setCredentials] = useState<Credentials>()
  const [started, setStarted] = useState({ email: '', failure, notice })
  if (credentials)
    return (
      <CodeStep
        credentials={credentials}
        onSignedIn={onSignedIn}
        onBack={(why) => {
          setStarted({ email: credentials.email, failure: why, notice: undefined })
          setCredentials(undefined)
        }}
      />
    )
  return <PasswordStep {...started} onCodeAsked={setCredentials} onSignedIn={onSignedIn} />
}
