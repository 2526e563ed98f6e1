const KEY = 'postloom-payment-page'

/** Leads to a page of the payment provider, which leads back and does not say what was done there. */
export function leaveToChange(address: string): void {
  sessionStorage.setItem(KEY, '1')
  location.assign(address)
}

/** Whether this tab was on such a page, for one use. */
export function cameBack(): boolean {
  const wasAway = sessionStorage.getItem(KEY) !== null
  sessionStorage.removeItem(KEY)
  return wasAway
}
