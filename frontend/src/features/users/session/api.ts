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

/** For what works a single time: it is never asked again by itself. */
const singleUse = { staleTime: 'static', retry: false, retryOnMount: false, refetchOnReconnect: false } as const

export const meQuery = readMeOptions()

/** The same, asked again and again while somebody waits for the link of a mail to be opened. */
export const waitingMeQuery = { ...meQuery, refetchInterval: CHECK_EVERY, refetchIntervalInBackground: true }

/** Who signed in is known before the next page shows, so that it comes in their language and in the right frame. */
function useStart() {
  const queryClient = useQueryClient()
  return async ({ token }: TokenOut) => {
    saveToken(token)
    await queryClient.prefetchQuery(meQuery)
  }
}

export const useSignIn = () => useMutation({ ...signInMutation(), onSuccess: useStart() })

/** A link signs in once: as a query it is used once, however often the page that asks is drawn. */
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

/** Every session ends with it, one of this browser too. */
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

/** The link of a mail proves an address: as a query it is used once, as the one that signs in. */
export const verifyQuery = (token: string) =>
  queryOptions<VerifiedOut, Problem>({
    queryKey: ['verify-email', token],
    queryFn: async () => (await verifyEmail({ body: { token } })).data,
    ...singleUse,
  })

export const useResend = () => useMutation(resendVerificationEmailMutation())

export const useUpdateMe = () => useMutation({ ...updateMeMutation(), scope: { id: 'me' } })

/** Ends the session here at once, goes to the root, and then ends it on the server. */
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
