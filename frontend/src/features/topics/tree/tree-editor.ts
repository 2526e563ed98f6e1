import { isProblem, type Problem } from '@/lib/problems'
import { applyEdit, indexOfTopic, inverseOf, renamed, renameId, type Edit, type Topics } from './tree-edits'

/** What the server said to an edit: the id of what it made, how to take a removal back, or the whole tree anew. */
export interface Answer {
  id?: string
  deletion_id?: string
  topics?: Topics
}

/**
 * `waiting`: the server does not answer; the edits are kept and sent as soon as it does. `refused`: it has answered all
 * of them, and did not take every one.
 */
export type SaveState = 'untouched' | 'saving' | 'saved' | 'waiting' | 'refused'

const MOST_STEPS = 500 // that can be taken back

/** An edit that was made, and the one that takes it back. */
interface Step {
  made: Edit
  back: Edit
}

/** A step that was gone back, or forth again: `back` was made on the topics `before`. */
export interface Turn extends Step {
  before: Topics
  done: Promise<Answer>
}

interface Server {
  send: (edit: Edit) => Promise<Answer>
  /** The topics as the server has them. */
  read: () => Promise<Topics>
  /** How long to wait before the next try, in ms. */
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
    /** What the server needs before this edit. Never rejects. */
    readonly after?: Promise<unknown>,
  ) {
    // whoever cares looks at `done`; a refusal is nobody's uncaught error
    this.done.catch(() => undefined)
  }
}

/**
 * The edits of one tree, from the moment a person makes them. They show at once, and are sent one after the other in
 * their order. Of what the server refuses only that edit is taken back, with those that need it. While the server does
 * not answer, nothing is given up.
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
    /** The topics on the screen; they are what edits are made on. */
    private readonly screen: { read: () => Topics; show: (topics: Topics) => void },
  ) {}

  /** How many edits there were so far. */
  get count() {
    return this.#count
  }

  state = () => this.#state

  /** As they are on the screen. */
  readTopics = (): Topics => this.screen.read()

  get topics(): Topics {
    return this.screen.read()
  }

  /** Whenever the state or the topics change by an edit. */
  subscribe = (changed: () => void) => {
    this.#watchers.add(changed)
    return () => void this.#watchers.delete(changed)
  }

  /** A provisional id, for a topic that the server has not named yet. */
  newId = () => `new-${++this.#count}`

  isProvisional = (id: string) => id.startsWith('new-')

  /** The server's id of a topic, where it has one by now. */
  idOf = (id: string) => this.#ids.get(id) ?? id

  /** What a topic is called on the screen from its birth on, so that its row stays when the server names it. */
  keyOf = (id: string) => this.#keys.get(id) ?? id

  /**
   * Shows the edit at once, and sends it once `after` has resolved. Resolves when the server has it, rejects with the
   * problem when it does not take it.
   */
  run(edit: Edit, after?: Promise<unknown>): Promise<Answer> {
    this.#future = []
    return this.#make(edit, this.#past, after)
  }

  /** Whether the edit changed something that is not taken back yet, by a person or by the server. */
  canUndo = (made: Edit) => this.#past.some((step) => step.made === made)

  /** Takes back an edit, without one the latest. It is an edit like any other. Undefined where there is none. */
  undo = (made?: Edit) => this.#turn(this.#past, this.#future, made)

  /** Makes again what was taken back last. */
  redo = () => this.#turn(this.#future, this.#past)

  #turn(from: Step[], to: Step[], made?: Edit): Turn | undefined {
    for (;;) {
      const at = made ? from.findIndex((step) => step.made === made) : from.length - 1
      const [step] = at < 0 ? [] : from.splice(at, 1)
      if (!step) return undefined
      const before = this.screen.read()
      // else its topic went in another tab, or never came to be
      if (applyEdit(before, renamed(step.back, this.idOf)) !== before)
        return { ...step, before, done: this.#make(step.back, to) }
    }
  }

  /** Runs an edit; what takes it back goes onto `steps`, for as long as the server does not refuse it. */
  #make(edit: Edit, steps: Step[], after?: Promise<unknown>): Promise<Answer> {
    const before = this.screen.read()
    const done = this.#queue(edit, after)
    const deletion = done.then(({ deletion_id = '' }) => ({ deletion_id }))
    // a removal that was refused has brought everything back by itself
    deletion.catch(() => undefined)
    const back = inverseOf(before, renamed(edit, this.idOf), deletion)
    if (!back) return done
    const step = { made: edit, back }
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

  /** Resolves as soon as the server has everything; rejects when the signal aborts. */
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

  /** Tries again now what waits for the server. */
  retry = () => this.#wake?.()

  /** Typing saves the same topic again and again: what is not on its way yet goes in one call. */
  #merge(edit: Edit): Promise<Answer> | undefined {
    const last = this.#pending.at(-1)
    const onItsWay = this.#pending.length === 1
    if (!last || onItsWay || edit.kind !== 'change' || last.edit.kind !== 'change' || last.edit.id !== edit.id)
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
        // what it needs was refused, or it changes nothing
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

  /** The server has it: what it answered is part of the tree that the others are made on. */
  #settle(done: Pending, edit: Edit, after: Topics, answer: Answer) {
    this.#pending.shift()
    this.#confirmed = answer.topics ?? after
    const named = answer.id && answer.id !== edit.id ? answer.id : undefined
    if (named) {
      this.#ids.set(edit.id, named)
      this.#keys.set(named, edit.id)
      this.#confirmed = renameId(this.#confirmed, edit.id, named)
    }
    // all else is on the screen already
    if (answer.topics) this.#showAgain()
    else if (named) this.#show(renameId(this.screen.read(), edit.id, named))
    done.resolve(answer)
  }

  /**
   * After a lost answer nobody knows whether the server has it: it is asked before anything is sent again. False where
   * it takes nothing any more.
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
          // signed out, or the tree is gone: there is nothing left to send to
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
    this.#tell()
  }

  /** From what the server has on, since an edit was taken out or the server said more than was known. */
  #showAgain() {
    this.#show(
      this.#pending.reduce((shown, { edit }) => applyEdit(shown, renamed(edit, this.idOf)), this.#confirmed),
    )
  }

  #set(state: SaveState) {
    this.#state = state
    this.#tell()
  }

  #tell() {
    for (const changed of this.#watchers) changed()
  }
}

/** Return whether the server did not answer, or asks to try again later. The edit may be valid. */
function isUnreachable(problem: unknown): problem is Problem {
  if (!isProblem(problem)) return false
  return problem.status === 0 || problem.status === 429 || problem.status >= 500
}

/** The answer that was lost, where the tree shows that the edit came through. Edits that may be repeated are. */
function arrived(before: Topics, now: Topics, edit: Edit): Answer | undefined {
  switch (edit.kind) {
    case 'add':
    case 'accept': {
      const known = new Set(before.map(({ id }) => id))
      const born = now.find(
        (topic) => topic.title === edit.title && topic.parent_id === edit.place.parentId && !known.has(topic.id),
      )
      return born && { id: born.id }
    }
    case 'remove':
      return indexOfTopic(now, edit.id) < 0 ? {} : undefined
    case 'restore':
      return indexOfTopic(now, edit.id) < 0 ? undefined : {}
    default:
      return undefined
  }
}
