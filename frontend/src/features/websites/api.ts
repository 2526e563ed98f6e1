import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changeWebsiteMutation,
  connectWebsiteMutation,
  leaveForSiteMutation,
  listSiteKindsOptions,
  listWebsitesOptions,
  readWebsiteOptions,
  removeWebsiteMutation,
  setAnnouncingMutation,
} from '@/api/@tanstack/react-query.gen'
import { comeBackFromSite } from '@/api/sdk.gen'
import type { WebsiteCallbackIn, WebsiteOut } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'
import { withTags } from '@/lib/query-tags'

export const websitesQuery = listWebsitesOptions()

export const websiteQuery = (websiteId: string) => readWebsiteOptions({ path: { website_id: websiteId } })

/** What can be connected, and what each asks for. */
export const siteKindsQuery = listSiteKindsOptions()

/** Where websites are told of: their own pages, their articles, and the accounts that they are reached by. */
function useWebsitesChanged() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags('websites', 'articles', 'accounts'))
}

/** Tried before it is kept; one that was connected before is the same website. */
export const useConnectWebsite = () => useMutation({ ...connectWebsiteMutation(), onSuccess: useWebsitesChanged() })

/** To the page of the site that lets us in. */
export const useLeaveForSite = () =>
  useMutation({ ...leaveForSiteMutation(), onSuccess: ({ address }) => location.assign(address) })

/** Finish connecting a website. Sent only once for each state, which the server accepts only once. */
export const finishConnectingQuery = (kind: WebsiteOut['kind'], params: WebsiteCallbackIn) =>
  // eslint-disable-next-line @tanstack/query/exhaustive-deps
  queryOptions<WebsiteOut, Problem>({
    // the password is not part of the key
    queryKey: ['site-callback', kind, params.state],
    queryFn: async () => (await comeBackFromSite({ path: { kind }, body: params })).data,
    enabled: params.state !== '',
    staleTime: 'static',
    gcTime: Infinity,
    retry: false,
    retryOnMount: false,
  })

export const useChangeWebsite = () => useMutation({ ...changeWebsiteMutation(), onSettled: useWebsitesChanged() })

/** Choose the assistant that announces a website's articles. */
export const useSetAnnouncing = () => useMutation({ ...setAnnouncingMutation(), onSettled: useWebsitesChanged() })

/** Its articles stay. */
export function useRemoveWebsite() {
  const changed = useWebsitesChanged()
  // not waited for: until then the page of what is removed would say that it is missing
  return useMutation({ ...removeWebsiteMutation(), onSettled: () => void changed() })
}
