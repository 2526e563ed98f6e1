import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { paths } from '@/lib/paths'
import { meQuery } from './api'

/** The state of the waiting page's history entry: the next path, and when a mail was sent. */
export interface WaitingState {
  from?: string
  /** ms since 1970 */
  sentAt?: number
}

/** Redirect users with an unverified address to the waiting page, keeping the query string. */
export function VerifiedOnly({ children }: { children: ReactNode }) {
  const { pathname, search, hash } = useLocation()
  const { data: me } = useQuery(meQuery)
  if (!me || me.is_email_verified) return children
  const state: WaitingState = { from: pathname + search + hash }
  return <Navigate replace to={{ pathname: paths.emailVerification, search }} state={state} />
}
