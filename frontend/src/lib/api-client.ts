import { client } from '@/api/client.gen'
import { authorise, endSessionIfRefused } from './api-runtime'
import { toProblem } from './problems'

/** Add the session token and our problems to the generated client. Call once, at start. */
export function connectClient(): void {
  client.interceptors.request.use(authorise)
  client.interceptors.response.use(endSessionIfRefused)
  client.interceptors.error.use(toProblem)
}
