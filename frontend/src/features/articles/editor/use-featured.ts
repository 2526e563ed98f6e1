import { useQuery } from '@tanstack/react-query'
import type { ArticleOut } from '@/api/types.gen'
import { imageQuery } from '@/features/articles/api'
import type { Values } from './article-values'

/** Return the featured image as shown. `saved`: that of the saved article, which keeps images that are deleted from the gallery. */
export function useFeatured(value: Values['featured'], saved: ArticleOut['featured'] | undefined) {
  const image = useQuery({ ...imageQuery(value?.media_id ?? ''), enabled: value !== null })
  const url = image.data?.url ?? (saved && saved.media_id === value?.media_id ? saved.url : undefined)
  return value && url ? { url, alt: value.alt } : undefined
}
