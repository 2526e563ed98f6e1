import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { PublicShell } from './public-shell'
import type { FrameData } from './session-loaders'

/** The frame changes together with the page, never before: both follow the loaders of one navigation. */
export function Frame() {
  const { users } = useLoaderData<FrameData>()
  // what was said to a user is still to be read once that one is a visitor
  const [met, setMet] = useState(users)
  if (users && !met) setMet(users)
  return (
    <>
      {met && <met.Messages />}
      {users ? <users.UserFrame /> : <PublicShell />}
    </>
  )
}
