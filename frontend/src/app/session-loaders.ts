import { meQuery } from '@/features/session/api'
import { nextPath, signInPath } from '@/lib/paths'
import { preload } from '@/lib/preloading'
import { Redirect, type LoaderArgs } from '@/lib/router/router'
import { readToken } from '@/lib/token'

export const signedIn = (): boolean => readToken() !== null

/** The route of the frame: the answer of its loader is what the page began with. */
export const FRAME = 'frame'

export interface FrameData {
  /** The frame for users, which visitors do not load; none for a visitor. */
  users: typeof import('./user-frame') | null
}

/** Decides between the public and the authenticated frame, which needs to know who is there. */
export async function frameLoader({ queryClient }: LoaderArgs): Promise<FrameData> {
  preload(queryClient, meQuery)
  if (!signedIn()) return { users: null }
  // asked for before the page, so that its styles come before those of the page, which build on them
  return { users: await import('./user-frame') }
}

/** Without a token the paths of the authenticated area lead to the login, and back after it. */
export function requireToken({ url }: LoaderArgs): null {
  if (!signedIn()) throw new Redirect(signInPath(url))
  return null
}

/** Login and sign-up are for visitors: who is signed in already goes on. A forgotten password can be theirs too. */
export function requireNoToken({ url }: LoaderArgs): null {
  const { search, searchParams } = url
  const forgotten = searchParams.has('reset') || searchParams.has('forgot')
  if (signedIn() && !forgotten) throw new Redirect(nextPath(search))
  return null
}
