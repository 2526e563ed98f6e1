import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createInvitationMutation,
  listInvitationsInfiniteOptions,
  listInvitationsInfiniteQueryKey,
  revokeInvitationMutation,
} from '@/api/@tanstack/react-query.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import { withTags } from '@/lib/query-tags'

const TAG = 'invitations'

export function useInvitations(search: string) {
  const options = { query: { search } }
  return useInfiniteQuery({
    ...listInvitationsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listInvitationsInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

function useInvitationsChanged() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags(TAG))
}

export const useCreateInvitation = () =>
  useMutation({ ...createInvitationMutation(), onSuccess: useInvitationsChanged() })

export const useRevokeInvitation = () =>
  useMutation({ ...revokeInvitationMutation(), onSettled: useInvitationsChanged() })
