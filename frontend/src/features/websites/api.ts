import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changeWebsiteMutation,
  connectWebsiteMutation,
  listSiteKindsOptions,
  listWebsitesOptions,
  readWebsiteOptions,
  removeWebsiteMutation,
  setAnnouncingMutation,
} from '@/api/@tanstack/react-query/websites.gen'
import { listAssistantsOptions } from '@/api/@tanstack/react-query/assistants.gen'
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

export const useChangeWebsite = () => useMutation({ ...changeWebsiteMutation(), onSettled: useWebsitesChanged() })

/** By whom its articles may be announced. */
export const assistantsQuery = listAssistantsOptions({ query: { page_size: 200 } })

export const useSetAnnouncing = () => useMutation({ ...setAnnouncingMutation(), onSettled: useWebsitesChanged() })

/** Its articles stay. */
export function useRemoveWebsite() {
  const changed = useWebsitesChanged()
  // not waited for: until then the page of what is removed would say that it is missing
  return useMutation({ ...removeWebsiteMutation(), onSettled: () => void changed() })
}
