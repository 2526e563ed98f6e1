import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createInvitationMutation,
  listInvitationsInfiniteOptions,
  listInvitationsInfiniteQueryKey,
  revokeInvitationMutation,
} from '@/api/@tanstack/react-query.gen'
import { byCursor, tagged } from '@/lib/cursor-pages'

const TAG = 'invitations'

export function useInvitations(search: string) {
  const options = { query: { search } }
  return useInfiniteQuery({
    ...listInvitationsInfiniteOptions(options),
    ...byCursor,
    queryKey: tagged(listInvitationsInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

function useInvitationsChanged() {
  const queryClient = useQueryClient()
  return () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => {
        const [key] = queryKey as [{ tags?: readonly string[] }?]
        return key?.tags?.includes(TAG) ?? false
      },
    })
}

export const useCreateInvitation = () =>
  useMutation({ ...createInvitationMutation(), onSuccess: useInvitationsChanged() })

export const useRevokeInvitation = () =>
  useMutation({ ...revokeInvitationMutation(), onSettled: useInvitationsChanged() })
