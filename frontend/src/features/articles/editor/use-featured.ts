import { useQuery } from '@tanstack/react-query'
import type { ArticleOut } from '@/api/types.gen'
import { imageQuery } from '@/features/articles/api'
import type { Values } from './article-values'

/** The image above an article as it is shown; `kept`: as the article has it, which keeps what leaves the gallery. */
export function useFeatured(value: Values['featured'], saved: ArticleOut['featured'] | undefined) {
  const known = useQuery({ ...imageQuery(value?.media_id ?? ''), enabled: value !== null })
  const url = known.data?.url ?? (saved && saved.media_id === value?.media_id ? saved.url : undefined)
  return value && url ? { url, alt: value.alt } : undefined
}
