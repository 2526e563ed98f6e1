import { useState } from 'react'
import type { PostOut } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { publishedByAccount } from '@/features/posts/detail/removal'
import type { Bulk } from '@/features/posts/list/use-bulk'

const DeleteDialog = lazyPart(async () => (await import('./delete-dialog')).DeleteDialog)

/**
 * Deletes posts: at once, with the way back, where nothing of them is out; else a dialog says what happens on each
 * channel.
 */
export function useDelete(bulk: Bulk, onDone?: () => void) {
  const [asked, setAsked] = useState<readonly PostOut[]>([])
  const close = () => setAsked([])
  const run = async (posts: readonly PostOut[], accounts: readonly string[]) => {
    const outcome = await bulk.run(accounts.length > 0 ? { action: 'remove', posts, account_ids: [...accounts] } : { action: 'delete', posts })
    if (!outcome) return
    close()
    if (outcome.done.length > 0) onDone?.()
  }
  return {
    start: (posts: readonly PostOut[]) => (publishedByAccount(posts).length > 0 ? setAsked(posts) : void run(posts, [])),
    dialog: (
      <DeleteDialog
        opened={asked.length > 0}
        posts={asked}
        pending={bulk.pending}
        onClose={close}
        onDelete={(accounts) => void run(asked, accounts)}
      />
    ),
  }
}
