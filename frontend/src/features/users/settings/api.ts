import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import {
  changeEmailMutation,
  changePasswordMutation,
  confirmSecondFactorMutation,
  createApiKeyMutation,
  deleteMeMutation,
  endOtherSessionsMutation,
  endSessionMutation,
  listApiKeysOptions,
  listSecurityEventsInfiniteOptions,
  listSessionsOptions,
  offerSecondFactorMutation,
  readMeOptions,
  readSecondFactorOptions,
  removeSecondFactorMutation,
  renewRecoveryCodesMutation,
  revokeApiKeyMutation,
  tryEmailAgainMutation,
  updateMeMutation,
} from '@/api/@tanstack/react-query.gen'
import { byCursor } from '@/lib/cursor-pages'
import { dropDrafts } from '@/lib/drafts'
import { paths } from '@/lib/paths'
import { removeToken } from '@/lib/token'

export const meQuery = readMeOptions()

export const sessionsQuery = listSessionsOptions()

export const apiKeysQuery = listApiKeysOptions()

export const secondFactorQuery = readSecondFactorOptions()

/** Return the security events, refetched whenever the section is shown, since most actions on this page add one. */
export const useSecurityEvents = () =>
  useInfiniteQuery({ ...listSecurityEventsInfiniteOptions(), ...byCursor, refetchOnMount: 'always' })

/** A response that may be shown once is not cached after its dialog. */
const shownOnce = { gcTime: 0 }

export function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    ...updateMeMutation(),
    onSuccess: (saved) => queryClient.setQueryData(meQuery.queryKey, saved),
  })
}

export function useTryEmailAgain() {
  const queryClient = useQueryClient()
  return useMutation({
    ...tryEmailAgainMutation(),
    onSuccess: (saved) => queryClient.setQueryData(meQuery.queryKey, saved),
  })
}

export const useChangeEmail = () => useMutation(changeEmailMutation())

export function useChangePassword() {
  const queryClient = useQueryClient()
  return useMutation({
    ...changePasswordMutation(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

/** Return the mutation that ends a session. Its row is removed at once, and restored if the server refuses. */
export function useEndSession() {
  const queryClient = useQueryClient()
  const { queryKey } = sessionsQuery
  return useMutation({
    ...endSessionMutation(),
    onMutate: async ({ path }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (sessions) => sessions?.filter(({ id }) => id !== path.session_id))
      return before
    },
    onError: (_, __, before) => queryClient.setQueryData(queryKey, before),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}

export function useEndOtherSessions() {
  const queryClient = useQueryClient()
  return useMutation({
    ...endOtherSessionsMutation(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

export const useOfferSecondFactor = () => useMutation({ ...offerSecondFactorMutation(), ...shownOnce })

function useSecondFactorChanged() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [secondFactorQuery, meQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    )
}

export const useConfirmSecondFactor = () =>
  useMutation({ ...confirmSecondFactorMutation(), ...shownOnce, onSuccess: useSecondFactorChanged() })

export const useRemoveSecondFactor = () =>
  useMutation({ ...removeSecondFactorMutation(), onSuccess: useSecondFactorChanged() })

export const useRenewRecoveryCodes = () =>
  useMutation({ ...renewRecoveryCodesMutation(), ...shownOnce, onSuccess: useSecondFactorChanged() })

export function useCreateApiKey() {
  const queryClient = useQueryClient()
  return useMutation({
    ...createApiKeyMutation(),
    ...shownOnce,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  })
}

export function useRevokeApiKey() {
  const queryClient = useQueryClient()
  return useMutation({
    ...revokeApiKeyMutation(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  })
}

/** Return the mutation that deletes the account, and then clears the fetched data with the session. */
export function useDeleteMe() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    ...deleteMeMutation(),
    onSuccess: async () => {
      removeToken()
      await navigate(paths.root)
      queryClient.clear()
      dropDrafts(queryClient)
    },
  })
}
