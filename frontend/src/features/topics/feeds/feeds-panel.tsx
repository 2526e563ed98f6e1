import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TopicOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import type { Topics } from '@/features/topics/tree/tree-edits'
import { feedsQuery } from './api'
import { AddFeedDialog } from './feed-dialog'
import { FeedRow } from './feed-row'
import './feeds.css'

interface FeedsPanelProps {
  id: string
  treeId: string
  topics: Topics
  /** The topic under which a new feed adds, unless the person chooses another one. */
  chosen: TopicOut | undefined
}

/** The feeds of a tree, whose new items become topics. */
export function FeedsPanel({ id, treeId, topics, chosen }: FeedsPanelProps) {
  const { t } = useTranslation(['common', 'topicFeeds'])
  const feeds = useQuery(feedsQuery(treeId))
  const [adding, add] = useDisclosure()
  if (feeds.isError && !feeds.data)
    return <Failure title={t('topicFeeds:readFailed')} problem={feeds.error} onRetry={() => void feeds.refetch()} />
  return (
    <Panel
      id={id}
      className="feeds"
      title={t('topicFeeds:title')}
      aside={
        <Button size="xs" variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={add.open}>
          {t('topicFeeds:add')}
        </Button>
      }
      flush
    >
      <p className="feeds-lead dim">{t(feeds.data?.length === 0 ? 'topicFeeds:empty' : 'topicFeeds:lead')}</p>
      {feeds.isPending && <RowSkeletons rows={1} />}
      {feeds.data && feeds.data.length > 0 && (
        <ul className="rows plain-list" aria-label={t('topicFeeds:title')}>
          {feeds.data.map((feed) => (
            <FeedRow key={feed.id} treeId={treeId} feed={feed} topics={topics} />
          ))}
        </ul>
      )}
      <AddFeedDialog opened={adding} treeId={treeId} topics={topics} chosen={chosen} onClose={add.close} />
    </Panel>
  )
}
