import { Checkbox } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { Thumb } from '@/components/thumb'
import { pagePath } from '@/lib/page-path'
import { useChosenColumns, type ColumnKey } from './columns'
import { nameOf } from '@/features/posts/post-state'
import type { Selection } from './use-selection'

interface PostTableProps {
  rows: readonly PostOut[]
  columns: readonly ColumnKey[]
  selection: Selection
  onDelete: () => void
  onTag: (tag: string) => void
}

/** A table with selectable rows: by click, a range with Shift or the arrow keys, all with Ctrl A, none with Escape. */
export function PostTable({ rows, columns, selection, onDelete, onTag }: PostTableProps) {
  const { t } = useTranslation(['common', 'posts'])
  const post = usePostColumn(rows, selection)
  const chosen = useChosenColumns(columns, onTag)

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
        columns={[post, ...chosen]}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </div>
  )
}

function usePostColumn(rows: readonly PostOut[], selection: Selection): Column<PostOut> {
  const { t } = useTranslation(['common', 'posts'])
  return {
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
        <Thumb file={post.files[0]} />
        <div className="two-lines">
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
  }
}
