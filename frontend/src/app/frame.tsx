import { useLoaderData } from 'react-router'
import { PublicShell } from './public-shell'
import { Shell } from './shell'

/** The frame changes together with the page, never before: both follow the loaders of one navigation. */
export function Frame() {
  const signedIn = useLoaderData<boolean>()
  return signedIn ? <Shell /> : <PublicShell />
}
