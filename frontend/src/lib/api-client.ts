import { client } from '@/api/client.gen'
import { authorise, endSessionIfRefused } from './api-runtime'
import { toProblem } from './problems'

/** Joins the generated client with our session and our problems. Call once, at start. */
export function connectClient(loadSentences: () => Promise<void> = () => Promise.resolve()): void {
  client.interceptors.request.use(authorise)
  client.interceptors.response.use(endSessionIfRefused)
  client.interceptors.error.use(async (error, response) => {
    // before anybody can show the problem; without them the general sentence is said
    await loadSentences().catch(() => undefined)
    return toProblem(error, response)
  })
}
