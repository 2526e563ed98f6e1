import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createTemplateMutation,
  deleteTemplateMutation,
  listTemplatesInfiniteOptions,
  listTemplatesInfiniteQueryKey,
  readTemplateOptions,
  updateTemplateMutation,
} from '@/api/@tanstack/react-query.gen'
import { checkTemplate } from '@/api/sdk.gen'
import type { TemplateOut, TemplateType } from '@/api/types.gen'
import { byCursor, tagged } from '@/lib/cursor-pages'

const TAG = 'templates'

const withTag = (key: readonly unknown[]) => {
  const [first] = key as [{ tags?: readonly string[] }?]
  return first?.tags?.includes(TAG) ?? false
}

export const templateQuery = (templateId: string) => readTemplateOptions({ path: { template_id: templateId } })

export function useTemplates(filters: { search: string; type: TemplateType | null }) {
  const options = { query: filters }
  return useInfiniteQuery({
    ...listTemplatesInfiniteOptions(options),
    ...byCursor,
    queryKey: tagged(listTemplatesInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

/** What the server makes of a body while it is typed. */
export const templateCheckQuery = (type: TemplateType, body: string) =>
  queryOptions({
    queryKey: ['template-check', type, body],
    queryFn: async ({ signal }) => (await checkTemplate({ body: { type, body }, signal })).data,
    staleTime: Infinity, // the same body always gets the same answer
    placeholderData: keepPreviousData,
  })

function useSaved() {
  const queryClient = useQueryClient()
  return async (saved: TemplateOut) => {
    queryClient.setQueryData(templateQuery(saved.id).queryKey, saved)
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => withTag(queryKey) })
  }
}

export const useCreateTemplate = () => useMutation({ ...createTemplateMutation(), onSuccess: useSaved() })

export const useUpdateTemplate = () => useMutation({ ...updateTemplateMutation(), onSuccess: useSaved() })

export function useDeleteTemplate() {
  const queryClient = useQueryClient()
  return useMutation({
    ...deleteTemplateMutation(),
    onSuccess: (_, { path }) => {
      queryClient.removeQueries({ queryKey: templateQuery(path.template_id).queryKey })
      return queryClient.invalidateQueries({ predicate: ({ queryKey }) => withTag(queryKey) })
    },
  })
}
