import { paths } from './paths'

/** Replaces the id of a post that does not exist yet. */
export const NEW_POST = 'new'

/** What an address of the composer may come with. */
export interface ComposeState {
  /** The pages of a carousel, to be put in place of those that the post has. */
  pages?: { media_id: string; alt: string }[]
}

/** Return the path to the composer with an existing or a new post, scheduled for `at` if given. */
export function composePath(postId = NEW_POST, at?: Date): string {
  const query = new URLSearchParams({ compose: postId, ...(at && { at: at.toISOString() }) })
  return `${paths.posts}?${query}`
}
