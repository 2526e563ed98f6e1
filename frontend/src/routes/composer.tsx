import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearchParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { postQuery } from '@/features/posts/api'
import { Composer } from '@/features/posts/composer/composer'
import { NEW_POST, type ComposeState } from '@/lib/compose-path'
import { isMissing } from '@/lib/problems'
import { useEditorKey } from '@/lib/use-editor-key'

const ComposerImages = lazyPart(
  async () => (await import('./composer-images')).ComposerImages,
  <div className="images-space" />,
)

const CoverField = lazyPart(async () => (await import('@/features/media/pickers/cover-field')).CoverField)

/** The composer of a new or an existing post. When a new post is saved, the URL names it, and typing continues. */
export function ComposerRoute() {
  const { t } = useTranslation(['common', 'posts'])
  const [search, setSearch] = useSearchParams()
  const { pages } = (useLocation().state ?? {}) as ComposeState
  const postId = search.get('compose') || NEW_POST
  const isNew = postId === NEW_POST
  const { editorKey, expectId } = useEditorKey(postId)
  const post = useQuery({ ...postQuery(postId), enabled: !isNew })
  // what is being written stays, whatever becomes of the post
  if (isMissing(post.error) && !post.data) return <NotFound />
  if (!isNew && post.isError && !post.data)
    return <Failure title={t('posts:readFailed')} problem={post.error} onRetry={() => void post.refetch()} />
  if (!isNew && !post.data) return <RowSkeletons />
  return (
    <Composer
      key={editorKey}
      post={post.data}
      isDeleted={isMissing(post.error)}
      at={momentOf(search.get('at'))}
      onCreated={(id) => {
        expectId(id)
        setSearch({ compose: id }, { replace: true })
      }}
      pages={pages}
      // a reload must not put them there again
      onPagesPut={() => setSearch(search, { replace: true })}
      images={(props) => <ComposerImages {...props} />}
      cover={(props) => <CoverField {...props} />}
    />
  )
}

function momentOf(text: string | null): Date | undefined {
  const moment = text ? new Date(text) : undefined
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
}
