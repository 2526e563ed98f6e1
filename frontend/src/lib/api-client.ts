import { client } from '@/api/client.gen'
import { loadTexts } from '@/i18n'
import { authorise, endSessionIfRefused } from './api-runtime'
import { toProblem } from './problems'

/** Joins the generated client with our session and our problems. Call once, at start. */
export function connectClient(): void {
  client.interceptors.request.use(authorise)
  client.interceptors.response.use(endSessionIfRefused)
  client.interceptors.error.use(async (error, response) => {
    // its sentence is there before anybody can show it; without one the general sentence is said
    await loadTexts('errors').catch(() => undefined)
    return toProblem(error, response)
  })
}
