import { Button, Tooltip } from '@mantine/core'
import { IconCopy, IconPencil, IconTrash, IconWand } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link, useNavigate } from 'react-router'
import { listAccountsOptions } from '@/api/@tanstack/react-query.gen'
import type { PostOut } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { PageHeader } from '@/components/page'
import { PostBadge } from '@/components/post-badge'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { answerBy } from '@/components/post-status'
import { isLanguage } from '@/i18n/languages'
import { useFormat, useFormatIn, useTimeZone } from '@/i18n/use-format'
import { articlePath } from '@/lib/article-paths'
import { carouselPath, pageToEdit } from '@/lib/carousels'
import { shortened } from '@/lib/cut-text'
import { paths } from '@/lib/paths'
import { announcedQuery } from '@/features/posts/api'
import { DeliveryList } from './delivery-list'
import { PostActions } from './post-actions'
import { useCopy } from './use-copy'
import { composePath } from '@/lib/compose-path'
import { PostPreviews, usePreviewsTitle } from '@/features/posts/post-previews'
import { isArmed, isOut, firstLine, mayEdit, mayPublish } from '@/features/posts/post-state'
import { useBulk } from '@/features/posts/list/use-bulk'
import { useDelete } from '@/features/posts/use-delete'

const RefusedDialog = lazyPart(async () => (await import('@/features/posts/list/refused-dialog')).RefusedDialog)
const CardNotes = lazyPart(async () => (await import('@/components/card-notes')).CardNotes)
const ReviewPanel = lazyPart(async () => (await import('@/components/review-notes')).ReviewPanel)
const LONGEST_TITLE = 120 // characters: a text may have no other line than its first

export function PostDetail({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const accounts = useQuery(listAccountsOptions())
  const previews = usePreviewsTitle(post, accounts.data)
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('posts:title'), to: paths.posts }]}
        title={post.topic_title || shortened(firstLine(post.content), LONGEST_TITLE) || t('posts:post')}
        badge={
          <span className="tags">
            <PostBadge post={post} at={post.planned_at} />
            {post.is_demo && (
              <Tooltip label={t('posts:demoHint')}>
                <span className="tag">
                  <IconWand size={13} aria-hidden />
                  {t('posts:demoWriter')}
                  <span className="vh">{t('posts:demoHint')}</span>
                </span>
              </Tooltip>
            )}
          </span>
        }
        actions={<Changes post={post} />}
      />
      <div className="cols">
        <div className="stack">
          <PostActions post={post} />
          <DeliveryList post={post} accounts={accounts.data} />
          <section className="panel pv-stage" aria-label={previews}>
            <div className="panel-head">
              <h2 className="panel-title">{previews}</h2>
            </div>
            <PostPreviews post={post} />
          </section>
        </div>
        <div className="stack">
          {post.review.length > 0 && <ReviewPanel notes={post.review} isOut={isOut(post)} />}
          <PostFacts post={post} />
          <AltTexts post={post} />
        </div>
      </div>
    </>
  )
}

/** Buttons that edit the post or copy it as a new draft. */
function Changes({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const navigate = useNavigate()
  const { copy, isPending, label } = useCopy(post)
  const bulk = useBulk(() => undefined)
  const deleting = useDelete(bulk, () => void navigate(paths.posts))
  return (
    <>
      {deleting.dialog}
      <RefusedDialog bulk={bulk} />
      <Button
        variant="default"
        leftSection={<IconTrash size={15} aria-hidden />}
        loading={bulk.pending}
        disabled={isArmed(post)}
        onClick={() => deleting.start([post])}
      >
        {t('posts:delete')}
      </Button>
      <Button variant="default" leftSection={<IconCopy size={15} aria-hidden />} loading={isPending} onClick={copy}>
        {label}
      </Button>
      {mayEdit(post) && (
        <Button component={Link} to={composePath(post.id)} variant="default" leftSection={<IconPencil size={15} aria-hidden />}>
          {t('posts:editPost')}
        </Button>
      )}
    </>
  )
}

function PostFacts({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const zone = useTimeZone()
  const until = answerBy(post)
  const formatInPostZone = useFormatIn(post.time_zone)
  const announced = useQuery({ ...announcedQuery(post.announces_id ?? ''), enabled: post.announces_id !== null }).data
  return (
    <Panel title={t('posts:facts')}>
      <Facts
        facts={[
          [
            t('posts:assistant'),
            post.assistant_id ? (
              <Link className="link" to={generatePath(paths.assistant, { assistantId: post.assistant_id })}>
                {post.assistant_name}
              </Link>
            ) : (
              t('posts:noAssistant')
            ),
          ],
          [
            t('posts:announces'),
            post.announces_id && (
              <Link className="link" to={articlePath(post.announces_id)}>
                {announced?.title || t('posts:toArticle')}
              </Link>
            ),
          ],
          [t('posts:topic'), post.topic_title],
          [
            t(post.planned_at && !until && mayPublish(post) ? 'posts:intended' : 'posts:planned'),
            until ? (
              <time dateTime={until}>{t('posts:onceApproved', { when: format.dayAndTime(until) })}</time>
            ) : post.planned_at ? (
              <time dateTime={post.planned_at}>{format.dayAndTime(post.planned_at)}</time>
            ) : (
              t('posts:notPlanned')
            ),
          ],
          [t('posts:timeZone'), zone === post.time_zone || !post.planned_at || until ? post.time_zone : `${post.time_zone}: ${formatInPostZone.dayAndTime(post.planned_at)}`],
          [
            t('posts:tags'),
            post.tags.length > 0 && (
              <span className="tags">
                {post.tags.map((tag) => (
                  <Link key={tag} className="tag tag-button" aria-label={t('posts:onlyTag', { tag })} to={`${paths.posts}?${new URLSearchParams({ tag })}`}>
                    <span className="clip">{tag}</span>
                  </Link>
                ))}
              </span>
            ),
          ],
          [t('posts:writtenBy'), writer(post, t('posts:demoWriter'), t('posts:person'))],
          [t('posts:language'), isLanguage(post.language) ? t(`languages.${post.language}`) : post.language],
          [t('posts:created'), <time key="created" dateTime={post.created_at}>{format.dayAndTime(post.created_at)}</time>],
        ]}
      />
      {post.is_demo && <p className="fine-print">{t('posts:demoHint')}</p>}
    </Panel>
  )
}

function writer(post: PostOut, demo: string, person: string) {
  if (post.is_demo) return demo
  return post.written_by || person
}

function AltTexts({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  // networks take no description of a document
  const described = post.files.filter(({ kind }) => kind !== 'document')
  if (described.length === 0) return null
  const page = pageToEdit(post.files)
  return (
    <Panel title={t('posts:altText')}>
      <Facts
        facts={described.map((file, index) => [
          file.kind === 'video' ? t('posts:video') : t('posts:imageOf', { number: index + 1, count: described.length }),
          <Fragment key={file.media_id}>
            {file.alt || <span className="dim">{t(file.kind === 'video' ? 'posts:noAltVideo' : 'posts:noAlt')}</span>}
            {file.card_notes.length > 0 && <CardNotes notes={file.card_notes} />}
          </Fragment>,
        ])}
      />
      {page && (
        <Link className="link" to={carouselPath(page, mayEdit(post) ? post.id : undefined)}>
          {t('posts:editCarousel')}
        </Link>
      )}
    </Panel>
  )
}
