import { Button, Checkbox, Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { SearchField } from '@/components/search-field'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { cutText } from '@/lib/cut-text'
import { usePublishedPosts } from './api'
import { LONGEST_EXAMPLE } from './brand-limits'
import type { Example } from './brand-values'

interface PublishedPickerProps {
  opened: boolean
  /** How many more examples fit. */
  most: number
  /** The texts that are examples already. */
  taken: readonly string[]
  onClose: () => void
  onPick: (examples: Example[]) => void
}

/** The choice of published posts as examples. */
export function PublishedPicker({ opened, onClose, ...props }: PublishedPickerProps) {
  const { t } = useTranslation(['common', 'brands'])
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={t('brands:picker.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Posts {...props} onClose={onClose} />
    </Modal>
  )
}

function Posts({ most, taken, onClose, onPick }: Omit<PublishedPickerProps, 'opened'>) {
  const { t } = useTranslation(['common', 'brands'])
  const format = useFormat()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<PostOut[]>([])
  const posts = usePublishedPosts(search)
  if (posts.isError && !posts.data)
    return <Failure title={t('brands:picker.failed')} problem={posts.error} onRetry={() => void posts.refetch()} />
  const rows = posts.data?.pages.flatMap((page) => page.items).filter((post) => exampleOf(post).text !== '') ?? []
  const isTaken = (post: PostOut) => taken.includes(exampleOf(post).text)
  return (
    <div className="stack">
      <SearchField label={t('brands:picker.search')} value={search} onSearch={setSearch} />
      {posts.isPending && <RowSkeletons />}
      {posts.data && rows.length === 0 && <p className="prose">{t(search ? 'brands:picker.noMatch' : 'brands:picker.none')}</p>}
      {rows.length > 0 && (
        <ul className="picker-rows">
          {rows.map((post) => {
            const on = chosen.some(({ id }) => id === post.id)
            return (
              <li key={post.id}>
                <Checkbox
                  checked={on || isTaken(post)}
                  disabled={isTaken(post) || (!on && chosen.length >= most)}
                  label={<span className="clip-2">{exampleOf(post).text}</span>}
                  description={
                    <span className="picker-facts num">
                      <ChannelIcons channels={networksOf(post)} size={14} />
                      {post.planned_at && format.dayAndTime(post.planned_at)}
                      {isTaken(post) && ` · ${t('brands:picker.taken')}`}
                    </span>
                  }
                  onChange={() => setChosen(on ? chosen.filter(({ id }) => id !== post.id) : [...chosen, post])}
                />
              </li>
            )
          })}
        </ul>
      )}
      {rows.length > 0 && (
        <ListFoot hasMore={posts.hasNextPage} loading={posts.isFetchingNextPage} onMore={() => void posts.fetchNextPage()}>
          {t('brands:picker.count', { count: chosen.length, most })}
        </ListFoot>
      )}
      <div className="dialog-foot">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          disabled={chosen.length === 0}
          onClick={() => {
            onPick(chosen.map(exampleOf))
            onClose()
          }}
        >
          {t('brands:picker.take')}
        </Button>
      </div>
    </div>
  )
}

const networksOf = ({ deliveries }: PostOut) => [...new Set(deliveries.map(({ channel }) => channel))]

/**
 * Return the post as an example, with the text that was published on its first network. It is of that network if it was
 * published there alone, or with other texts elsewhere.
 */
function exampleOf(post: PostOut): Example {
  const [network, ...others] = networksOf(post)
  const [text = post.content, ...more] = new Set(post.deliveries.map(({ content }) => content ?? post.content))
  return {
    text: cutText(text.trim(), LONGEST_EXAMPLE),
    network: network && (others.length === 0 || more.length > 0) ? network : '',
  }
}
