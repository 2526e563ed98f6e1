declare global {
  interface Window {
    /** Set by `src/before.js`: what was asked before the app was there, by path. */
    earlyRequests?: { token: string; answers: Map<string, Promise<Response | undefined>> }
  }
}

const GOOD_FOR = 5_000 // ms since the page began to load: later, what was answered may have changed

/**
 * The answer to what the page asked before its code was there, for one use; none where the request is another one,
 * where it is too old, or where none came.
 */
export async function earlyAnswer(request: Request): Promise<Response | undefined> {
  const asked = window.earlyRequests
  if (!asked) return undefined
  const { pathname, search } = new URL(request.url)
  const answer = asked.answers.get(pathname + search)
  const same = request.method === 'GET' && request.headers.get('Authorization') === `Bearer ${asked.token}`
  if (!answer || !same) return undefined
  asked.answers.delete(pathname + search)
  return performance.now() < GOOD_FOR ? answer : undefined
}
