import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { PublicShell } from './public-shell'
import type { FrameData } from './session-loaders'

/** The frame for users or visitors. It changes together with the page: both depend on the same navigation's loaders. */
export function Frame() {
  const { users } = useLoaderData<FrameData>()
  // keep messages visible after a user has logged out
  const [met, setMet] = useState(users)
  if (users && !met) setMet(users)
  return (
    <>
      {met && <met.Messages />}
      {users ? <users.UserFrame /> : <PublicShell />}
    </>
  )
}
