import { useQuery } from '@tanstack/react-query'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { meQuery } from '@/features/users/session/api'
import { useStoredLanguage } from '@/features/users/session/use-stored-language'
import { PublicShell } from './public-shell'
import { Shell } from './shell'
import './styles/shell.css'
import './styles/command-menu.css'
import './styles/list.css'
import './styles/assistants.css'
import './styles/dashboard.css'
import './styles/templates.css'
import './styles/posts.css'
import './styles/accounts.css'
import './styles/account.css'

export const Messages = lazyPart(async () => (await import('./messages')).Messages)

/**
 * The frame for users. Until the user is loaded it shows only a placeholder, to avoid the wrong language and a
 * navigation to pages that need a verified e-mail. It does not wait for a failing server: the pages show the error.
 */
export function UserFrame() {
  const { data: me, isLoading, failureCount } = useQuery(meQuery)
  const speaks = useStoredLanguage()
  if ((isLoading && failureCount === 0) || !speaks)
    return (
      <div className="pub-page">
        <RowSkeletons />
      </div>
    )
  return me && !me.is_email_verified ? <PublicShell me={me} /> : <Shell />
}
