const LONGEST = 2_000 // ms that a busy browser is waited for
const WITHOUT_A_SAY = 200 // ms, where the browser does not tell when it is idle

/** Resolves once the page has loaded and the browser has nothing better to do: for what nobody waits for. */
export async function idle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  await new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LONGEST })
    else setTimeout(resolve, WITHOUT_A_SAY)
  })
}
