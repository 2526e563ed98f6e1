import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import {
  createTopicTreeMutation,
  deleteTopicTreeMutation,
  dismissSuggestionMutation,
  listSuggestionsOptions,
  listSuggestionsQueryKey,
  readTopicTreeQueryKey,
  restoreSuggestionMutation,
  suggestTopicsMutation,
  updateTopicTreeMutation,
} from '@/api/@tanstack/react-query.gen'
import {
  acceptSuggestion,
  addTopic,
  deleteTopic,
  exportTopicTree,
  importBranch,
  listAssistants,
  moveTopic,
  previewTopics,
  readTopicTree,
  restoreTopics,
  updateTopic,
} from '@/api/sdk.gen'
import type { SuggestionOut, TopicTreeDetail } from '@/api/types.gen'
import { tagQueryKey } from '@/lib/cursor-pages'
import { isAtWork } from '@/lib/generation'
import { isProblem, type Problem } from '@/lib/problems'
import { withTags } from '@/lib/query-tags'
import { TreeEditor, type Answer } from '@/features/topics/tree/tree-editor'
import type { Edit, Topics } from '@/features/topics/tree/tree-edits'
import { TREES } from './tree-list-query'

const TRY_AGAIN_AFTER = 5_000 // ms, while the server does not answer
const ASK_EVERY = 15_000 // ms, in case the live stream is away

const NOTHING: Topics = []

const treeKey = (treeId: string) => readTopicTreeQueryKey({ path: { tree_id: treeId } })

/** The tree with all its topics. A response fetched during edits would lack them, so it is fetched after the edits. */
export const topicTreeQuery = (treeId: string) =>
  queryOptions({
    queryKey: treeKey(treeId),
    queryFn: async ({ client, signal }): Promise<TopicTreeDetail> => {
      const editor = treeEditor(client, treeId)
      for (;;) {
        await editor.idle(signal)
        const edits = editor.count
        const { data } = await readTopicTree({ path: { tree_id: treeId }, signal })
        if (editor.count === edits) return data
      }
    },
    structuralSharing: (before, after) => shareTopics(before as TopicTreeDetail | undefined, after as TopicTreeDetail),
  })

/** Lists made by an edit, which already share their unchanged topics. */
const edited = new WeakSet<Topics>()

/** Return the tree with unchanged topics as the same objects, so that only changed rows are rendered. */
function shareTopics(before: TopicTreeDetail | undefined, after: TopicTreeDetail): TopicTreeDetail {
  if (!before || before.topics === after.topics || edited.has(after.topics)) return after
  const oldTopics = new Map(before.topics.map((topic) => [topic.id, topic]))
  const topics = after.topics.map((topic) => {
    const old = oldTopics.get(topic.id)
    const isUnchanged =
      old === topic || (old && (Object.keys(topic) as (keyof typeof topic)[]).every((name) => old[name] === topic[name]))
    return isUnchanged ? old : topic
  })
  const all = topics.length === before.topics.length && topics.every((topic, at) => topic === before.topics[at])
  return { ...after, topics: all ? before.topics : topics }
}

const editors = new WeakMap<QueryClient, Map<string, TreeEditor>>()

/** Return the editor of a tree, which lives as long as the session: leaving the page loses no edit. */
function treeEditor(client: QueryClient, treeId: string): TreeEditor {
  const all = editors.get(client) ?? new Map<string, TreeEditor>()
  editors.set(client, all)
  const entry = all.get(treeId)
  if (entry) return entry
  const queryKey = treeKey(treeId)
  const editor = new TreeEditor(
    {
      send: (edit) =>
        sendEdit(treeId, edit).catch((problem: unknown) => {
          // another tab was faster: refetch what it did, even if the tree was deleted
          if (isProblem(problem) && (problem.status === 404 || problem.status === 409))
            void client.invalidateQueries({ queryKey })
          throw problem
        }),
      read: async () => (await readTopicTree({ path: { tree_id: treeId } })).data.topics,
      pause: TRY_AGAIN_AFTER,
    },
    {
      read: () => client.getQueryData<TopicTreeDetail>(queryKey)?.topics ?? NOTHING,
      show: (topics) => {
        const list = [...topics]
        edited.add(list)
        client.setQueryData<TopicTreeDetail>(
          queryKey,
          (tree) => tree && { ...tree, topics: list, topic_count: list.length },
        )
      },
    },
  )
  all.set(treeId, editor)
  return editor
}

export function useTreeEditor(treeId: string): TreeEditor {
  const queryClient = useQueryClient()
  return useMemo(() => treeEditor(queryClient, treeId), [queryClient, treeId])
}

/** Return the topics of a loaded tree. They change at once with each edit, unlike the query's data. */
export const useTopics = (editor: TreeEditor) => useSyncExternalStore(editor.subscribe, editor.readTopics)

export const useSaveState = (editor: TreeEditor) => useSyncExternalStore(editor.subscribe, editor.state)

class UndoExpired extends Error implements Problem {
  status = 409
  code = 'undo_expired' as const
  detail = ''
  params = {}
  errors = []
}

async function sendEdit(treeId: string, edit: Edit): Promise<Answer> {
  const path = { tree_id: treeId, topic_id: edit.id }
  switch (edit.kind) {
    case 'add': {
      const { parentId, afterId } = edit.place
      const body = { parent_id: parentId, after_id: afterId, title: edit.title }
      return (await addTopic({ path, body })).data
    }
    case 'accept': {
      const { suggestionId: suggestion_id, index } = edit
      return (await acceptSuggestion({ path: { ...path, suggestion_id }, body: { index } })).data
    }
    case 'change':
      await updateTopic({ path, body: { ...edit.changes, notes_before: edit.over } })
      return {}
    case 'move': {
      const { parentId, afterId } = edit.place
      await moveTopic({ path, body: { parent_id: parentId, after_id: afterId } })
      return {}
    }
    case 'remove':
      return (await deleteTopic({ path })).data
    case 'restore': {
      const { deletion_id } = await edit.deletion
      // the response to the removal was lost, and with it the id to restore
      if (!deletion_id) throw new UndoExpired()
      return { topics: (await restoreTopics({ path: { ...path, deletion_id } })).data.topics }
    }
  }
}

/** The tree or branches that an import would make, and every invalid line. */
export const importPreviewQuery = (name: string, text: string, under: boolean) =>
  queryOptions({
    queryKey: ['topics-preview', name, text, under],
    queryFn: async ({ signal }) => (await previewTopics({ body: { name, text, under }, signal })).data,
    staleTime: Infinity, // the same lines always make the same tree
    gcTime: 0, // a list may be long
    placeholderData: keepPreviousData,
  })

function useTopicsChanged() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries(withTags(TREES))
}

export const useImportTopics = () => useMutation({ ...createTopicTreeMutation(), onSuccess: useTopicsChanged() })

/** Return the mutation that adds lines as the last children of a topic. */
export function useImportBranch(treeId: string) {
  const queryClient = useQueryClient()
  const editor = useTreeEditor(treeId)
  return useMutation<TopicTreeDetail, Problem, { topicId: string; text: string }>({
    mutationFn: async ({ topicId, text }) => {
      await editor.idle()
      const path = { tree_id: treeId, topic_id: editor.idOf(topicId) }
      return (await importBranch({ path, body: { text } })).data
    },
    onSuccess: (tree) => queryClient.setQueryData(treeKey(treeId), tree),
  })
}

/** Return the mutation that saves name and description. The version may be any since which these two are unchanged. */
export const useSaveTree = () => useMutation({ ...updateTopicTreeMutation(), onSettled: useTopicsChanged() })

export function useDeleteTree() {
  const queryClient = useQueryClient()
  const changed = useTopicsChanged()
  return useMutation({
    ...deleteTopicTreeMutation(),
    onSuccess: (_, { path }) => {
      queryClient.removeQueries({ queryKey: treeKey(path.tree_id) })
      return changed()
    },
  })
}

/** The assistants that use the topics of a tree. */
export const assistantsOfTreeQuery = (treeId: string) =>
  queryOptions({
    queryKey: ['topics-used-by', treeId],
    queryFn: async ({ signal }) => {
      const users: { id: string; name: string }[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Awaited<ReturnType<typeof listAssistants>>['data'] = (
          await listAssistants({ query: { cursor, page_size: 100 }, signal })
        ).data
        users.push(...page.items.filter((assistant) => assistant.topic_tree_id === treeId))
        cursor = page.next_cursor
      }
      return users
    },
    gcTime: 0,
  })

/** Return the tree, or one topic with its branch, as lines, once every edit is saved. */
export async function readLines(editor: TreeEditor, treeId: string, topicId?: string): Promise<string> {
  await editor.idle()
  const query = { topic_id: topicId && editor.idOf(topicId) }
  return (await exportTopicTree({ path: { tree_id: treeId }, query, parseAs: 'text' })).data as string
}

/** The rounds of suggestions. They have their own tag, so that a running round does not refetch the whole tree. */
export const roundsQuery = (treeId: string) => {
  const options = { path: { tree_id: treeId } }
  return queryOptions({
    ...listSuggestionsOptions(options),
    queryKey: tagQueryKey(listSuggestionsQueryKey(options), 'topic-suggestions'),
  })
}

/**
 * Return the latest rounds of suggestions in a tree that are running or have open titles, refetched on live events and
 * regularly.
 */
export const useRounds = (treeId: string) =>
  useQuery({
    ...roundsQuery(treeId),
    refetchInterval: ({ state }) => (state.data?.some(isAtWork) ? ASK_EVERY : false),
  })

/** Return a function that shows changed rounds at once. */
export function useChangeRounds(treeId: string) {
  const queryClient = useQueryClient()
  return useCallback(
    (change: (rounds: readonly SuggestionOut[]) => SuggestionOut[]) => {
      const { queryKey } = roundsQuery(treeId)
      // a response on its way is older than this change
      void queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, (rounds) => change(rounds ?? []))
    },
    [queryClient, treeId],
  )
}

export function useSuggest(treeId: string) {
  const change = useChangeRounds(treeId)
  return useMutation({
    ...suggestTopicsMutation(),
    onSuccess: (round) =>
      change((rounds) => [...rounds.filter(({ topic_id }) => topic_id !== round.topic_id), round]),
  })
}

export const useDismiss = () => useMutation(dismissSuggestionMutation())

export const useRestoreSuggestion = () => useMutation(restoreSuggestionMutation())
