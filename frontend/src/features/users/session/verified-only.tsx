import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { paths } from '@/lib/paths'
import { meQuery } from './api'

/** What the waiting page keeps in its entry of the history: where to go on, and whether a mail has just left. */
export interface WaitingState {
  from?: string
  /** ms since 1970 */
  sentAt?: number
}

/** Who has not verified the e-mail yet waits for that on a page of its own, which keeps the query string. */
export function VerifiedOnly({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation()
  const { data: me } = useQuery(meQuery)
  if (!me || me.is_email_verified) return children
  const state: WaitingState = { from: pathname + search + hash }
  return <Navigate replace to={{ pathname: paths.emailVerification, search }} state={state} />
}
