import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  createCardPresetMutation,
  saveCardSequenceMutation,
  deleteCardPresetMutation,
  listCardPresetsOptions,
  listMediaInfiniteOptions,
  listMediaInfiniteQueryKey,
  listMediaTagsOptions,
  readCardOptionsOptions,
  readCardSequenceOptions,
  readMediaOptions,
  saveCardMutation,
  updateCardPresetMutation,
  updateMediaMutation,
} from '@/api/@tanstack/react-query.gen'
import { deleteMedia, downloadCardDocument, previewCard, previewCardSequence, readMedia, restoreMedia, updateMedia, uploadMedia, uploadVideo } from '@/api/sdk.gen'
import type { CardDocumentIn, CardIn, CardSequencePreviewIn, MediaKind, MediaOut, MediaPage } from '@/api/types.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import { toProblem, type Problem } from '@/lib/problems'
import { withTags } from '@/lib/query-tags'
import { fetchWithProgress } from '@/lib/upload'
import { kindOfFile, LARGEST, largestBytes } from '@/features/media/file-kinds'
import type { Filters } from '@/features/media/gallery/filters'
import type { Send } from '@/features/media/uploads/upload-queue'

const TAG = 'media'
const PAGE_SIZE = 60
const KEPT_FOR = 60_000 // ms: previews are large

export function useImages(filters: Filters) {
  const options = { query: { ...filters, page_size: PAGE_SIZE } }
  return useInfiniteQuery({
    ...listMediaInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listMediaInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

export const imageQuery = (imageId: string) => readMediaOptions({ path: { media_id: imageId } })

export const imageTagsQuery = listMediaTagsOptions()

export function useImagesChanged() {
  const queryClient = useQueryClient()
  return useCallback(
    () => queryClient.invalidateQueries(withTags(TAG)),
    [queryClient],
  )
}

/** Return what uploads a file of these kinds and reports the progress. */
export const sendFile =
  (kinds: readonly MediaKind[]): Send =>
  async (file, signal, onSent) => {
    const problem = problemOf(file, kinds)
    // as the client throws them
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (problem) throw problem
    if (kindOfFile(file) === 'video') {
      const video = { query: { name: file.name }, body: file }
      return (await uploadVideo({ ...video, signal, fetch: fetchWithProgress(file, onSent) })).data
    }
    const form = new FormData()
    form.set('file', file)
    return (await uploadMedia({ body: { file }, signal, fetch: fetchWithProgress(form, onSent) })).data
  }

/** Return why a file is refused before it is sent. */
function problemOf(file: File, kinds: readonly MediaKind[]): Problem | undefined {
  const kind = kindOfFile(file)
  if (!kinds.includes(kind)) return { code: 'image_type_refused', status: 422, detail: '', params: { problem: 'other_kind' }, errors: [] }
  // the server would close the connection, which a browser reports as a lost connection
  if (file.size > largestBytes(kind)) return { code: 'too_large', status: 413, detail: '', params: { limit: LARGEST[kind] }, errors: [] }
  return undefined
}

export function useChangeImage() {
  const queryClient = useQueryClient()
  const changed = useImagesChanged()
  return useMutation({
    ...updateMediaMutation(),
    onSuccess: (image) => {
      // at once, since the form shows the saved values
      queryClient.setQueryData(imageQuery(image.id).queryKey, (cached) => cached && { ...cached, ...image })
      void changed()
    },
  })
}

/** The result for each of several images; a refused one does not stop the others. */
export interface Outcome {
  done: MediaOut[]
  refused: { image: MediaOut; problem: Problem }[]
}

async function changeEach(images: readonly MediaOut[], call: (image: MediaOut) => Promise<unknown>): Promise<Outcome> {
  const outcome: Outcome = { done: [], refused: [] }
  for (const image of images) {
    try {
      await call(image)
      outcome.done.push(image)
    } catch (error) {
      outcome.refused.push({ image, problem: toProblem(error) })
    }
  }
  return outcome
}

export function useDeleteImages() {
  const queryClient = useQueryClient()
  const changed = useImagesChanged()
  return useMutation({
    mutationFn: (images: readonly MediaOut[]) => changeEach(images, ({ id }) => deleteMedia({ path: { media_id: id } })),
    onSuccess: ({ done }) => {
      const removedIds = new Set(done.map(({ id }) => id))
      for (const id of removedIds) queryClient.removeQueries({ queryKey: imageQuery(id).queryKey })
      // remove the images at once, before the lists are refetched
      queryClient.setQueriesData<InfiniteData<MediaPage>>(
        withTags(TAG),
        (data) => data && without(data, removedIds),
      )
    },
    onSettled: () => void changed(),
  })
}

export function useRestoreImages() {
  const changed = useImagesChanged()
  return useMutation({
    mutationFn: (images: readonly MediaOut[]) => changeEach(images, ({ id }) => restoreMedia({ path: { media_id: id } })),
    onSettled: () => void changed(),
  })
}

export interface TagChange {
  images: readonly MediaOut[]
  added: readonly string[]
  removed: readonly string[]
}

export function useTagImages() {
  const changed = useImagesChanged()
  return useMutation({
    mutationFn: ({ images, added, removed }: TagChange) =>
      changeEach(images, async (image) => {
        const change = ({ id, tags, version }: MediaOut) => {
          const keptTags = tags.filter((tag) => !removed.includes(tag))
          return updateMedia({ path: { media_id: id }, body: { version, tags: [...new Set([...keptTags, ...added])] } })
        }
        try {
          await change(image)
        } catch (error) {
          if (toProblem(error).code !== 'stale_version') throw error
          // the change applies to any version
          await change((await readMedia({ path: { media_id: image.id } })).data)
        }
      }),
    onSettled: () => void changed(),
  })
}

function without(data: InfiniteData<MediaPage>, removedIds: ReadonlySet<string>): InfiniteData<MediaPage> {
  // others than the lists by page have the tag, too; a document has a number of pages
  if (!('pages' in data) || !Array.isArray(data.pages)) return data
  const fewer = data.pages.flatMap(({ items }) => items.filter(({ id }) => removedIds.has(id)))
  const pages = data.pages.map((page) => {
    const origins = { ...page.origins }
    const kinds = { ...page.kinds }
    for (const { source, by_assistant, kind } of fewer) {
      kinds[kind] -= 1
      origins[by_assistant ? 'assistant' : source] -= 1
      origins.own -= by_assistant ? 0 : 1
    }
    const items = page.items.filter(({ id }) => !removedIds.has(id))
    return { ...page, items, total: page.total - fewer.length, origins, kinds }
  })
  return { ...data, pages }
}

export const cardOptionsQuery = readCardOptionsOptions()

export const cardPresetsQuery = listCardPresetsOptions()

/** The card as it would be saved. Outdated requests are cancelled. */
export const cardPreviewQuery = (card: CardIn) =>
  queryOptions({
    queryKey: ['card-preview', card],
    queryFn: async ({ signal }) => (await previewCard({ body: card, signal })).data,
    enabled: card.headline.trim() !== '',
    staleTime: Infinity, // the same words always get the same card
    gcTime: KEPT_FOR,
    placeholderData: keepPreviousData,
  })

/** A page of a carousel as it would be saved; the body names the page. Outdated requests are cancelled. */
export const carouselPreviewQuery = (body: CardSequencePreviewIn & { only: number }) =>
  queryOptions({
    queryKey: ['carousel-preview', body],
    queryFn: async ({ signal }) => (await previewCardSequence({ body, signal })).data,
    enabled: (body.pages[body.only]?.headline.trim() ?? '') !== '',
    staleTime: Infinity, // the same pages always get the same pictures
    gcTime: KEPT_FOR,
    placeholderData: keepPreviousData,
  })

/** The carousel with which the page was saved last. */
export const carouselQuery = (pageId: string) => ({
  ...readCardSequenceOptions({ path: { page_id: pageId } }),
  // asked anew whenever the designer opens: a page may have been saved with another carousel since
  gcTime: 0,
})

export const useSaveCarousel = () => useMutation({ ...saveCardSequenceMutation(), onSuccess: useImagesChanged() })

/** Make the PDF document of a carousel. */
export const useCarouselDocument = () =>
  useMutation<Blob, Problem, CardDocumentIn>({
    mutationFn: async (body) => (await downloadCardDocument({ body, parseAs: 'blob' })).data,
  })

function usePresetsChanged() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: cardPresetsQuery.queryKey })
}

export const useCreatePreset = () => useMutation({ ...createCardPresetMutation(), onSuccess: usePresetsChanged() })

export const useUpdatePreset = () => useMutation({ ...updateCardPresetMutation(), onSuccess: usePresetsChanged() })

export const useDeletePreset = () => useMutation({ ...deleteCardPresetMutation(), onSuccess: usePresetsChanged() })

export const useSaveCard = () => useMutation({ ...saveCardMutation(), onSuccess: useImagesChanged() })
