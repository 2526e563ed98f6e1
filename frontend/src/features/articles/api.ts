import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  createArticleMutation,
  discardArticleChangesMutation,
  editArticleMutation,
  listArticlesInfiniteOptions,
  listArticlesInfiniteQueryKey,
  listWebsitesOptions,
  readArticleOptions,
  readMediaOptions,
  readWebsiteTermsOptions,
  rereadWebsiteTermsMutation,
  takeArticleDownMutation,
  updateArticleMutation,
} from '@/api/@tanstack/react-query.gen'
import { changePosts, previewArticle } from '@/api/sdk.gen'
import type { ArticleOut, ListArticlesData, PreviewIn } from '@/api/types.gen'
import { byCursor, tagQueryKey } from '@/lib/cursor-pages'
import type { Problem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

const TAG = 'articles'
const PAGE_SIZE = 30

export const websitesQuery = listWebsitesOptions()

const REFRESH = 15_000 // ms: events come at once, this is for what they miss of one that goes out

const isDue = (article?: ArticleOut) =>
  article?.status === 'complete' && Date.parse(article.planned_at ?? '') < Date.now() + 4 * REFRESH

export const articleQuery = (articleId: string) => ({
  ...readArticleOptions({ path: { article_id: articleId } }),
  refetchInterval: ({ state }: { state: { data?: ArticleOut } }) => (isDue(state.data) ? REFRESH : (false as const)),
})

export const imageQuery = (imageId: string) => readMediaOptions({ path: { media_id: imageId } })

export function useArticles(query: ListArticlesData['query']) {
  const options = { query: { ...query, page_size: PAGE_SIZE } }
  return useInfiniteQuery({
    ...listArticlesInfiniteOptions(options),
    ...byCursor,
    queryKey: tagQueryKey(listArticlesInfiniteQueryKey(options), TAG),
    placeholderData: keepPreviousData,
  })
}

export const useCreateArticle = () => useMutation({ ...createArticleMutation(), onSettled: useRefetchPosts() })

export const useEditArticle = () => useMutation({ ...editArticleMutation(), onSettled: useRefetchPosts() })

/** Return the categories and tags of a website; the server refreshes them from the site now and then. */
export const useTerms = (websiteId: string) =>
  useQuery({ ...readWebsiteTermsOptions({ path: { website_id: websiteId } }), enabled: websiteId !== '', staleTime: 60_000 })

/** Return the mutation that reads the terms from the site now. */
export function useReadTermsAgain() {
  const queryClient = useQueryClient()
  return useMutation({
    ...rereadWebsiteTermsMutation(),
    onSuccess: (terms, { path }) => queryClient.setQueryData(readWebsiteTermsOptions({ path }).queryKey, terms),
  })
}

/** Return the mutation that updates a published article at its site. */
export const useUpdateArticle = () => useMutation({ ...updateArticleMutation(), onSettled: useRefetchPosts() })

export const useDiscardChanges = () => useMutation({ ...discardArticleChangesMutation(), onSettled: useRefetchPosts() })

export const useTakeDown = () => useMutation({ ...takeArticleDownMutation(), onSettled: useRefetchPosts() })

type Deletable = Pick<ArticleOut, 'id' | 'version' | 'content_hash'>

/** Return the mutation that deletes or restores an article. */
export function useDeleteArticle() {
  const refetch = useRefetchPosts()
  return useMutation<void, Problem, { article: Deletable; action: 'delete' | 'restore' }>({
    mutationFn: async ({ article: { id, version, content_hash }, action }) => {
      const { data } = await changePosts({ body: { action, posts: [{ id, version, content_hash }] } })
      const refusal = data.results[0]?.refusal
      if (refusal) {
        const problem: Problem = { status: 409, detail: '', errors: [], code: refusal.code, params: refusal.params }
        // as the client throws them
        // eslint-disable-next-line @typescript-eslint/only-throw-error
        throw problem
      }
    },
    // not awaited: meanwhile the page of the deleted article would say that it is missing
    onSettled: () => void refetch(),
  })
}

const TYPING_PAUSE = 400 // ms without a keystroke before a text is sent

const previewQuery = (body: PreviewIn) =>
  queryOptions({
    queryKey: ['article-preview', body],
    queryFn: async ({ signal }) => (await previewArticle({ body, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000, // ms: each pause in typing makes another preview
  })

/** Return how the text will look and the remarks on it, after a pause in typing. */
export function usePreview(content: string, title: string) {
  const [body] = useDebouncedValue(JSON.stringify({ content, title }), TYPING_PAUSE)
  return useQuery(previewQuery(JSON.parse(body) as PreviewIn))
}
