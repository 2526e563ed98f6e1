import { useQueries } from '@tanstack/react-query'
import type { FileOut } from '@/api/types.gen'
import { imageQuery } from '@/features/posts/api'
import type { Values } from './composer-values'

/** A file of the post being written: as the library or the saved post has it, with what is typed here. */
export type EditedFile = Omit<FileOut, 'card_notes'>

/** Return the files of the post that are loaded, in order. `saved`: those of the saved post, which keeps deleted ones. */
export function useFiles(files: Values['files'], saved: readonly FileOut[]): EditedFile[] {
  const media = useQueries({ queries: files.map(({ media_id }) => imageQuery(media_id)) })
  const coverIds = [...new Set(files.flatMap(({ cover_id }) => cover_id ?? []))]
  const covers = useQueries({ queries: coverIds.map(imageQuery) })
  const coverOf = (id: string) =>
    covers[coverIds.indexOf(id)]?.data?.url ?? saved.find(({ cover_id }) => cover_id === id)?.cover_url ?? null
  return files.flatMap((file, index) => {
    const known = media[index]?.data ?? saved.find(({ media_id }) => media_id === file.media_id)
    return known ? [{ ...known, ...file, cover_url: file.cover_id ? coverOf(file.cover_id) : null }] : []
  })
}
