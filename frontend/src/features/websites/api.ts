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

/** The kinds of websites to connect, with their forms. */
export const siteKindsQuery = listSiteKindsOptions()

/** Return a function that refetches everything with websites: their pages, articles and accounts. */
function useWebsitesChanged() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags('websites', 'articles', 'accounts'))
}

/** Return the mutation that tests and connects a website; a website that was connected before is reused. */
export const useConnectWebsite = () => useMutation({ ...connectWebsiteMutation(), onSuccess: useWebsitesChanged() })

/** Return the mutation that opens the website's authorization page. */
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

/** Return the mutation that removes a website; its articles are kept. */
export function useRemoveWebsite() {
  const changed = useWebsitesChanged()
  // not awaited: meanwhile the page of the removed website would say that it is missing
  return useMutation({ ...removeWebsiteMutation(), onSettled: () => void changed() })
}
