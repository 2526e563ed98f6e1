import { useLocation } from 'react-router'

/** What the link of a mail or an invitation brings. It stands behind the #, which no server and no log gets to see. */
export function useLinkParams(): URLSearchParams {
  const { hash } = useLocation()
  return new URLSearchParams(hash.slice(1))
}
