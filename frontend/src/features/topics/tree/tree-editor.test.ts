import { describe, expect, it, vi } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import type { Problem } from '@/lib/problems'
import { TreeEditor, type Answer } from './tree-editor'
import { applyEdit, branchOf, type Edit, type Topics } from './tree-edits'

const topic = (id: string, parent_id: string | null, depth: number): TopicOut => ({
  id,
  parent_id,
  depth,
  title: id,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
})

const TREE: Topics = [topic('r', null, 0), topic('a', 'r', 1), topic('b', 'r', 1)]
const problem = (status: number): Error & Problem =>
  Object.assign(new Error(), { status, code: 'not_found' as const, detail: '', params: {}, errors: [] })
const titles = (topics: Topics) => topics.map(({ depth, title }) => '.'.repeat(depth) + title).join(' ')

/** A server whose answers are given by hand; it keeps a tree of its own. */
function setUp() {
  let shown = TREE
  let stored = TREE
  let made = 0
  const calls: { edit: Edit; answer: (lost?: boolean) => Promise<void>; fail: (status: number) => Promise<void> }[] = []
  const store = (edit: Edit): Answer => {
    const isNew = edit.kind === 'add' || edit.kind === 'accept'
    const id = isNew ? `server-${++made}` : edit.id
    stored = applyEdit(stored, { ...edit, id })
    return edit.kind === 'remove' ? { deletion_id: 'd' } : isNew ? { id } : {}
  }
  const editor = new TreeEditor(
    {
      send: (edit) =>
        new Promise((resolve, reject) =>
          calls.push({
            edit,
            answer: async (lost = false) => {
              const answer = store(edit)
              if (lost) reject(problem(0))
              else resolve(answer)
              await settled()
            },
            fail: async (status) => {
              reject(problem(status))
              await settled()
            },
          }),
        ),
      read: () => Promise.resolve(stored),
      pause: 5,
    },
    { read: () => shown, show: (topics) => (shown = topics) },
  )
  return { editor, calls, shown: () => titles(shown), stored: () => titles(stored), topics: () => shown }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

const add = (id: string, parentId: string): Edit => ({
  kind: 'add',
  id,
  title: id,
  place: { parentId, afterId: null },
})

describe('TreeEditor', () => {
  it('sends an edit after what the server needs before it, and is not saved until then', async () => {
    const { editor, calls, shown } = setUp()
    let isThere = (): void => undefined
    const needed = new Promise<void>((resolve) => (isThere = resolve))
    void editor.run(add('x', 'a'), needed)
    expect(shown()).toContain('..x')
    await settled()
    expect([calls.length, editor.state()]).toEqual([0, 'saving'])
    isThere()
    await settled()
    await calls[0]?.answer()
    expect(editor.state()).toBe('saved')
  })

  it('shows an edit at once and sends one after the other', async () => {
    const { editor, calls, shown, stored } = setUp()
    void editor.run({ kind: 'move', id: 'b', place: { parentId: 'r', afterId: null } })
    void editor.run({ kind: 'move', id: 'b', place: { parentId: 'a', afterId: null } })
    expect(shown()).toBe('r .a ..b')
    expect([calls.length, editor.state()]).toEqual([1, 'saving'])
    await calls[0]?.answer()
    expect(stored()).toBe('r .b .a')
    expect(calls).toHaveLength(2)
    await calls[1]?.answer()
    expect([stored(), editor.state()]).toEqual(['r .a ..b', 'saved'])
  })

  it('sends what was made under a new topic with the id that the server gave it', async () => {
    const { editor, calls, shown, topics } = setUp()
    const id = editor.newId()
    void editor.run(add(id, 'b'))
    void editor.run({ kind: 'change', id, changes: { enabled: false } })
    void editor.run(add(editor.newId(), id))
    await calls[0]?.answer()
    expect(topics().map((one) => one.id)).toContain('server-1')
    expect(editor.keyOf('server-1')).toBe(id)
    expect(calls[1]?.edit).toMatchObject({ kind: 'change', id: 'server-1' })
    await calls[1]?.answer()
    expect(calls[2]?.edit).toMatchObject({ kind: 'add', place: { parentId: 'server-1' } })
    await calls[2]?.answer()
    expect(shown()).toBe(`r .a .b ..${id} ...new-4`)
  })

  it('takes back only what is refused, and what needs it', async () => {
    const { editor, calls, shown, stored } = setUp()
    const refused = editor.run(add('new-x', 'a'))
    void editor.run(add('new-y', 'new-x'))
    void editor.run({ kind: 'move', id: 'b', place: { parentId: 'r', afterId: null } })
    expect(shown()).toBe('r .b .a ..new-x ...new-y')
    const reason = expect(refused).rejects.toMatchObject({ status: 422 })
    await calls[0]?.fail(422)
    await reason
    expect(shown()).toBe('r .b .a')
    expect(calls.map(({ edit }) => edit.kind)).toEqual(['add', 'move'])
    await calls[1]?.answer()
    expect([stored(), editor.state()]).toEqual(['r .b .a', 'refused'])
    void editor.run({ kind: 'remove', id: 'b' })
    await calls[2]?.answer()
    expect(editor.state()).toBe('saved')
  })

  it('keeps what the server could not be told, and sends it again', async () => {
    const { editor, calls, shown, stored } = setUp()
    void editor.run(add('new-x', 'a'))
    void editor.run({ kind: 'remove', id: 'b' })
    await calls[0]?.fail(503)
    expect([shown(), editor.state()]).toEqual(['r .a ..new-x', 'waiting'])
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    await calls[1]?.answer()
    await calls[2]?.answer()
    expect([stored(), editor.state()]).toEqual(['r .a ..new-x', 'saved'])
  })

  it('never adds twice when only the answer was lost', async () => {
    const { editor, calls, shown, stored } = setUp()
    void editor.run(add('new-x', 'a'))
    await calls[0]?.answer(true)
    editor.retry()
    await editor.idle()
    expect([calls.length, stored(), shown()]).toEqual([1, 'r .a ..new-x .b', 'r .a ..new-x .b'])
  })

  it('brings back with the id of the removal, also while that is still on its way', async () => {
    const { editor, calls, shown, topics } = setUp()
    const branch = branchOf(topics(), 'a')
    const deletion = editor.run({ kind: 'remove', id: 'a' }).then(({ deletion_id = '' }) => ({ deletion_id }))
    void editor.run({ kind: 'restore', id: 'a', branch, place: { parentId: 'r', afterId: null }, deletion })
    expect(shown()).toBe('r .a .b')
    await calls[0]?.answer()
    const restore = calls[1]?.edit
    expect(restore?.kind === 'restore' && (await restore.deletion)).toEqual({ deletion_id: 'd' })
    await calls[1]?.answer()
    expect([shown(), editor.state()]).toEqual(['r .a .b', 'saved'])
  })

  it('sends in one call what is typed while another is on its way', async () => {
    const { editor, calls } = setUp()
    void editor.run({ kind: 'change', id: 'a', changes: { notes: 'R' } })
    void editor.run({ kind: 'change', id: 'a', changes: { notes: 'Ra' } })
    void editor.run({ kind: 'change', id: 'a', changes: { notes: 'Rain', weight: 2 } })
    await calls[0]?.answer()
    expect(calls[1]?.edit).toMatchObject({ changes: { notes: 'Rain', weight: 2 } })
    await calls[1]?.answer()
    expect([calls.length, editor.state()]).toEqual([2, 'saved'])
  })

  it('goes back through everything in its order, and forth again', async () => {
    const { editor, calls, shown } = setUp()
    const id = editor.newId()
    const states = [shown()]
    const edits: Edit[] = [
      add(id, 'a'),
      { kind: 'change', id, changes: { title: 'Named' } },
      { kind: 'move', id, place: { parentId: 'b', afterId: null } },
      { kind: 'remove', id: 'b' },
      { kind: 'change', id: 'a', changes: { title: 'Last', enabled: false, weight: 5 } },
    ]
    for (const edit of edits) {
      void editor.run(edit)
      states.push(shown())
    }
    for (const state of states.slice(0, -1).toReversed()) {
      expect(editor.undo()).toBeDefined()
      expect(shown()).toBe(state)
    }
    expect(editor.undo()).toBeUndefined()
    for (const state of states.slice(1)) {
      editor.redo()
      expect(shown()).toBe(state)
    }
    for (let at = 0; at < calls.length; at++) {
      const { edit } = calls[at]!
      if (edit.kind === 'restore') await edit.deletion
      await calls[at]?.answer()
    }
    expect([shown(), editor.state()]).toEqual([states.at(-1), 'saved'])
    editor.undo()
    void editor.run({ kind: 'change', id: 'a', changes: { weight: 9 } })
    expect(editor.redo()).toBeUndefined()
  })

  it('takes nothing back that the server has refused, nor what another tab has removed', async () => {
    const { editor, calls, shown, topics } = setUp()
    void editor.run({ kind: 'change', id: 'a', changes: { title: 'Right' } })
    await calls[0]?.answer()
    const refused: Edit = { kind: 'remove', id: 'b' }
    void editor.run(refused)
    expect(editor.canUndo(refused)).toBe(true)
    await calls[1]?.fail(409)
    expect(editor.canUndo(refused)).toBe(false)
    expect(editor.undo()?.back).toMatchObject({ kind: 'change', id: 'a', changes: { title: 'a' } })
    expect(shown()).toBe('r .a .b')
    await calls[2]?.answer()
    void editor.run({ kind: 'change', id: 'a', changes: { title: 'Left' } })
    await calls[3]?.answer()
    void editor.run({ kind: 'remove', id: 'a' })
    const before = topics()
    expect(editor.undo()?.back.kind).toBe('restore')
    expect(before).toHaveLength(2)
  })

  it('takes one edit back out of the row, and the others after it', () => {
    const { editor, shown } = setUp()
    const gone: Edit = { kind: 'remove', id: 'b' }
    void editor.run(gone)
    void editor.run({ kind: 'change', id: 'a', changes: { title: 'Wrong' } })
    expect(editor.undo(gone)).toBeDefined()
    expect(shown()).toBe('r .Wrong .b')
    expect(editor.undo(gone)).toBeUndefined()
    editor.undo()
    expect(shown()).toBe('r .a .b')
  })

  it('says over what notes were typed: before the first of those that go in one call', async () => {
    const { editor, calls } = setUp()
    void editor.run({ kind: 'change', id: 'a', changes: { notes: 'R' }, over: '' })
    void editor.run({ kind: 'change', id: 'a', changes: { weight: 2 } })
    void editor.run({ kind: 'change', id: 'a', changes: { notes: 'Ra' }, over: 'R' })
    void editor.run({ kind: 'change', id: 'a', changes: { notes: 'Rain' }, over: 'Ra' })
    await calls[0]?.answer()
    expect(calls[1]?.edit).toMatchObject({ over: 'R', changes: { notes: 'Rain', weight: 2 } })
    await calls[1]?.answer()
    editor.undo()
    expect(calls[2]?.edit).toMatchObject({ over: 'Rain', changes: { notes: 'Ra' } })
  })

  it('is idle when all is saved, and can be left waiting', async () => {
    const { editor, calls } = setUp()
    void editor.run({ kind: 'remove', id: 'a' })
    const leaving = new AbortController()
    const left = expect(editor.idle(leaving.signal)).rejects.toThrow()
    leaving.abort()
    await left
    const idle = editor.idle()
    await calls[0]?.answer()
    await idle
    expect(editor.state()).toBe('saved')
  })
})
