import { HttpResponse } from 'msw'

interface More {
  errors?: { field: string; code: string; params?: object }[]
  params?: object
  headers?: Record<string, string>
}

/** A refusal in the server's form. */
export const refuse = (status: number, code: string, { errors = [], params = {}, headers = {} }: More = {}) =>
  HttpResponse.json(
    { type: 'about:blank', title: code, status, code, detail: '', params, errors: errors.map((error) => ({ params: {}, ...error })) },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  )

/** An answer that comes when the test says so. */
export function held() {
  let letGo = () => {}
  const until = new Promise<void>((resolve) => (letGo = resolve))
  return { until, letGo }
}
