import { readToken, removeToken } from './token'

// Node's Request refuses relative addresses, so unit tests need the full origin too.
export const createClientConfig = <Config extends object>(config?: Config) => ({
  ...(config as Config),
  baseUrl: globalThis.location.origin,
})

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
