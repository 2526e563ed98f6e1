import { useQuery } from '@tanstack/react-query'
import type { ParseKeysWithoutVariables } from 'i18next'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import type { Column } from '@/components/data-list'
import { PostBadge } from '@/components/post-badge'
import { answerBy } from '@/components/post-status'
import { useFormat } from '@/i18n/use-format'
import { accountsQuery } from '@/features/posts/api'
import { removalOf } from '@/features/posts/detail/removal'
import { destinationsOf } from '@/features/posts/post-state'

interface CellProps {
  post: PostOut
  onTag: (tag: string) => void
}

interface PostColumn extends Pick<Column<PostOut>, 'card' | 'spare'> {
  name: ParseKeysWithoutVariables<['common', 'posts']>
  isShownFirst?: boolean
  /** Whether the card on a phone also shows the column's name. */
  isNamed?: boolean
  Cell: ComponentType<CellProps>
}

/** The optional columns of the list, in order. If all are chosen, the last ones may need scrolling. */
export const postColumns = {
  planned: { name: 'posts:planned', isShownFirst: true, card: 'start', Cell: Planned },
  channels: { name: 'posts:channels', isShownFirst: true, card: 'end', Cell: Channels },
  accounts: { name: 'posts:accounts', card: 'start', Cell: Accounts },
  // narrow tables leave the tags out: the filter and the post's own page have them
  tags: { name: 'posts:tags', isShownFirst: true, card: 'wide', spare: true, Cell: Tags },
  status: { name: 'posts:status', isShownFirst: true, card: 'start', Cell: PostStatus },
  created: { name: 'posts:created', card: 'wide', isNamed: true, Cell: ({ post }) => <Time at={post.created_at} /> },
  updated: { name: 'posts:updated', card: 'wide', isNamed: true, Cell: ({ post }) => <Time at={post.updated_at} /> },
} satisfies Record<string, PostColumn>

export type ColumnKey = keyof typeof postColumns

export const COLUMNS = Object.keys(postColumns) as ColumnKey[]

const columnOf = (key: ColumnKey): PostColumn => postColumns[key]
const SHOWN_FIRST = COLUMNS.filter((key) => columnOf(key).isShownFirst)
const NONE = 'none'

/** Return the columns in the URL; they are stored nowhere else. */
export function readColumns(text: string): ColumnKey[] {
  if (!text) return SHOWN_FIRST
  const words = text.split(',')
  return COLUMNS.filter((column) => words.includes(column))
}

/** Return the URL parameter of the chosen columns; null for the default columns. */
export function columnsParameter(chosen: readonly ColumnKey[]): string | null {
  const text = COLUMNS.filter((column) => chosen.includes(column)).join(',') || NONE
  return text === SHOWN_FIRST.join(',') ? null : text
}

/** Return the chosen columns for the table. */
export function useChosenColumns(chosen: readonly ColumnKey[], onTag: CellProps['onTag']): Column<PostOut>[] {
  const { t } = useTranslation(['common', 'posts'])
  return COLUMNS.filter((key) => chosen.includes(key)).map((key) => {
    const { name, isNamed, card, spare, Cell } = columnOf(key)
    return {
      key,
      header: t(name),
      named: isNamed ? t(name) : undefined,
      card,
      spare,
      cell: (post) => <Cell post={post} onTag={onTag} />,
    }
  })
}

function Time({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time className="nowrap" dateTime={at}>
      {format.dayAndTime(at)}
    </time>
  )
}

function Planned({ post }: CellProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const until = answerBy(post)
  if (until) return <time dateTime={until}>{t('posts:answerBy', { when: format.dayAndTime(until) })}</time>
  return post.planned_at ? <Time at={post.planned_at} /> : <span className="dim">{t('posts:notPlanned')}</span>
}

function Channels({ post }: CellProps) {
  const accounts = useQuery(accountsQuery)
  return <ChannelIcons channels={destinationsOf(post, accounts.data).map(({ channel }) => channel)} size={17} />
}

function Accounts({ post }: CellProps) {
  const accounts = useQuery(accountsQuery)
  return destinationsOf(post, accounts.data)
    .map(({ name }) => name)
    .join(', ')
}

function Tags({ post, onTag }: CellProps) {
  const { t } = useTranslation(['common', 'posts'])
  if (post.tags.length === 0) return null
  return (
    <span className="post-tags">
      {post.tags.map((tag) => (
        <button key={tag} type="button" className="tag tag-button" aria-label={t('posts:onlyTag', { tag })} title={tag} onClick={() => onTag(tag)}>
          <span className="clip">{tag}</span>
        </button>
      ))}
    </span>
  )
}

function PostStatus({ post }: CellProps) {
  return (
    <span className="tags">
      <PostBadge post={post} />
      <Leaving post={post} />
    </span>
  )
}

/** Whether a network is asked to delete the post, did not delete it, or lacks the first comment. */
function Leaving({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const removal = removalOf(post)
  if (!removal && post.deliveries.some(({ comment }) => comment?.state === 'failed')) return <span className="tag">{t('posts:commentMissing')}</span>
  if (!removal) return null
  return <span className="tag">{t(removal === 'failed' ? 'posts:notDeleted' : 'posts:leaving')}</span>
}
