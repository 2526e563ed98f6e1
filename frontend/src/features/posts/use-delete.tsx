import { useState } from 'react'
import type { PostOut } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { publishedByAccount } from '@/features/posts/detail/removal'
import type { Bulk } from '@/features/posts/list/use-bulk'

const DeleteDialog = lazyPart(async () => (await import('./delete-dialog')).DeleteDialog)

/**
 * Return what deletes posts: at once with an undo if nothing is published, else after a dialog that says what happens
 * on each channel.
 */
export function useDelete(bulk: Bulk, onDone?: () => void) {
  const [postsToDelete, setPostsToDelete] = useState<readonly PostOut[]>([])
  const close = () => setPostsToDelete([])
  const run = async (posts: readonly PostOut[], accounts: readonly string[]) => {
    const outcome = await bulk.run(accounts.length > 0 ? { action: 'remove', posts, account_ids: [...accounts] } : { action: 'delete', posts })
    if (!outcome) return
    close()
    if (outcome.done.length > 0) onDone?.()
  }
  return {
    start: (posts: readonly PostOut[]) => (publishedByAccount(posts).length > 0 ? setPostsToDelete(posts) : void run(posts, [])),
    dialog: (
      <DeleteDialog
        opened={postsToDelete.length > 0}
        posts={postsToDelete}
        pending={bulk.pending}
        onClose={close}
        onDelete={(accounts) => void run(postsToDelete, accounts)}
      />
    ),
  }
}
