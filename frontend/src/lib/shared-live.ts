import { watchdog, type LiveEvent, type LiveListener, type LiveState } from './live'

/** What the tab that holds the stream tells the others, and what a tab asks that has just come. */
type Message =
  | { type: 'hello' }
  | { type: 'state'; state: LiveState }
  | { type: 'event'; event: LiveEvent }
  | { type: 'gap' }

interface Stream {
  /** The tabs that share one stream know each other by it. */
  name: string
  /** Opens the stream. Returns the function that closes it. */
  connect: (listener: LiveListener) => () => void
  /** None where the browser has no Web Locks, as on plain HTTP: then each tab has a stream of its own. */
  locks: LockManager | undefined
  /** This tab was away, so it may have missed events. */
  returning?: boolean
}

/** How often the holder says that it is there. */
const BEAT = 10_000 // ms
/** A holder that says nothing for so long is frozen or gone astray: another tab takes the stream from it. */
const SILENCE = 30_000 // ms
/** Tabs that wake up together do not all take it. */
const SPREAD = 5_000 // ms

/**
 * One stream for all tabs, since a browser opens six connections to a server at most. A lock elects the tab that holds
 * the stream and passes on what it hears; when that tab closes, the next in the queue has the lock at once. What
 * happened until its stream stands was heard by nobody, so all of them look again.
 * Returns the function by which this tab leaves.
 */
export function shareLive({ name, connect, locks, returning = false }: Stream, listener: LiveListener): () => void {
  let missed = returning
  const show = (state: LiveState) => {
    listener.onState(state)
    if (missed && state.status === 'live') {
      missed = false
      listener.onGap()
    }
  }
  if (!locks) return connect({ ...listener, onState: show })

  const channel = new BroadcastChannel(name)
  const tell = (message: Message) => channel.postMessage(message)
  const left = new AbortController()
  let queued = new AbortController()
  let latest: LiveState = { status: 'connecting' }
  let holding = false
  /** There was another holder: what comes now has a gap before it. */
  let followed = false
  let heard = new Date()

  const silence = watchdog(SILENCE + Math.random() * SPREAD, () => {
    show((latest = { status: 'stale', since: heard }))
    queued.abort()
  })

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'hello') {
      if (holding) tell({ type: 'state', state: latest })
      return
    }
    // the last words of a holder from which this tab has taken the stream
    if (holding) return
    followed = true
    heard = new Date()
    silence.restart()
    if (data.type === 'event') listener.onEvent(data.event)
    else if (data.type === 'gap') listener.onGap()
    else show((latest = data.state))
  }

  const hold = (until: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (until.aborted) {
        resolve()
        return
      }
      holding = true
      silence.stop()
      let gap = followed
      missed ||= followed
      const close = connect({
        onEvent: (event) => {
          tell({ type: 'event', event })
          listener.onEvent(event)
        },
        onState: (state) => {
          // taking over takes a moment, which no tab has to show
          if (followed && state.status === 'connecting') return
          latest = state
          tell({ type: 'state', state })
          if (gap && state.status === 'live') {
            gap = false
            tell({ type: 'gap' })
          }
          show(state)
        },
        onGap: () => {
          tell({ type: 'gap' })
          listener.onGap()
        },
      })
      const beat = setInterval(() => tell({ type: 'state', state: latest }), BEAT)
      until.addEventListener('abort', () => {
        clearInterval(beat)
        close()
        holding = false
        resolve()
      })
    })

  const takeTurns = async () => {
    while (!left.signal.aborted) {
      const steal = queued.signal.aborted
      queued = new AbortController()
      const over = new AbortController()
      try {
        // the two options exclude each other
        const options = steal ? { steal } : { signal: AbortSignal.any([left.signal, queued.signal]) }
        await locks.request(name, options, () => hold(AbortSignal.any([left.signal, over.signal])))
      } catch (error) {
        // left, tired of waiting, or taken by another tab
        if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
        if (holding) followed = missed = true
      } finally {
        over.abort()
        silence.restart()
      }
    }
    silence.stop()
  }

  tell({ type: 'hello' })
  void takeTurns()
  return () => {
    left.abort()
    silence.stop()
    channel.close()
  }
}
