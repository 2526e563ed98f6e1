import { paths } from './paths'

/** Stands for the id of a post that is still to be written. */
export const NEW_POST = 'new'

/** Where a post is written: a new one, to go out at that time where one is said, or one that there is. */
export function composePath(postId = NEW_POST, at?: Date): string {
  const query = new URLSearchParams({ compose: postId, ...(at && { at: at.toISOString() }) })
  return `${paths.posts}?${query}`
}
