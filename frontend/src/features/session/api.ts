import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { readMeOptions, signInMutation, signUpMutation } from '@/api/@tanstack/react-query.gen'
import { signInByLink, signOut } from '@/api/sdk.gen'
import type { TokenOut } from '@/api/types.gen'
import { bearer } from '@/lib/api-runtime'
import { paths } from '@/lib/paths'
import type { Problem } from '@/lib/problems'
import { readToken, removeToken, saveToken } from '@/lib/token'

export const meQuery = readMeOptions()

const start = ({ token }: TokenOut) => saveToken(token)

export const useSignIn = () => useMutation({ ...signInMutation(), onSuccess: start })

/** A link signs in once: as a query it is used once, however often the page that asks is drawn. */
export const linkQuery = (token: string) =>
  queryOptions<boolean, Problem>({
    queryKey: ['sign-in-link', token],
    queryFn: async () => {
      start((await signInByLink({ body: { token } })).data)
      return true
    },
    enabled: token !== '',
    staleTime: 'static',
    retry: false,
    retryOnMount: false,
  })

export const useSignUp = () => useMutation({ ...signUpMutation(), onSuccess: start })

/** Ends the session here at once, goes to the root, and then ends it on the server. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const token = readToken()
    removeToken()
    await navigate(paths.root)
    queryClient.clear()
    if (token) await signOut({ headers: { Authorization: bearer(token) } })
  }
}
