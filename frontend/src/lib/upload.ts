/**
 * Return a `fetch` for one call of the generated client that sends this body and reports the sent share of the request,
 * from 0 to 1, which fetch itself cannot. The client still handles token, refusals and problems. The browser reads a
 * file while it is sent: a video is never held in memory.
 */
export const fetchWithProgress =
  (body: File | FormData, onSent: (share: number) => void): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    // the browser writes the form anew, with a boundary of its own
    if (body instanceof FormData) request.headers.delete('Content-Type')
    return new Promise<Response>((resolve, reject) => {
      const call = new XMLHttpRequest()
      call.open(request.method, request.url)
      request.headers.forEach((value, name) => call.setRequestHeader(name, value))
      call.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0)
      call.upload.onload = () => onSent(1)
      call.onload = () => resolve(answerOf(call))
      call.onerror = () => reject(new TypeError('The connection was lost.'))
      call.onabort = () => reject(new Error('The call was stopped.'))
      request.signal.addEventListener('abort', () => call.abort())
      call.send(body)
    })
  }

function answerOf(call: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of call.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', ...value] = line.split(': ')
    if (name) headers.append(name, value.join(': '))
  }
  // a response without content must have a null body
  return new Response(call.responseText || null, { status: call.status, headers })
}
