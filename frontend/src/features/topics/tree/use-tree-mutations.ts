import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Offer } from '@/features/topics/suggestions/offers'
import type { SuggestionActions } from '@/features/topics/suggestions/use-suggestions'
import type { RowAct } from './row-menu'
import type { Direction } from './tree-edits'
import { useTitleEditing } from './use-title-editing'
import type { Change, TreeActions } from './use-tree-actions'
import type { TreeView } from './use-tree-view'
import { useUndoKeys } from './use-undo-keys'

/** An action that another part of the page carries out: the facts, a dialog, the clipboard. */
export type OutsideAct = Extract<RowAct, 'open' | 'moveTo' | 'suggest' | 'import' | 'copy'>

interface Options {
  view: TreeView
  actions: TreeActions
  suggestions: SuggestionActions
  clearSearch: () => void
  onAct: (act: OutsideAct, key: string) => void
  /** Moves the focus to the tree. */
  focus: () => void
}

export type TreeMutations = ReturnType<typeof useTreeMutations>

/** Return the actions on topics and suggestions, each of which is announced to screen readers. */
export function useTreeMutations({ view, actions, suggestions, clearSearch, onAct, focus }: Options) {
  const { t } = useTranslation(['common', 'topics'])
  const { shape, editor, indexOf, choose } = view
  const { announcement, announce } = useAnnouncement()
  const titles = useTitleEditing({ view, actions, announce, clearSearch, focus })

  /** Go to the topic of an undone or redone change. */
  const showTurn = (change: Change | undefined, nothing = t('topics:said.nothingToUndo')) => {
    announce(change?.announcement ?? nothing)
    if (!change) return
    choose(change.key)
    focus()
  }
  useUndoKeys(actions, showTurn)

  const remove = (key: string) => {
    const topic = shape.topics[indexOf(key)]
    if (!topic) return
    const removed = actions.remove(topic.id)
    announce(removed?.announcement ?? t('topics:said.rootStays'))
    if (removed) choose(removed.key)
  }
  const step = (key: string, direction: Direction) => {
    const id = editor.idOf(key)
    announce(actions.step(id, direction))
    // the new parent may be closed and would hide it
    const parentId = editor.topics.find((topic) => topic.id === id)?.parent_id
    if (parentId) view.setOpen([editor.keyOf(parentId)], true)
  }
  const toggle = (key: string) => {
    const topic = shape.topics[indexOf(key)]
    if (topic) announce(actions.change(topic.id, { enabled: !topic.enabled }))
  }

  const act = (what: RowAct, key: string) => {
    if (indexOf(key) < 0) return
    choose(key)
    switch (what) {
      case 'rename':
        return titles.startRename(key)
      case 'sibling':
      case 'child':
        return titles.startDraft(what, key)
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

  /** Keep or discard a suggested title. Return the key of the topic that a kept title becomes. */
  const decideTitle = ({ round, title }: Extract<Offer, { kind: 'title' }>, keep: boolean): string | undefined => {
    if (keep) {
      const decision = suggestions.keep(round, title)
      if (decision) announce(decision.announcement)
      return decision?.key
    }
    announce(suggestions.discard(round, title))
    return undefined
  }
  /** Keep or discard a suggestion, or request a round without titles again or hide it. Then go to the next suggestion. */
  const decide = (offer: Offer, keep: boolean) => {
    const { round } = offer
    const otherTitles = view.guests.filter((guest) => guest.kind === 'title' && guest.round.id === round.id)
    const at = otherTitles.indexOf(offer)
    const next = otherTitles[at + 1] ?? otherTitles[at - 1]
    let nextKey = view.keyAt(offer.at)
    if (offer.kind === 'title') nextKey = decideTitle(offer, keep) ?? nextKey
    else if (round.state !== 'failed' && round.state !== 'succeeded') return
    else if (keep) suggestions.repeat(round)
    else suggestions.hide(round)
    // after a click on another row, the active row stays
    if (offer !== view.offer) return
    if (next) view.passOffer(next.id)
    else choose(nextKey)
  }

  return { announcement, announce, titles, remove, step, toggle, showTurn, act, decide }
}

/** Return the last sentence for screen readers. The same sentence again differs by a space, so that it is read again. */
function useAnnouncement() {
  const [announcement, setAnnouncement] = useState('')
  const announce = useCallback(
    (sentence: string) => setAnnouncement((before) => (before === sentence ? `${sentence}\u00a0` : sentence)),
    [],
  )
  return { announcement, announce }
}
