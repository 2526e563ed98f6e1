import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { DataList, type Column } from '@/components/data-list'
import { StatusBadge } from '@/components/status'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { pagePath } from '@/lib/page-path'
import { accountsQuery } from '@/features/posts/api'
import type { ColumnKey } from './columns'
import { nameOf, stateOf, whereTo } from '@/features/posts/post-state'
import { removalOf } from '@/features/posts/detail/removal'
import type { Selection } from './use-selection'

interface PostTableProps {
  rows: readonly PostOut[]
  columns: readonly ColumnKey[]
  selection: Selection
  onDelete: () => void
  onTag: (tag: string) => void
}

/** Rows that can be chosen: by click, with Shift up to there; with the arrow keys, all by Ctrl A, none by Escape. */
export function PostTable({ rows, columns, selection, onDelete, onTag }: PostTableProps) {
  const { t } = useTranslation(['common', 'posts'])
  const all = useColumns(rows, selection, onTag)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const place = (event.target as HTMLElement).closest<HTMLElement>('[data-post]')?.dataset.post
    const command = event.ctrlKey || event.metaKey
    if (event.key === 'Escape' && selection.ids.size > 0) selection.clear()
    else if (place === undefined) return
    else if (event.key === 'a' && command) selection.set(rows.map(({ id }) => id))
    else if (event.key === 'Delete' && selection.ids.size > 0) onDelete()
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !command) {
      const next = rows[rows.findIndex(({ id }) => id === place) + (event.key === 'ArrowDown' ? 1 : -1)]
      if (!next) return
      if (event.shiftKey) selection.extend(next.id)
      else selection.begin(next.id)
      event.currentTarget.querySelector<HTMLElement>(`[data-post="${next.id}"]`)?.focus()
    } else return
    event.preventDefault()
  }

  return (
    <div className="post-rows" onKeyDown={onKeyDown} data-selecting={selection.ids.size > 0 || undefined}>
      <p className="vh" id="post-list-keys">
        {t('posts:listKeys')}
      </p>
      <DataList
        label={t('posts:socialPosts')}
        columns={all.filter(({ key }) => key === 'post' || columns.includes(key as ColumnKey))}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </div>
  )
}

function useColumns(rows: readonly PostOut[], selection: Selection, onTag: (tag: string) => void): Column<PostOut>[] {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const accounts = useQuery(accountsQuery)
  const time = (at: string) => (
    <time className="nowrap" dateTime={at}>
      {format.dayAndTime(at)}
    </time>
  )
  return [
    {
      key: 'post',
      header: (
        <span className="post-head">
          <Checkbox
            size="xs"
            aria-label={t('posts:selectAll')}
            checked={rows.length > 0 && selection.ids.size === rows.length}
            indeterminate={selection.ids.size > 0 && selection.ids.size < rows.length}
            onChange={(event) => (event.currentTarget.checked ? selection.set(rows.map(({ id }) => id)) : selection.clear())}
          />
          {t('posts:post')}
        </span>
      ),
      card: 'wide',
      cell: (post) => (
        <div className="post-name">
          <label className="post-check">
            <Checkbox
              size="xs"
              data-post={post.id}
              aria-label={t('posts:select', { name: nameOf(t, post) })}
              aria-describedby="post-list-keys"
              checked={selection.ids.has(post.id)}
              onChange={(event) => selection.toggle(post.id, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          </label>
          <Thumb url={post.files[0]?.url} />
          <div className="two">
            <Link className="rowlink clip-2" to={pagePath(post)}>
              {nameOf(t, post)}
            </Link>
            <small>
              {(post.is_article
                ? [t('posts:isArticle'), post.assistant_name ?? t('posts:byHand')]
                : [post.assistant_name ?? t('posts:byHand'), post.topic_title]
              )
                .filter(Boolean)
                .join(' · ')}
            </small>
          </div>
        </div>
      ),
    },
    {
      key: 'planned',
      header: t('posts:planned'),
      card: 'start',
      cell: (post) => (post.planned_at ? time(post.planned_at) : <span className="dim">{t('posts:notPlanned')}</span>),
    },
    {
      key: 'channels',
      header: t('posts:channels'),
      card: 'end',
      cell: (post) => <ChannelIcons channels={whereTo(post, accounts.data).map(({ channel }) => channel)} size={17} />,
    },
    {
      key: 'accounts',
      header: t('posts:accounts'),
      card: 'start',
      cell: (post) => whereTo(post, accounts.data).map(({ name }) => name).join(', '),
    },
    {
      key: 'tags',
      header: t('posts:tags'),
      card: 'wide',
      spare: true, // the filter and the post's own page have them
      cell: (post) =>
        post.tags.length > 0 && (
          <span className="post-tags">
            {post.tags.map((tag) => (
              <button key={tag} type="button" className="tag tag-button" aria-label={t('posts:onlyTag', { tag })} title={tag} onClick={() => onTag(tag)}>
                <span className="clip">{tag}</span>
              </button>
            ))}
          </span>
        ),
    },
    {
      key: 'status',
      header: t('posts:status'),
      card: 'start',
      cell: (post) => (
        <span className="tags">
          <StatusBadge status={stateOf(post)} />
          <Leaving post={post} />
        </span>
      ),
    },
    // the last ones: where all are chosen they may be out of sight
    { key: 'created', header: t('posts:created'), named: t('posts:created'), card: 'wide', cell: (post) => time(post.created_at) },
    { key: 'updated', header: t('posts:updated'), named: t('posts:updated'), card: 'wide', cell: (post) => time(post.updated_at) },
  ]
}

/** Whether it is being deleted at a network, or is still there though somebody wanted it deleted; or lacks its comment. */
function Leaving({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const removal = removalOf(post)
  if (!removal && post.deliveries.some(({ comment }) => comment?.state === 'failed')) return <span className="tag">{t('posts:commentMissing')}</span>
  if (!removal) return null
  return <span className="tag">{t(removal === 'failed' ? 'posts:notDeleted' : 'posts:leaving')}</span>
}
