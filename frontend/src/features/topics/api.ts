import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createTopicTreeMutation,
  deleteTopicTreeMutation,
  listTopicTreesInfiniteOptions,
  listTopicTreesInfiniteQueryKey,
  readTopicTreeOptions,
  renameTopicTreeMutation,
} from '@/api/@tanstack/react-query.gen'
import { previewTopics } from '@/api/sdk.gen'
import { byCursor, tagged } from '@/lib/cursor-pages'

const TAG = 'topics'

export const topicTreeQuery = (treeId: string) => readTopicTreeOptions({ path: { tree_id: treeId } })

export function useTopicTrees(search: string) {
  const options = { query: { search } }
  return useInfiniteQuery({
    ...listTopicTreesInfiniteOptions(options),
    ...byCursor,
    queryKey: tagged(listTopicTreesInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

/** The tree that an import would make, and every bad line. */
export const importPreviewQuery = (name: string, text: string) =>
  queryOptions({
    queryKey: ['topics-preview', name, text],
    queryFn: async ({ signal }) => (await previewTopics({ body: { name, text }, signal })).data,
    staleTime: Infinity, // the same lines always make the same tree
    gcTime: 0, // a list may be long
    placeholderData: keepPreviousData,
  })

function useTopicsChanged() {
  const queryClient = useQueryClient()
  return () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => {
        const [key] = queryKey as [{ tags?: readonly string[] }?]
        return key?.tags?.includes(TAG) ?? false
      },
    })
}

export const useImportTopics = () => useMutation({ ...createTopicTreeMutation(), onSuccess: useTopicsChanged() })

export const useRenameTree = () => useMutation({ ...renameTopicTreeMutation(), onSettled: useTopicsChanged() })

export function useDeleteTree() {
  const queryClient = useQueryClient()
  const changed = useTopicsChanged()
  return useMutation({
    ...deleteTopicTreeMutation(),
    onSuccess: (_, { path }) => {
      queryClient.removeQueries({ queryKey: topicTreeQuery(path.tree_id).queryKey })
      return changed()
    },
  })
}
