import { redirect, replace, type LoaderFunctionArgs } from 'react-router'
import { meQuery } from '@/features/users/session/api'
import { nextPath, signInPath } from '@/lib/paths'
import { queryClientContext } from '@/lib/router-context'
import { readToken } from '@/lib/token'

export const signedIn = (): boolean => readToken() !== null

/** Id of the frame's route, whose loader data says whether the page began with a user. */
export const FRAME = 'frame'

export interface FrameData {
  /** The module of the frame for users; null for visitors, who do not load it. */
  users: typeof import('./user-frame') | null
}

/** Load the frame for users if there is a token, and start fetching the user that it needs. */
export async function frameLoader({ context }: LoaderFunctionArgs): Promise<FrameData> {
  if (!signedIn()) return { users: null }
  // not awaited: the frame has its own loading state, and a failing server must not block the page
  void context.get(queryClientContext).prefetchQuery({ ...meQuery, staleTime: Infinity })
  // imported before the page, because the page's styles must come after the frame's
  return { users: await import('./user-frame') }
}

/** Return a redirect. From the current address it replaces the history entry, else Back would lead here again. */
const leadTo = (to: string, { pathname, search }: URL): Response =>
  pathname === location.pathname && search === location.search ? replace(to) : redirect(to)

/** Redirect to the login, and back after it, if there is no token. */
export function requireToken({ url }: Pick<LoaderFunctionArgs, 'url'>): void {
  if (!signedIn()) throw leadTo(signInPath(url), url)
}

/** Redirect users with a token away from login and sign-up, except to reset a forgotten password. */
export function requireNoToken({ url }: Pick<LoaderFunctionArgs, 'url'>): void {
  const { search, searchParams } = url
  const forgotten = searchParams.has('reset') || searchParams.has('forgot')
  if (signedIn() && !forgotten) throw leadTo(nextPath(search), url)
}
