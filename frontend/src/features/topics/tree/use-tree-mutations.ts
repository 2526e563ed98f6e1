import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Offer } from '@/features/topics/suggestions/offers'
import type { RowAct } from './row-menu'
import type { Then } from './title-input'
import { placeAfter, placeInside, type Direction } from './tree-edits'
import type { Suggestions } from '@/features/topics/suggestions/use-suggestions'
import type { Done, TreeActions } from './use-tree-actions'
import type { TreeView } from './use-tree-view'

/** An action that another part of the page carries out: the facts, a dialog, the clipboard. */
export type OutsideAct = Extract<RowAct, 'open' | 'moveTo' | 'suggest' | 'import' | 'copy'>

interface Means {
  view: TreeView
  actions: TreeActions
  suggestions: Suggestions
  onSearch: (text: string) => void
  onAct: (act: OutsideAct, key: string) => void
  /** Moves the focus to the tree. */
  focus: () => void
}

export type TreeMutations = ReturnType<typeof useTreeMutations>

const OWN_UNDO = 'input:not([type=checkbox]), textarea, [role=dialog], [role=alertdialog]'

/** Return the actions on topics and suggestions. A screen reader is told of each change. */
export function useTreeMutations({ view, actions, suggestions, onSearch, onAct, focus }: Means) {
  const { t } = useTranslation(['common', 'topics'])
  const { shape, editor, draft, setDraft, indexOf, choose, setOpen } = view
  const [renaming, setRenaming] = useState<string>()
  const [menu, setMenu] = useState<string>()
  const [said, setSaid] = useState('')

  const say = (sentence: string | undefined) => {
    if (sentence) setSaid((before) => (before === sentence ? `${sentence}\u00a0` : sentence))
  }
  const startDraft = (where: 'sibling' | 'child', key = editor.keyOf(view.activeTopic?.id ?? '')) => {
    const id = editor.idOf(key)
    const place = where === 'child' ? placeInside(editor.topics, id) : placeAfter(editor.topics, id)
    if (!place) return
    if (view.searching) onSearch('')
    setRenaming(undefined)
    view.reveal(indexOf(key))
    setOpen([editor.keyOf(place.parentId)], true)
    setDraft(place)
  }
  const finishDraft = (title: string, then: Then) => {
    if (!draft) return
    const added = actions.add(draft, title)
    if (!added) {
      setDraft(undefined)
      return focus()
    }
    const { key, said: sentence } = added
    say(sentence)
    choose(key)
    if (then === 'nothing') {
      setDraft(undefined)
      focus()
    } else setDraft(then === 'child' ? { parentId: key, afterId: null } : { parentId: draft.parentId, afterId: key })
  }
  const finishRename = (key: string, title: string, then: Then) => {
    const topic = shape.topics[indexOf(key)]
    setRenaming(undefined)
    if (topic?.title !== title) say(actions.change(editor.idOf(key), { title }))
    if (then === 'nothing') focus()
    else startDraft(then, key)
  }
  const remove = (key: string) => {
    const topic = shape.topics[indexOf(key)]
    const removed = topic && actions.remove(topic.id)
    if (!removed) {
      if (topic) say(t('topics:said.rootStays'))
      return
    }
    say(removed.said)
    choose(removed.key)
  }
  const step = (key: string, direction: Direction) => {
    const id = editor.idOf(key)
    say(actions.step(id, direction))
    // what it went into must not hide it
    const above = editor.topics.find((topic) => topic.id === id)?.parent_id
    if (above) setOpen([editor.keyOf(above)], true)
  }
  const toggle = (key: string) => {
    const topic = shape.topics[indexOf(key)]
    if (topic) say(actions.change(topic.id, { enabled: !topic.enabled }))
  }

  const showUndone = (done: Done | undefined, nothing = t('topics:said.nothingToUndo')) => {
    say(done?.said ?? nothing)
    if (!done) return
    choose(done.key)
    focus()
  }
  // wherever the focus is, as long as it is not where a text or a dialog has an undo of its own
  const undoKey = (turn: () => Done | undefined, nothing: string) => (event: globalThis.KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest(OWN_UNDO)) return
    event.preventDefault()
    showUndone(turn(), nothing)
  }
  const undo = undoKey(actions.undo, t('topics:said.nothingToUndo'))
  const redo = undoKey(actions.redo, t('topics:said.nothingToRedo'))
  const own = { preventDefault: false }
  useHotkeys([['mod+Z', undo, own], ['mod+shift+Z', redo, own], ['mod+Y', redo, own]], [])

  const act = (what: RowAct, key: string) => {
    if (indexOf(key) < 0) return
    choose(key)
    switch (what) {
      case 'rename':
        return setRenaming(key)
      case 'sibling':
      case 'child':
        return startDraft(what, key)
      case 'toggle':
        return toggle(key)
      case 'up':
      case 'down':
      case 'in':
      case 'out':
        return step(key, what)
      case 'remove':
        return remove(key)
      default:
        return onAct(what, key)
    }
  }

  /** Keeps or discards a suggestion, or asks again for what brought nothing and puts it away. Then comes the next. */
  const decide = (guest: Offer, keep: boolean) => {
    const { round } = guest
    const others = view.guests.filter((one) => one.kind === 'title' && one.round.id === round.id)
    const at = others.indexOf(guest)
    const next = others[at + 1] ?? others[at - 1]
    let nextKey = view.keyAt(guest.at)
    if (guest.kind === 'round') {
      if (round.state !== 'failed' && round.state !== 'succeeded') return
      if (keep) suggestions.actions.again(round)
      else suggestions.actions.putAway(round)
    } else if (keep) {
      const kept = suggestions.actions.keep(round, guest.title)
      say(kept?.said)
      if (kept) nextKey = kept.key
    } else say(suggestions.actions.discard(round, guest.title))
    // a click elsewhere leaves the person where they are
    if (guest !== view.offer) return
    if (next) view.passOffer(next.id)
    else choose(nextKey)
  }

  return {
    /** The last sentence for those who do not see what changed. */
    said,
    setSaid,
    /** Key of the topic whose title is being typed. */
    renaming,
    setRenaming,
    /** Key of the topic whose menu is open. */
    menu,
    setMenu,
    startDraft,
    finishDraft,
    addAt: actions.add,
    cancelDraft: () => {
      setDraft(undefined)
      focus()
    },
    finishRename,
    rename: (key: string, title: string) => actions.change(editor.idOf(key), { title }),
    cancelRename: () => {
      setRenaming(undefined)
      focus()
    },
    remove,
    step,
    toggle,
    showUndone,
    act,
    decide,
    focus,
  }
}
