import { authorise, endSessionIfRefused } from './api-runtime'

/** What changed on the server: `kind` names the sort of object, `id` the object. The browser then asks for it again. */
export interface LiveEvent {
  kind: string
  /** None where the kind has one object, or where everything may have changed. */
  id: string | null
}

export type LiveState = { status: 'connecting' } | { status: 'live' } | { status: 'stale'; since: Date }

interface Listener {
  onEvent: (event: LiveEvent) => void
  onState: (state: LiveState) => void
  /** The stream is back after a loss: events may have been missed. */
  onGap: () => void
}

const FIRST_WAIT = 1_000 // ms
const LONGEST_WAIT = 30_000 // ms
/** The server sends an `alive` event every 10 s; three of them missing mean that the connection is dead. */
const SILENCE = 30_000 // ms
const ALIVE = 'alive'

/**
 * Server-sent events by fetch, since EventSource cannot send a bearer token.
 * Connects again for as long as it takes, waiting up to 30 s; ends for good when the token is refused.
 * Returns the function that closes it.
 */
export function connectLive(listener: Listener): () => void {
  const closing = new AbortController()
  void keepListening(listener, closing.signal)
  return () => closing.abort()
}

async function keepListening({ onEvent, onState, onGap }: Listener, closed: AbortSignal) {
  let heard = new Date()
  let wait = FIRST_WAIT
  let lost = false
  onState({ status: 'connecting' })
  while (!closed.aborted) {
    const open = new AbortController()
    const silence = watchdog(SILENCE, () => open.abort())
    try {
      const request = new Request(`${location.origin}/api/live/`, { headers: { Accept: 'text/event-stream' } })
      const response = endSessionIfRefused(
        await fetch(authorise(request), { signal: AbortSignal.any([closed, open.signal]) }),
        request,
      )
      if (response.status === 401 || response.status === 403) return
      if (!response.ok || !response.body) throw new Error(`live stream answered ${response.status}`)
      onState({ status: 'live' })
      if (lost) onGap()
      wait = FIRST_WAIT
      const parser = new EventParser()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        heard = new Date()
        silence.restart()
        for (const { event, data } of parser.push(piece.value)) {
          if (event !== ALIVE) onEvent(toLiveEvent(data))
        }
      }
    } catch (error) {
      if (!closed.aborted) console.info('The live stream was lost, connecting again.', error)
    } finally {
      silence.stop()
    }
    if (closed.aborted) return
    lost = true
    onState({ status: 'stale', since: heard })
    await pause(wait, closed)
    wait = Math.min(wait * 2, LONGEST_WAIT)
  }
}

function toLiveEvent(data: string): LiveEvent {
  const value: unknown = JSON.parse(data)
  if (typeof value === 'object' && value !== null && 'kind' in value && 'id' in value)
    return { kind: String(value.kind), id: typeof value.id === 'string' ? value.id : null }
  throw new Error(`not a live event: ${data}`)
}

/** Resolves after the time or as soon as the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function watchdog(milliseconds: number, bark: () => void) {
  let timer = setTimeout(bark, milliseconds)
  return {
    restart() {
      clearTimeout(timer)
      timer = setTimeout(bark, milliseconds)
    },
    stop: () => clearTimeout(timer),
  }
}

export interface ServerEvent {
  event: string
  data: string
}

/** The part of the event stream format that the server uses: `event:`, `data:`, comments, a blank line ends an event. */
export class EventParser {
  private rest = ''
  private event = 'message'
  private data: string[] = []

  /** Takes the next piece of the stream, cut anywhere, and returns the events that it completes. */
  push(text: string): ServerEvent[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/)
    this.rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.take(line))
  }

  private take(line: string): ServerEvent[] {
    if (line === '') return this.finish()
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.event = value
    if (field === 'data') this.data.push(value)
    return []
  }

  private finish(): ServerEvent[] {
    const complete = this.data.length > 0 ? [{ event: this.event, data: this.data.join('\n') }] : []
    this.event = 'message'
    this.data = []
    return complete
  }
}
