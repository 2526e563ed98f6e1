import { redirect, replace, type LoaderFunctionArgs } from 'react-router'
import { meQuery } from '@/features/users/session/api'
import { nextPath, signInPath } from '@/lib/paths'
import { queryClientContext } from '@/lib/router-context'
import { readToken } from '@/lib/token'

export const signedIn = (): boolean => readToken() !== null

/** The route of the frame: the answer of its loader is what the page began with. */
export const FRAME = 'frame'

export interface FrameData {
  /** The frame for users, which visitors do not load; none for a visitor. */
  users: typeof import('./user-frame') | null
}

/** Decides between the public and the authenticated frame, which needs to know who is there. */
export async function frameLoader({ context }: LoaderFunctionArgs): Promise<FrameData> {
  if (!signedIn()) return { users: null }
  // not awaited: the frame shows itself that it waits, and a server that fails keeps nobody from the page
  void context.get(queryClientContext).prefetchQuery({ ...meQuery, staleTime: Infinity })
  // asked for before the page, so that its styles come before those of the page, which build on them
  return { users: await import('./user-frame') }
}

/** A redirect. It replaces the entry of the history that is shown already, or Back would only lead here again. */
const leadTo = (to: string, { pathname, search }: URL): Response =>
  pathname === location.pathname && search === location.search ? replace(to) : redirect(to)

/** Without a token the paths of the authenticated area lead to the login, and back after it. */
export function requireToken({ url }: Pick<LoaderFunctionArgs, 'url'>): void {
  if (!signedIn()) throw leadTo(signInPath(url), url)
}

/** Login and sign-up are for visitors: who is signed in already goes on. A forgotten password can be theirs too. */
export function requireNoToken({ url }: Pick<LoaderFunctionArgs, 'url'>): void {
  const { search, searchParams } = url
  const forgotten = searchParams.has('reset') || searchParams.has('forgot')
  if (signedIn() && !forgotten) throw leadTo(nextPath(search), url)
}
