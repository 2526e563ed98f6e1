import { useLocation } from 'react-router'

/** Return the parameters of a link in a mail or invitation. They are after the #, which no server or log sees. */
export function useLinkParams(): URLSearchParams {
  const { hash } = useLocation()
  return new URLSearchParams(hash.slice(1))
}
