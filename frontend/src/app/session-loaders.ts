import { redirect, type LoaderFunctionArgs } from 'react-router'
import { meQuery } from '@/features/session/api'
import { loadTexts } from '@/i18n'
import { frameParts } from '@/i18n/parts'
import { nextPath, signInPath } from '@/lib/paths'
import { preload } from '@/lib/preloading'
import { readToken } from '@/lib/token'

export const signedIn = (): boolean => readToken() !== null

/** The route of the frame: the answer of its loader is what the page began with. */
export const FRAME = 'frame'

export interface FrameData {
  /** The frame for users, which visitors do not load; none for a visitor. */
  users: typeof import('./user-frame') | null
}

/** Asked for before any page of users, so that its styles come before those of the page, which build on them. */
export const loadUserFrame = () => import('./user-frame')

/** Decides between the public and the authenticated frame, which needs to know who is there. */
export async function frameLoader({ context }: LoaderFunctionArgs): Promise<FrameData> {
  preload(context, meQuery)
  if (!signedIn()) return { users: null }
  const [users] = await Promise.all([loadUserFrame(), loadTexts(...frameParts)])
  return { users }
}

/** Without a token the paths of the authenticated area lead to the login, and back after it. */
export function requireToken({ request }: LoaderFunctionArgs): null {
  if (!signedIn()) throw redirect(signInPath(new URL(request.url)))
  return null
}

/** Login and sign-up are for visitors: who is signed in already goes on. A forgotten password can be theirs too. */
export function requireNoToken({ request }: LoaderFunctionArgs): null {
  const { search, searchParams } = new URL(request.url)
  const forgotten = searchParams.has('reset') || searchParams.has('forgot')
  if (signedIn() && !forgotten) throw redirect(nextPath(search))
  return null
}
