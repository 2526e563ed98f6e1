import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SuggestedTitle, SuggestionOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { isProblem, problemText, toProblem, type Problem } from '@/lib/problems'
import { useChangeRounds, useDismiss, useRestoreSuggestion, useRounds, useSuggest } from '@/features/topics/api'
import { hasGuests, openTitles } from './offers'
import type { TreeEditor } from '@/features/topics/tree/tree-editor'
import { placeInside } from '@/features/topics/tree/tree-edits'

/** What a person can do to suggested subtopics. Each shows at once; a refusal takes it back and says why. */
export interface SuggestionActions {
  /** Returns the key of the topic that it becomes, and the sentence that tells it. */
  keep: (round: SuggestionOut, title: SuggestedTitle) => { key: string; said: string } | undefined
  keepAll: (round: SuggestionOut) => void
  discard: (round: SuggestionOut, title: SuggestedTitle) => string
  discardAll: (round: SuggestionOut) => void
  /** Asks once more for the same. */
  again: (round: SuggestionOut) => void
  /** Takes a round that brought nothing off the screen. */
  putAway: (round: SuggestionOut) => void
}

export interface Suggestions {
  /** Of each topic the newest round that has something to show. */
  rounds: readonly SuggestionOut[]
  /** Why they could not be read. */
  problem: Problem | null
  actions: SuggestionActions
}

export function useSuggestions(treeId: string, editor: TreeEditor): Suggestions {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const { data, error } = useRounds(treeId)
  const change = useChangeRounds(treeId)
  const { mutateAsync: suggest } = useSuggest(treeId)
  const { mutateAsync: dismiss } = useDismiss()
  const { mutateAsync: restore } = useRestoreSuggestion()
  const [away, setAway] = useState<ReadonlySet<string>>(new Set())

  const rounds = useMemo(() => (data ?? []).filter((round) => hasGuests(round) && !away.has(round.id)), [data, away])

  const actions = useMemo<SuggestionActions>(() => {
    const asking = new Set<string>() // topics: a second click may come before the first one shows
    const keeping = new Set<string>()
    // until the server has one back that was discarded, it takes no decision about it
    const comingBack = new Map<string, Promise<unknown>>()
    const nameOf = (round: SuggestionOut, index: number) => `${round.id} ${index}`
    const decide = (round: SuggestionOut, indices: readonly number[], state: SuggestedTitle['state']) =>
      change((rounds) =>
        rounds.map((one) =>
          one.id === round.id
            ? { ...one, titles: one.titles.map((title) => (indices.includes(title.index) ? { ...title, state } : title)) }
            : one,
        ),
      )
    const say = (title: string) => (error: unknown) =>
      notifications.show({
        color: 'red',
        title,
        message: problemText(t, isProblem(error) ? error : toProblem(error)),
        autoClose: 12_000,
      })
    const where = (round: SuggestionOut) => ({ tree_id: treeId, suggestion_id: round.id })

    const keep: SuggestionActions['keep'] = (round, { index, title }) => {
      const place = placeInside(editor.topics, round.topic_id)
      const name = nameOf(round, index)
      if (!place || keeping.has(name)) return undefined
      keeping.add(name)
      const id = editor.newId()
      decide(round, [index], 'accepted')
      const edit = { kind: 'accept', id, place, title, suggestionId: round.id, index } as const
      editor.run(edit, comingBack.get(name)).catch((error: unknown) => {
        keeping.delete(name)
        decide(round, [index], 'open')
        say(t('topics:editRefused', { title }))(error)
      })
      return { key: id, said: t('topics:said.added', { title }) }
    }
    /** Where the server does not take it, each title is as before. */
    const each = (
      titles: readonly SuggestedTitle[],
      send: (title: SuggestedTitle) => Promise<SuggestionOut>,
      before: (title: SuggestedTitle) => void,
    ) =>
      titles.map((title) =>
        send(title).catch((error: unknown) => {
          before(title)
          say(t('topics:editRefused', { title: title.title }))(error)
        }),
      )
    const refuse = (round: SuggestionOut, titles: readonly SuggestedTitle[], said: string) => {
      const indices = titles.map(({ index }) => index)
      decide(round, indices, 'dismissed')
      const done = each(
        titles,
        ({ index }) => dismiss({ path: where(round), body: { index } }),
        ({ index }) => decide(round, [index], 'open'),
      )
      const bringBack = async () => {
        decide(round, indices, 'open')
        const back = restored()
        for (const index of indices) comingBack.set(nameOf(round, index), back)
        const now = await back
        for (const index of indices) comingBack.delete(nameOf(round, index))
        // one that was decided wholly may be gone from what is known here; what is known was decided since
        if (now) change((rounds) => (rounds.some(({ id }) => id === now.id) ? [...rounds] : [...rounds.filter(({ topic_id }) => topic_id !== now.topic_id), now]))
      }
      const restored = async () => {
        await Promise.all(done)
        const answers = await Promise.all(
          each(
            titles,
            ({ index }) => restore({ path: where(round), body: { index } }),
            ({ index }) => decide(round, [index], 'dismissed'),
          ),
        )
        return answers.findLast((answer) => answer !== undefined)
      }
      showUndo({ message: said, label: t('undo'), undo: () => void bringBack() })
      return said
    }
    return {
      keep,
      keepAll: (round) => {
        for (const title of openTitles(round)) keep(round, title)
      },
      discard: (round, title) => refuse(round, [title], t('topics:said.discarded', { title: title.title })),
      discardAll: (round) => {
        const titles = openTitles(round)
        refuse(round, titles, t('topics:said.discardedAll', { count: titles.length }))
      },
      again: ({ topic_id, wanted, language }) => {
        if (asking.has(topic_id)) return
        asking.add(topic_id)
        suggest({ path: { tree_id: treeId, topic_id }, body: { wanted, language } })
          .catch(say(t('topics:suggest.failed')))
          .finally(() => asking.delete(topic_id))
      },
      putAway: ({ id }) => setAway((before) => new Set([...before, id])),
    }
  }, [change, suggest, dismiss, restore, editor, treeId, t])

  return useMemo(() => ({ rounds, problem: error, actions }), [rounds, error, actions])
}
