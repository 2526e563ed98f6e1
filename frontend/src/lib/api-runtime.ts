import { readToken, removeToken } from './token'

// Node's Request refuses relative addresses, so unit tests need the full origin too.
export const createClientConfig = <Config extends object>(config?: Config) => ({
  ...(config as Config),
  baseUrl: globalThis.location.origin,
  fetch: fetchWithWait,
})

/**
 * `fetch`, which adds the seconds of `Retry-After` to the parameters of a 429 problem as `retry_after`, so that its
 * message can say how long to wait.
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

/** Add the stored token, if there is one, to a request without an Authorization header. */
export function authorise(request: Request): Request {
  const token = readToken()
  if (token && !request.headers.has('Authorization')) request.headers.set('Authorization', bearer(token))
  return request
}

let leave: (() => void) | undefined

/** Set the only listener, the app's root, for a token that the server refused. Return a function that removes it. */
export function onTokenRefused(listener: () => void): () => void {
  leave = listener
  return () => {
    if (leave === listener) leave = undefined
  }
}

/** End the session on a 401 or 403, unless the request had another token than the current one, or none. */
export function endSessionIfRefused(response: Response, request: Request): Response {
  const current = readToken()
  const refused = response.status === 401 || response.status === 403
  if (refused && current && request.headers.get('Authorization') === bearer(current)) {
    removeToken()
    leave?.()
  }
  return response
}
