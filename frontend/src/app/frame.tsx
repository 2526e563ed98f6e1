import { useQuery } from '@tanstack/react-query'
import { useLoaderData } from 'react-router'
import { RowSkeletons } from '@/components/skeletons'
import { meQuery } from '@/features/session/api'
import { useStoredLanguage } from '@/features/session/use-stored-language'
import { PublicShell } from './public-shell'
import { Shell } from './shell'

/** The frame changes together with the page, never before: both follow the loaders of one navigation. */
export function Frame() {
  const signedIn = useLoaderData<boolean>()
  return signedIn ? <UserFrame /> : <PublicShell />
}

/**
 * Nothing is shown before it is known who is there: not the wrong language, and not a navigation to pages that are
 * closed until the e-mail is verified. A server that fails is no reason to wait: the pages say that themselves.
 */
function UserFrame() {
  const { data: me, isLoading, failureCount } = useQuery(meQuery)
  useStoredLanguage()
  if (isLoading && failureCount === 0)
    return (
      <div className="pub-page">
        <RowSkeletons />
      </div>
    )
  return me && !me.is_email_verified ? <PublicShell me={me} /> : <Shell />
}
