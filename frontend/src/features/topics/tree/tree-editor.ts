import { isProblem, type Problem } from '@/lib/problems'
import { applyEdit, indexOfTopic, inverseOf, renamed, renameId, type Edit, type Topics } from './tree-edits'

/** The server's response to an edit: the id of a new topic, the id that undoes a removal, or all topics. */
export interface Answer {
  id?: string
  deletion_id?: string
  topics?: Topics
}

/**
 * `waiting`: the server does not answer; the edits are sent as soon as it does. `refused`: the server has answered all
 * edits, and refused at least one.
 */
export type SaveState = 'untouched' | 'saving' | 'saved' | 'waiting' | 'refused'

const MOST_STEPS = 500 // that can be undone

/** An edit, and the edit that undoes it. */
interface Step {
  edit: Edit
  back: Edit
}

/** A step that was undone or redone: `back` was applied to the topics `before`. */
export interface Turn extends Step {
  before: Topics
  done: Promise<Answer>
}

interface Server {
  send: (edit: Edit) => Promise<Answer>
  /** The topics as the server has them. */
  read: () => Promise<Topics>
  /** Milliseconds until the next try. */
  pause: number
}

class Pending {
  resolve!: (answer: Answer) => void
  reject!: (problem: unknown) => void
  readonly done = new Promise<Answer>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor(
    public edit: Edit,
    /** The edit is sent after this has resolved. Never rejects. */
    readonly after?: Promise<unknown>,
  ) {
    // a refusal that nobody handles is not an uncaught error
    this.done.catch(() => undefined)
  }
}

/**
 * The edits of one tree. Each edit shows at once; edits are sent one after the other in their order. A refused edit is
 * undone, with the edits that depend on it. While the server does not answer, all edits wait.
 */
export class TreeEditor {
  #confirmed: Topics = []
  #pending: Pending[] = []
  #past: Step[] = []
  #future: Step[] = []
  #state: SaveState = 'untouched'
  #count = 0
  #ids = new Map<string, string>()
  #keys = new Map<string, string>()
  #watchers = new Set<() => void>()
  #wake: (() => void) | undefined

  constructor(
    private readonly server: Server,
    /** The topics on the screen, to which edits are applied. */
    private readonly screen: { read: () => Topics; show: (topics: Topics) => void },
  ) {}

  /** The number of edits so far. */
  get count() {
    return this.#count
  }

  state = () => this.#state

  /** Return the topics on the screen. */
  readTopics = (): Topics => this.screen.read()

  get topics(): Topics {
    return this.screen.read()
  }

  /** Call `changed` whenever an edit changes the state or the topics. Return what ends that. */
  subscribe = (changed: () => void) => {
    this.#watchers.add(changed)
    return () => void this.#watchers.delete(changed)
  }

  /** Return a provisional id, for a topic without an id of the server. */
  newId = () => `new-${++this.#count}`

  isProvisional = (id: string) => id.startsWith('new-')

  /** Return the server's id of a topic, else its provisional one. */
  idOf = (id: string) => this.#ids.get(id) ?? id

  /** Return the key of a topic's row, which stays the same when the server assigns an id. */
  keyOf = (id: string) => this.#keys.get(id) ?? id

  /**
   * Show the edit at once, and send it once `after` has resolved. Resolve when the server has it; reject with the problem
   * if the server refuses it.
   */
  run(edit: Edit, after?: Promise<unknown>): Promise<Answer> {
    this.#future = []
    return this.#make(edit, this.#past, after)
  }

  /** Return whether the edit changed something and was neither undone nor refused. */
  canUndo = (edit: Edit) => this.#past.some((step) => step.edit === edit)

  /** Undo an edit, by default the latest, by another edit. Return undefined if there is none. */
  undo = (edit?: Edit) => this.#turn(this.#past, this.#future, edit)

  /** Redo the edit that was undone last. */
  redo = () => this.#turn(this.#future, this.#past)

  #turn(from: Step[], to: Step[], edit?: Edit): Turn | undefined {
    for (;;) {
      const at = edit ? from.findIndex((step) => step.edit === edit) : from.length - 1
      const [step] = at < 0 ? [] : from.splice(at, 1)
      if (!step) return undefined
      const before = this.screen.read()
      // otherwise the topic was deleted in another tab, or was never created
      if (applyEdit(before, renamed(step.back, this.idOf)) !== before)
        return { ...step, before, done: this.#make(step.back, to) }
    }
  }

  /** Run an edit, and add its step to `steps` unless the server refuses it. */
  #make(edit: Edit, steps: Step[], after?: Promise<unknown>): Promise<Answer> {
    const before = this.screen.read()
    const done = this.#queue(edit, after)
    const deletion = done.then(({ deletion_id = '' }) => ({ deletion_id }))
    // a refused removal is undone already
    deletion.catch(() => undefined)
    const back = inverseOf(before, renamed(edit, this.idOf), deletion)
    if (!back) return done
    const step = { edit, back }
    steps.push(step)
    if (steps.length > MOST_STEPS) steps.shift()
    done.catch(() => {
      const at = steps.indexOf(step)
      if (at >= 0) steps.splice(at, 1)
    })
    return done
  }

  #queue(edit: Edit, after?: Promise<unknown>): Promise<Answer> {
    const merged = this.#merge(edit)
    if (merged) return merged
    if (this.#pending.length === 0) this.#confirmed = this.screen.read()
    this.#count++
    const pending = new Pending(edit, after)
    this.#pending.push(pending)
    this.#show(applyEdit(this.screen.read(), renamed(edit, this.idOf)))
    if (this.#pending.length === 1) void this.#sendAll()
    return pending.done
  }

  /** Resolve when the server has all edits; reject when the signal aborts. */
  idle(signal?: AbortSignal): Promise<void> {
    if (this.#pending.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const stop = this.subscribe(() => {
        if (this.#pending.length > 0) return
        stop()
        resolve()
      })
      signal?.addEventListener('abort', () => {
        stop()
        reject(signal.reason as Error)
      })
    })
  }

  /** Try again now to send the waiting edits. */
  retry = () => this.#wake?.()

  /** Merge an edit into the last one of the same topic that is not being sent, since typing saves often. */
  #merge(edit: Edit): Promise<Answer> | undefined {
    const last = this.#pending.at(-1)
    const isBeingSent = this.#pending.length === 1
    if (!last || isBeingSent || edit.kind !== 'change' || last.edit.kind !== 'change' || last.edit.id !== edit.id)
      return undefined
    const over = last.edit.changes.notes === undefined ? edit.over : last.edit.over
    last.edit = { ...last.edit, over, changes: { ...last.edit.changes, ...edit.changes } }
    this.#count++
    this.#show(applyEdit(this.screen.read(), renamed(edit, this.idOf)))
    return last.done
  }

  async #sendAll() {
    this.#set('saving')
    let refused = false
    for (let next = this.#pending[0]; next; next = this.#pending[0]) {
      if (next.after) await next.after
      const edit = renamed(next.edit, this.idOf)
      const after = applyEdit(this.#confirmed, edit)
      if (after === this.#confirmed) {
        // an edit that it depends on was refused, or it changes nothing
        this.#pending.shift()
        this.#showAgain()
        next.resolve({})
        continue
      }
      try {
        const answer = await this.server.send(edit)
        this.#settle(next, edit, after, answer)
      } catch (problem) {
        if (isUnreachable(problem)) refused = !(await this.#waitFor(next, edit)) || refused
        else {
          refused = true
          this.#pending.shift()
          this.#showAgain()
          next.reject(problem)
        }
      }
    }
    this.#set(refused ? 'refused' : 'saved')
  }

  /** Finish an edit that the server has: the response is the base of the edits that follow. */
  #settle(done: Pending, edit: Edit, after: Topics, answer: Answer) {
    this.#pending.shift()
    this.#confirmed = answer.topics ?? after
    const named = answer.id && answer.id !== edit.id ? answer.id : undefined
    if (named) {
      this.#ids.set(edit.id, named)
      this.#keys.set(named, edit.id)
      this.#confirmed = renameId(this.#confirmed, edit.id, named)
    }
    // other changes are on the screen already
    if (answer.topics) this.#showAgain()
    else if (named) this.#show(renameId(this.screen.read(), edit.id, named))
    done.resolve(answer)
  }

  /**
   * Read the topics until the server answers, since the edit whose response was lost may have arrived. Return false if
   * the server accepts no edits any more.
   */
  async #waitFor(next: Pending, edit: Edit): Promise<boolean> {
    this.#set('waiting')
    for (;;) {
      await this.#rest()
      try {
        const before = this.#confirmed
        const topics = await this.server.read()
        this.#confirmed = topics
        const answer = arrived(before, topics, edit)
        if (answer) this.#settle(next, edit, topics, { ...answer, topics })
        this.#set('saving')
        return true
      } catch (problem) {
        if (!isUnreachable(problem)) {
          // logged out, or the tree was deleted
          for (const { reject } of this.#pending.splice(0)) reject(problem)
          this.#showAgain()
          return false
        }
      }
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.server.pause)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #show(topics: Topics) {
    this.screen.show(topics)
    this.#notify()
  }

  /** Show the server's topics with all pending edits, after an edit was dropped or the server sent other topics. */
  #showAgain() {
    this.#show(
      this.#pending.reduce((shown, { edit }) => applyEdit(shown, renamed(edit, this.idOf)), this.#confirmed),
    )
  }

  #set(state: SaveState) {
    this.#state = state
    this.#notify()
  }

  #notify() {
    for (const changed of this.#watchers) changed()
  }
}

/** Return whether the server did not answer, or asks to try again later. The edit may be valid. */
function isUnreachable(problem: unknown): problem is Problem {
  if (!isProblem(problem)) return false
  return problem.status === 0 || problem.status === 429 || problem.status >= 500
}

/** Return the lost response, if the topics show that the edit arrived. Repeatable edits are sent again. */
function arrived(before: Topics, after: Topics, edit: Edit): Answer | undefined {
  switch (edit.kind) {
    case 'add':
    case 'accept': {
      const oldIds = new Set(before.map(({ id }) => id))
      const newTopic = after.find(
        (topic) => topic.title === edit.title && topic.parent_id === edit.place.parentId && !oldIds.has(topic.id),
      )
      return newTopic && { id: newTopic.id }
    }
    case 'remove':
      return indexOfTopic(after, edit.id) < 0 ? {} : undefined
    case 'restore':
      return indexOfTopic(after, edit.id) < 0 ? undefined : {}
    default:
      return undefined
  }
}
