import { useMutation } from '@tanstack/react-query'
import { exportPosts, importPosts, previewPostImport } from '@/api/sdk.gen'
import type { ImportOut, ImportPreviewOut, ListPostsData, PreviewPostImportData } from '@/api/types.gen'
import { useRefetchPosts } from '@/lib/refetch-posts'
import type { Problem } from '@/lib/problems'
import { fileNameOf, saveFile } from '@/lib/save-file'

/** The maximum number of lines in a file. */
export const MOST_LINES = 10_000
/** The server's limit of a file's size, in MB of 1024² bytes. */
export const LARGEST = 5

const FALLBACK_NAME = 'posts.csv'

/** Return the mutation that downloads the filtered list as a file. */
export function useExportPosts() {
  return useMutation<unknown, Problem, NonNullable<ListPostsData['query']>>({
    mutationFn: async (query) => {
      const { data, response } = await exportPosts({ query, parseAs: 'blob' })
      saveFile(data as unknown as Blob, fileNameOf(response) ?? FALLBACK_NAME)
    },
  })
}

/** The user's choices for reading a file; anything else is detected from the file. */
export type Choices = Pick<PreviewPostImportData['body'], 'encoding' | 'columns' | 'date_order' | 'time_of_day'>

export const useImportPreview = () =>
  useMutation<ImportPreviewOut, Problem, { file: File; time_zone: string } & Choices>({
    mutationFn: async (body) => (await previewPostImport({ body })).data,
  })

export interface Import extends Choices {
  file: File
  time_zone: string
  /** The same for each retry, so that the import is saved once. */
  import_id: string
  digest: string
  only_right: boolean
}

export const useImportPosts = () =>
  useMutation<ImportOut, Problem, Import>({
    mutationFn: async ({ only_right, ...body }) =>
      (await importPosts({ body: { ...body, only_right: only_right ? 'true' : 'false' } })).data,
    onSettled: useRefetchPosts(),
  })
