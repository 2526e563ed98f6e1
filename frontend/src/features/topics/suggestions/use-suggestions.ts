import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SuggestedTitle, SuggestionOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useChangeRounds, useDismiss, useRestoreSuggestion, useRounds, useSuggest } from '@/features/topics/api'
import { showRefusal } from '@/features/topics/tree/lost-text'
import type { TreeEditor } from '@/features/topics/tree/tree-editor'
import { placeInside } from '@/features/topics/tree/tree-edits'
import type { Change } from '@/features/topics/tree/use-tree-actions'
import type { Problem } from '@/lib/problems'
import { hasGuests, openTitles } from './offers'

type T = TFunction<['common', 'errors', 'topics']>

/** Decisions on suggested titles. Each one shows at once; a refusal reverts it and shows why. */
interface Decisions {
  /** Return the topic that the title becomes. */
  keep: (round: SuggestionOut, title: SuggestedTitle) => Change | undefined
  keepAll: (round: SuggestionOut) => void
  discard: (round: SuggestionOut, title: SuggestedTitle) => string
  discardAll: (round: SuggestionOut) => void
}

export interface SuggestionActions extends Decisions {
  /** Request the same suggestions once more. */
  repeat: (round: SuggestionOut) => void
  /** Hide a round without titles. */
  hide: (round: SuggestionOut) => void
}

export interface Suggestions {
  /** The newest round of each topic that has something to show. */
  rounds: readonly SuggestionOut[]
  /** Why the rounds could not be read. */
  problem: Problem | null
  actions: SuggestionActions
}

/** Return the suggested subtopics in a tree, and the actions on them. */
export function useSuggestions(treeId: string, editor: TreeEditor): Suggestions {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const { data, error } = useRounds(treeId)
  const change = useChangeRounds(treeId)
  const { mutateAsync: suggest } = useSuggest(treeId)
  const { mutateAsync: dismiss } = useDismiss()
  const { mutateAsync: restore } = useRestoreSuggestion()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  const rounds = useMemo(() => (data ?? []).filter((round) => hasGuests(round) && !hidden.has(round.id)), [data, hidden])
  const actions = useMemo<SuggestionActions>(() => {
    const requested = new Set<string>() // topics: a second click may come before the first one shows
    return {
      ...createDecisions({ treeId, editor, change, dismiss, restore, t }),
      repeat: ({ topic_id, wanted, language }) => {
        if (requested.has(topic_id)) return
        requested.add(topic_id)
        suggest({ path: { tree_id: treeId, topic_id }, body: { wanted, language } })
          .catch((problem: unknown) => showRefusal(t, t('topics:suggest.failed'), problem))
          .finally(() => requested.delete(topic_id))
      },
      hide: ({ id }) => setHidden((before) => new Set([...before, id])),
    }
  }, [change, suggest, dismiss, restore, editor, treeId, t])

  return useMemo(() => ({ rounds, problem: error, actions }), [rounds, error, actions])
}

interface DecisionCalls {
  treeId: string
  editor: TreeEditor
  change: ReturnType<typeof useChangeRounds>
  dismiss: ReturnType<typeof useDismiss>['mutateAsync']
  restore: ReturnType<typeof useRestoreSuggestion>['mutateAsync']
  t: T
}

function createDecisions({ treeId, editor, change, dismiss, restore, t }: DecisionCalls): Decisions {
  const keeping = new Set<string>()
  /** Discarded titles that are being restored: until then the server accepts no decision on them. */
  const restoring = new Map<string, Promise<unknown>>()
  const nameOf = (round: SuggestionOut, index: number) => `${round.id} ${index}`

  const setState = (round: SuggestionOut, indices: readonly number[], state: SuggestedTitle['state']) =>
    change((rounds) =>
      rounds.map((candidate) =>
        candidate.id === round.id
          ? { ...candidate, titles: candidate.titles.map((title) => (indices.includes(title.index) ? { ...title, state } : title)) }
          : candidate,
      ),
    )
  /** Set titles back to the state before, and show why the server refused the decision. */
  const revert = (round: SuggestionOut, { index, title }: SuggestedTitle, before: SuggestedTitle['state'], error: unknown) => {
    setState(round, [index], before)
    showRefusal(t, t('topics:editRefused', { title }), error)
  }

  const keep: Decisions['keep'] = (round, suggested) => {
    const { index, title } = suggested
    const place = placeInside(editor.topics, round.topic_id)
    const name = nameOf(round, index)
    if (!place || keeping.has(name)) return undefined
    keeping.add(name)
    const id = editor.newId()
    setState(round, [index], 'accepted')
    const edit = { kind: 'accept', id, place, title, suggestionId: round.id, index } as const
    editor.run(edit, restoring.get(name)).catch((error: unknown) => {
      keeping.delete(name)
      revert(round, suggested, 'open', error)
    })
    return { key: id, announcement: t('topics:said.added', { title }) }
  }

  const discard = (round: SuggestionOut, titles: readonly SuggestedTitle[], announcement: string) => {
    const path = { tree_id: treeId, suggestion_id: round.id }
    const indices = titles.map(({ index }) => index)
    setState(round, indices, 'dismissed')
    const dismissed = titles.map((title) =>
      dismiss({ path, body: { index: title.index } }).catch((error: unknown) => revert(round, title, 'open', error)),
    )
    const restoreAll = async () => {
      await Promise.all(dismissed)
      const answers = titles.map((title) =>
        restore({ path, body: { index: title.index } }).catch((error: unknown) => revert(round, title, 'dismissed', error)),
      )
      return (await Promise.all(answers)).findLast((answer) => answer !== undefined)
    }
    const undo = async () => {
      setState(round, indices, 'open')
      const restored = restoreAll()
      for (const index of indices) restoring.set(nameOf(round, index), restored)
      const restoredRound = await restored
      for (const index of indices) restoring.delete(nameOf(round, index))
      // a round whose titles were all decided may be missing in the list; a round in the list may have newer decisions
      if (restoredRound) change((rounds) => (rounds.some(({ id }) => id === restoredRound.id) ? [...rounds] : [...rounds.filter(({ topic_id }) => topic_id !== restoredRound.topic_id), restoredRound]))
    }
    showUndo({ message: announcement, label: t('undo'), undo: () => void undo() })
    return announcement
  }

  return {
    keep,
    keepAll: (round) => {
      for (const title of openTitles(round)) keep(round, title)
    },
    discard: (round, title) => discard(round, [title], t('topics:said.discarded', { title: title.title })),
    discardAll: (round) => {
      const titles = openTitles(round)
      discard(round, titles, t('topics:said.discardedAll', { count: titles.length }))
    },
  }
}
