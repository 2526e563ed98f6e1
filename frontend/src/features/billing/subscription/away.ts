const KEY = 'postloom-payment-page'

/** Open a page of the payment provider, which leads back without a result. */
export function leaveToChange(address: string): void {
  sessionStorage.setItem(KEY, '1')
  location.assign(address)
}

/** Return whether this tab has come back from such a page; true only once. */
export function cameBack(): boolean {
  const wasAway = sessionStorage.getItem(KEY) !== null
  sessionStorage.removeItem(KEY)
  return wasAway
}
