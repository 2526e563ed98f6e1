import { createParser } from 'eventsource-parser'
import { LiveKind, type LiveEventOut } from '@/api/types.gen'
import { bearer, endSessionIfRefused } from './api-runtime'

/** A change on the server, which the browser then fetches again. */
export type LiveEvent = LiveEventOut

export type LiveState = { status: 'connecting' } | { status: 'live' } | { status: 'stale'; since: Date }

export interface LiveListener {
  onEvent: (event: LiveEvent) => void
  onState: (state: LiveState) => void
  /** Called when events arrive again after a lost connection: some may have been missed. */
  onGap: () => void
}

const FIRST_WAIT = 1_000 // ms
const LONGEST_WAIT = 30_000 // ms
/** The server sends an `alive` event every 10 s; if three are missing, the connection is dead. */
const SILENCE = 30_000 // ms
const ALIVE = 'alive'

/**
 * Listen to server-sent events by fetch, since EventSource cannot send a bearer token.
 * Reconnect without a limit, waiting up to 30 s; stop if the token is refused.
 * Return the function that closes the connection.
 */
export function connectLive(token: string, listener: LiveListener): () => void {
  const closing = new AbortController()
  void keepListening(token, listener, closing.signal)
  return () => closing.abort()
}

async function keepListening(token: string, { onEvent, onState, onGap }: LiveListener, closed: AbortSignal) {
  let lastDataAt = new Date()
  let wait = FIRST_WAIT
  let wasLost = false
  /** The last stream was open but silent, as behind a buffering proxy: the next is live at its first data. */
  let isUnconfirmed = false
  const markLive = () => {
    onState({ status: 'live' })
    if (wasLost) onGap()
    wasLost = false
  }
  onState({ status: 'connecting' })
  while (!closed.aborted) {
    const open = new AbortController()
    const silence = watchdog(SILENCE, () => {
      isUnconfirmed = true
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
      if (!isUnconfirmed) markLive()
      wait = FIRST_WAIT
      const parser = createParser({
        onEvent: ({ event, data }) => {
          if (event !== ALIVE) onEvent(toLiveEvent(data))
        },
      })
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      // ignore data that arrives after closing
      for (let piece = await reader.read(); !piece.done && !closed.aborted; piece = await reader.read()) {
        lastDataAt = new Date()
        silence.restart()
        if (isUnconfirmed) markLive()
        isUnconfirmed = false
        parser.feed(piece.value)
      }
    } catch (error) {
      if (!closed.aborted) console.info('The live stream was lost, connecting again.', error)
    } finally {
      silence.stop()
    }
    if (closed.aborted) return
    wasLost = true
    onState({ status: 'stale', since: lastDataAt })
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

/** Return the kind, or `all` for an unknown kind of a newer server, so that everything is fetched again. */
const toLiveKind = (value: unknown): LiveKind =>
  Object.values(LiveKind).find((kind) => kind === value) ?? LiveKind.ALL

/** Resolve after the time or as soon as the signal aborts. */
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
