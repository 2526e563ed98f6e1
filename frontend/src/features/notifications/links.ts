import { generatePath } from 'react-router'
import type { NotificationOut } from '@/api/types.gen'
import { paths } from '@/lib/paths'

/** The path to the choice of mails. */
export const choicesPath = `${paths.account}?tab=notifications`

const TABS: Partial<Record<NotificationOut['kind'], string>> = { run_failed: 'runs', budget_reached: 'configuration' }

/** Return the page of what a notification is about. */
export function notificationPath({ kind, post_id, assistant_id, account_id, of_article: ofArticle }: NotificationOut): string {
  if (post_id && ofArticle) return generatePath(paths.article, { postId: post_id })
  if (post_id) return generatePath(paths.post, { socialMediaPostId: post_id })
  if (account_id) return ofArticle ? paths.websites : paths.account
  if (kind === 'email_refused') return `${paths.account}?tab=profile`
  if (!assistant_id) return paths.subscription
  const path = generatePath(paths.assistant, { assistantId: assistant_id })
  const tab = TABS[kind]
  return tab ? `${path}?tab=${tab}` : path
}
