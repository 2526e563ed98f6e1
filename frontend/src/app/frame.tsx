import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { PublicShell } from './public-shell'
import type { FrameData } from './session-loaders'

/** The frame for users or visitors. It changes together with the page: both depend on the same navigation's loaders. */
export function Frame() {
  const { users } = useLoaderData<FrameData>()
  // keep messages visible after a user has logged out
  const [lastUsers, setLastUsers] = useState(users)
  if (users && !lastUsers) setLastUsers(users)
  return (
    <>
      {lastUsers && <lastUsers.Messages />}
      {users ? <users.UserFrame /> : <PublicShell />}
    </>
  )
}
