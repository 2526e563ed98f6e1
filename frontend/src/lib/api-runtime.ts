import { readToken, removeToken } from './token'

// Node's Request refuses relative addresses, so unit tests need the full origin too.
export const createClientConfig = <Config extends object>(config?: Config) => ({
  ...(config as Config),
  baseUrl: globalThis.location.origin,
  fetch: fetchWithWait,
})

/**
 * `fetch`, with the seconds after which a refused caller may come back among the parameters of its problem: what
 * people read is made from these, and they shall read how long to wait.
 */
export async function fetchWithWait(request: Request): Promise<Response> {
  const response = await fetch(request)
  const wait = Number(response.headers.get('Retry-After'))
  const isProblem = response.headers.get('Content-Type')?.startsWith('application/problem+json')
  if (response.status !== 429 || !isProblem || !(wait > 0)) return response
  const problem = (await response.json()) as { params: object }
  const body = JSON.stringify({ ...problem, params: { ...problem.params, retry_after: wait } })
  return new Response(body, { status: response.status, headers: { 'Content-Type': 'application/problem+json' } })
}

export const bearer = (token: string) => `Bearer ${token}`

/** Puts the stored token, if there is one, on a request of ours that names none itself. */
export function authorise(request: Request): Request {
  const token = readToken()
  if (token && !request.headers.has('Authorization')) request.headers.set('Authorization', bearer(token))
  return request
}

let leave: (() => void) | undefined

/** What follows when the server no longer takes the token. One listener: the app's root. Returns how to stop. */
export function onTokenRefused(listener: () => void): () => void {
  leave = listener
  return () => {
    if (leave === listener) leave = undefined
  }
}

/** A 401 or 403 ends the session. An answer to an older token, or to none, says nothing about the current one. */
export function endSessionIfRefused(response: Response, request: Request): Response {
  const current = readToken()
  const refused = response.status === 401 || response.status === 403
  if (refused && current && request.headers.get('Authorization') === bearer(current)) {
    removeToken()
    leave?.()
  }
  return response
}
