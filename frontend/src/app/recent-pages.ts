import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router'

export interface RecentPage {
  path: string
  title: string
}

const KEY = ['recent-pages']
const KEPT = 6

/** Return the pages opened before this one, newest first. They are in the query cache and cleared with it. */
export function useRecentPages(): RecentPage[] {
  const { pathname, search } = useLocation()
  const recentPages = useQueryClient().getQueryData<RecentPage[]>(KEY) ?? []
  return recentPages.filter(({ path }) => path !== pathname + search).slice(0, KEPT - 1)
}

/** Store each page with its title when it is left. */
export function useRememberPages(): void {
  const queryClient = useQueryClient()
  const { pathname, search } = useLocation()
  useLayoutEffect(() => {
    const path = pathname + search
    // clean-up runs before the next page sets its title
    return () => {
      const title = document.title.split(' · ')[0] ?? ''
      const otherPages = (queryClient.getQueryData<RecentPage[]>(KEY) ?? []).filter((page) => page.title !== title)
      queryClient.setQueryDefaults(KEY, { gcTime: Infinity })
      if (title) queryClient.setQueryData(KEY, [{ path, title }, ...otherPages].slice(0, KEPT))
    }
  }, [queryClient, pathname, search])
}
