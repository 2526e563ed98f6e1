import { createParser } from 'eventsource-parser'
import { LiveKind, type LiveEventOut } from '@/api/types.gen'
import { bearer, endSessionIfRefused } from './api-runtime'

/** What changed on the server. The browser then asks for it again. */
export type LiveEvent = LiveEventOut

export type LiveState = { status: 'connecting' } | { status: 'live' } | { status: 'stale'; since: Date }

export interface LiveListener {
  onEvent: (event: LiveEvent) => void
  onState: (state: LiveState) => void
  /** Events come again after a loss: some may have been missed. */
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
export function connectLive(token: string, listener: LiveListener): () => void {
  const closing = new AbortController()
  void keepListening(token, listener, closing.signal)
  return () => closing.abort()
}

async function keepListening(token: string, { onEvent, onState, onGap }: LiveListener, closed: AbortSignal) {
  let heard = new Date()
  let wait = FIRST_WAIT
  let lost = false
  /** The last stream stood and said nothing, as behind a proxy that holds it back: the next one has to say something. */
  let doubted = false
  const standsAgain = () => {
    onState({ status: 'live' })
    if (lost) onGap()
    lost = false
  }
  onState({ status: 'connecting' })
  while (!closed.aborted) {
    const open = new AbortController()
    const silence = watchdog(SILENCE, () => {
      doubted = true
      open.abort()
    })
    try {
      const request = new Request(`${location.origin}/api/live/`, {
        headers: { Accept: 'text/event-stream', Authorization: bearer(token) },
      })
      const response = endSessionIfRefused(
        await fetch(request, { signal: AbortSignal.any([closed, open.signal]) }),
        request,
      )
      if (response.status === 401 || response.status === 403) return
      if (!response.ok || !response.body) throw new Error(`live stream answered ${response.status}`)
      if (!doubted) standsAgain()
      wait = FIRST_WAIT
      const parser = createParser({
        onEvent: ({ event, data }) => {
          if (event !== ALIVE) onEvent(toLiveEvent(data))
        },
      })
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      // what was on its way when it was closed is nobody's news any more
      for (let piece = await reader.read(); !piece.done && !closed.aborted; piece = await reader.read()) {
        heard = new Date()
        silence.restart()
        if (doubted) standsAgain()
        doubted = false
        parser.feed(piece.value)
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
    return { kind: toLiveKind(value.kind), id: typeof value.id === 'string' ? value.id : null }
  throw new Error(`not a live event: ${data}`)
}

/** A server that is newer than this tab may know kinds that the tab does not: then it looks at everything. */
const toLiveKind = (value: unknown): LiveKind =>
  Object.values(LiveKind).find((kind) => kind === value) ?? LiveKind.ALL

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
