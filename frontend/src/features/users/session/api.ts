import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import {
  checkInvitationCodeMutation,
  forgotPasswordMutation,
  readMeOptions,
  resendVerificationEmailMutation,
  resetPasswordMutation,
  signInMutation,
  signUpMutation,
  updateMeMutation,
} from '@/api/@tanstack/react-query.gen'
import { signInByLink, signOut, verifyEmail } from '@/api/sdk.gen'
import type { TokenOut, VerifiedOut } from '@/api/types.gen'
import { bearer } from '@/lib/api-runtime'
import { dropDrafts } from '@/lib/drafts'
import { paths } from '@/lib/paths'
import type { Problem } from '@/lib/problems'
import { readToken, removeToken, saveToken } from '@/lib/token'

const CHECK_EVERY = 15_000 // ms

/** The query options of links that work only once: never refetched automatically. */
const singleUse = { staleTime: 'static', retry: false, retryOnMount: false, refetchOnReconnect: false } as const

export const meQuery = readMeOptions()

/** The user, polled while the link of a mail is awaited. */
export const waitingMeQuery = { ...meQuery, refetchInterval: CHECK_EVERY, refetchIntervalInBackground: true }

/**
 * Return a function that stores the token and loads the user first, so that the next page has the right language and
 * frame.
 */
function useStart() {
  const queryClient = useQueryClient()
  return async ({ token }: TokenOut) => {
    saveToken(token)
    await queryClient.prefetchQuery(meQuery)
  }
}

export const useSignIn = () => useMutation({ ...signInMutation(), onSuccess: useStart() })

/** Log in by a link, which works once: a query runs once, however often the page is rendered. */
export const linkQuery = (token: string) =>
  queryOptions<boolean, Problem>({
    queryKey: ['sign-in-link', token],
    queryFn: async () => {
      saveToken((await signInByLink({ body: { token } })).data.token)
      return true
    },
    ...singleUse,
    enabled: token !== '',
  })

export const useSignUp = () => useMutation({ ...signUpMutation(), onSuccess: useStart() })

export const useCheckCode = () => useMutation(checkInvitationCodeMutation())

export const useForgot = () => useMutation(forgotPasswordMutation())

/** Return the mutation that sets a new password, which ends all sessions, also that of this browser. */
export function useReset() {
  const queryClient = useQueryClient()
  return useMutation({
    ...resetPasswordMutation(),
    onSuccess: () => {
      removeToken()
      queryClient.removeQueries(meQuery)
    },
  })
}

/** Verify an address by the link of a mail, which works once. */
export const verifyQuery = (token: string) =>
  queryOptions<VerifiedOut, Problem>({
    queryKey: ['verify-email', token],
    queryFn: async () => (await verifyEmail({ body: { token } })).data,
    ...singleUse,
  })

export const useResend = () => useMutation(resendVerificationEmailMutation())

export const useUpdateMe = () => useMutation({ ...updateMeMutation(), scope: { id: 'me' } })

/** Return a function that ends the session here at once, goes to the root, and then ends it on the server. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const token = readToken()
    removeToken()
    await navigate(paths.root)
    queryClient.clear()
    dropDrafts(queryClient)
    if (token) await signOut({ headers: { Authorization: bearer(token) } })
  }
}
